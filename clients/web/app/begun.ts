import type { SiteApi } from './api.ts';

/** What a signed-out person began: it is finished after signing in. */
export type Begun = { readonly kind: 'favorite'; readonly propertyId: string };

const KEY = 'begun';

/** Kept for this tab only. */
export const rememberBegun = (begun: Begun): void => sessionStorage.setItem(KEY, JSON.stringify(begun));

/** Finishes what was begun, once. A failure loses only that: the person is signed in and can do it again. */
export async function finishBegun(api: SiteApi): Promise<boolean> {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text === null) return true;
  const begun = JSON.parse(text) as Begun;
  try {
    await api.favorites.add({ propertyId: begun.propertyId });
    return true;
  } catch {
    return false;
  }
}

/** A path of this site, or the first page: another site must not be able to say where a sign-in leads. */
export function safeReturn(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/') || /^\/[/\\]/.test(path)) return '/';
  const origin = 'https://site.invalid';
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : '/';
}
