import { type ComponentProps, useEffect, useState } from 'react';

export interface LoadedPair {
  /** Whether the photo and the staged picture have both loaded. */
  readonly isLoaded: boolean;
  readonly hasFailed: boolean;
  /** Grows with each new try; a picture with another key is loaded once more. */
  readonly attempt: number;
  readonly retry: () => void;
  /** What the image of a picture reports with. */
  readonly watch: (imageId: string) => Pick<ComponentProps<'img'>, 'ref' | 'onLoad' | 'onError'>;
}

const PAIR = 2;

/**
 * Whether both pictures of a pair have loaded, and are on the screen: two frames after both could be painted.
 * @param onScreen is called with `imageId` then, and with null when the pair leaves the screen
 */
export function useLoadedPair(
  imageId: string,
  isShown: boolean,
  onScreen: (imageId: string | null) => void,
): LoadedPair {
  const [loaded, setLoaded] = useState<ReadonlySet<string>>(new Set());
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const isLoaded = loaded.size === PAIR;
  useEffect(() => {
    if (!isShown || !isLoaded) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => onScreen(imageId));
    });
    return () => {
      cancelAnimationFrame(frame);
      onScreen(null);
    };
  }, [isShown, isLoaded, imageId, onScreen]);
  const add = (id: string): void => setLoaded((ids) => (ids.has(id) ? ids : new Set([...ids, id])));
  return {
    isLoaded,
    hasFailed,
    attempt,
    retry: () => {
      setLoaded(new Set());
      setFailed(false);
      setAttempt(attempt + 1);
    },
    watch: (id) => ({
      // A picture of the cache may have loaded before anything listens.
      ref: (image) => {
        if (image?.complete && image.naturalWidth > 0) add(id);
      },
      onLoad: () => add(id),
      onError: () => setFailed(true),
    }),
  };
}
