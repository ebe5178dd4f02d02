import { useSyncExternalStore } from 'react';

/** From here on list and map are side by side; `search.css` has the same width. */
const WIDE = '(min-width: 64rem)';

const isWide = (): boolean => matchMedia(WIDE).matches;

function subscribe(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Whether the window has room for list and map together; on the server it is not known, and false. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, isWide, () => false);
