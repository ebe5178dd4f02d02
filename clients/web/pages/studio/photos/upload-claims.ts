/**
 * Reserves a file for this window, so that another window with the same page does not send it, too. The browser ends it
 * with the window. @returns what ends it, or null while another window has it
 */
export type ClaimUpload = (key: string) => Promise<(() => void) | null>;

export const claimUpload: ClaimUpload = (key) => {
  // Absent on pages that came without TLS. There two windows send the same file, and it is stored once all the same.
  if (!('locks' in navigator)) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks
      .request(`studio-upload-${key}`, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release));
        resolve(null);
      })
      // Sent twice is better than not at all.
      .catch(() => resolve(() => {}));
  });
};
