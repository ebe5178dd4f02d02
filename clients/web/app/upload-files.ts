/** The browser's store of photos that are on their way (`pages/studio/photos/upload-store.ts`). */
export const UPLOADS_DATABASE = 'studio';

/** Forgets photos that were not sent yet: whoever uses this browser next must not find them. */
export function forgetUploads(): void {
  indexedDB.deleteDatabase(UPLOADS_DATABASE);
}
