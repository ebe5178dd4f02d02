import { useRef } from 'react';
import { pageLeft } from '../site/page-left.ts';

/**
 * Does one thing after the other, so that the last one counts. Once the document is left, everything begins at once: what
 * still waited for its turn would be lost.
 */
export function useTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return (work) => {
    const result = Promise.race([last.current, pageLeft()]).then(work);
    last.current = result.catch(() => undefined);
    return result;
  };
}
