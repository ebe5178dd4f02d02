import type { SiteApi } from '../api/site-api.ts';
import { keptForTab, readJson } from '../site/keeper.ts';

/** What a signed-out visitor wanted to do: it is finished after signing in. */
export type PendingAction =
  | { readonly kind: 'favorite' | 'tour'; readonly propertyId: string }
  /** To save the search of this address. */
  | { readonly kind: 'search'; readonly query: string };

const KEY = 'pending-action';

/** Kept for this tab only. */
export const rememberPending = (action: PendingAction): void =>
  keptForTab.setItem(KEY, JSON.stringify(action));

/** A visitor who leaves the sign-in page has given it up: the next person here must not do it. */
export const forgetPending = (): void => keptForTab.removeItem(KEY);

const readPending = (): { readonly kind?: unknown; readonly propertyId?: string } | null =>
  readJson(keptForTab, KEY) as { readonly kind?: unknown } | null;

/** Saves the home that a person wanted to save, once. A failure loses only that: the person can save it again. */
export async function finishPendingFavorite(api: SiteApi): Promise<boolean> {
  const pending = readPending();
  if (pending?.kind !== 'favorite' || pending.propertyId === undefined) return true;
  forgetPending();
  try {
    await api.favorites.add({ propertyId: pending.propertyId });
    return true;
  } catch {
    return false;
  }
}

/** Whether a person wanted to do this before signing in; true once. */
export function takePending(action: PendingAction): boolean {
  if (JSON.stringify(readPending()) !== JSON.stringify(action)) return false;
  forgetPending();
  return true;
}

/** A path of this site, or the first page: another site must not be able to say where a sign-in leads. */
export function safeReturn(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/') || /^\/[/\\]/.test(path)) return '/';
  const origin = 'https://site.invalid';
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : '/';
}
