/** What the studio keeps in the browser until the server has it. */

/** The store of photos that are on their way (`pages/studio/photos/upload-store.ts`). */
export const UPLOADS_DATABASE = 'studio';
/** The order of pictures that is being sent (`pages/studio/staging/unsent-order.ts`). */
export const UNSENT_ORDER = 'studio-order';

/** Rejections that were not answered (`pages/studio/review/unsent-rejections.ts`). */
export const UNSENT_REJECTIONS = 'studio-rejections';

export const hasUnsentRejections = (): boolean => localStorage.getItem(UNSENT_REJECTIONS) !== null;

/** Forgets all of it: the next person at this browser must not find it. */
export function forgetStudio(): void {
  indexedDB.deleteDatabase(UPLOADS_DATABASE);
  localStorage.removeItem(UNSENT_ORDER);
  localStorage.removeItem(UNSENT_REJECTIONS);
}
