import type { SiteApi } from '../api/site-api.ts';
import { keptForTab, readJson } from '../site/keeper.ts';

/** What a signed-out visitor wanted to do: it is finished after signing in. */
export interface PendingAction {
  readonly kind: 'favorite' | 'tour';
  readonly propertyId: string;
}

const KEY = 'pending-action';

/** Kept for this tab only. */
export const rememberPending = (action: PendingAction): void =>
  keptForTab.setItem(KEY, JSON.stringify(action));

/** A visitor who leaves the sign-in page has given it up: the next person here must not do it. */
export const forgetPending = (): void => keptForTab.removeItem(KEY);

const readPending = (): Partial<PendingAction> | null =>
  readJson(keptForTab, KEY) as Partial<PendingAction> | null;

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

/** Whether a person wanted to ask for a visit of this home before signing in; true once. */
export function takePendingTour(propertyId: string): boolean {
  const pending = readPending();
  if (pending?.kind !== 'tour' || pending.propertyId !== propertyId) return false;
  forgetPending();
  return true;
}

/** A path of this site, or the first page: another site must not be able to say where a sign-in leads. */
export function safeReturn(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/') || /^\/[/\\]/.test(path)) return '/';
  const origin = 'https://site.invalid';
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : '/';
}
