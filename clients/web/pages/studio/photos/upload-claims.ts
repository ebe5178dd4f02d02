/**
 * Reserves a file for this window, so that another window with the same page does not send it, too. The browser ends it
 * with the window. @returns what ends it, once no other window has the file: after a reload the page before may still
 */
export type ClaimUpload = (key: string) => Promise<() => void>;

export const claimUpload: ClaimUpload = (key) => {
  // Absent on pages that came without TLS. There two windows send the same file, and it is stored once all the same.
  if (!('locks' in navigator)) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks
      .request(`studio-upload-${key}`, () => new Promise<void>((release) => resolve(release)))
      // Sent twice is better than not at all.
      .catch(() => resolve(() => {}));
  });
};
