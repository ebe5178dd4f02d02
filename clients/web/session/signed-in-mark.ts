import { kept } from '../site/keeper.ts';

/**
 * Who is signed in in this browser, as its pages last knew. The session itself is a cookie that scripts cannot read; the
 * mark saves visitors a call that would answer 401, and tells a tab that is shown again whether it is out of date.
 */
const MARK = 'signed-in';
const ID = /^[0-9a-f-]{36}$/;

/** The id; null for no one; undefined where the browser keeps nothing, or an earlier release wrote it. */
export function markedPerson(): string | null | undefined {
  const text = kept.getItem(MARK);
  if (text === null) return kept.isLasting() ? null : undefined;
  return ID.test(text) ? text : undefined;
}

export function markPerson(person: string | null): void {
  if (person === null) kept.removeItem(MARK);
  else kept.setItem(MARK, person);
}
