let left: Promise<void>;
let leave = (): void => {};

function begin(): void {
  left = new Promise((resolve) => {
    leave = resolve;
  });
}
begin();
if (typeof document !== 'undefined') {
  addEventListener('pagehide', () => leave());
  // It comes back as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) begin();
  });
}

/** Resolves when the document is left. What waits for it then still runs. */
export const pageLeft = (): Promise<void> => left;
