/**
 * Kept while this browser is signed in. The session itself is a cookie that scripts cannot read; this mark only saves
 * everyone else a call that would answer 401.
 */
const MARK = 'signed-in';

export const isMarkedSignedIn = (): boolean => localStorage.getItem(MARK) !== null;

export function markSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(MARK, '1');
  else localStorage.removeItem(MARK);
}
