import { useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Draft {
  readonly value: string;
  readonly isTyped: boolean;
  readonly type: (text: string) => void;
  /** Ends the draft when it is stored; one that could not be stored stays, to be tried again. */
  readonly settle: (isStored: boolean | Promise<boolean>) => void;
}

/** What is typed into a field until it is stored. What others store meanwhile takes its place only after that. */
export function useDraft(stored: string): Draft {
  const [draft, setDraft] = useState<string | null>(null);
  const end = (): void => setDraft((latest) => (latest === draft ? null : latest));
  return {
    value: draft ?? stored,
    isTyped: draft !== null,
    type: setDraft,
    settle: (isStored) => void Promise.resolve(isStored).then((is) => (is ? end() : undefined)),
  };
}

const PAUSE_MS = 1_000;

/**
 * Stores a draft a second after the last key, and when its field or the document is left. `store` gets the latest text; what
 * it sends must outlive the document (`keepalive`).
 */
export function useStoreAfterPause({ isTyped, value }: Draft, store: (text: string) => void): void {
  const latest = useRef(() => {});
  latest.current = () => (isTyped ? store(value) : undefined);
  useEffect(() => {
    if (!isTyped) return;
    const leave = (): void => latest.current();
    const timer = setTimeout(leave, PAUSE_MS, value);
    addEventListener('pagehide', leave);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', leave);
    };
  }, [isTyped, value]);
  // A layout effect: the field is still there to be asked whether it is valid.
  useLayoutEffect(() => () => latest.current(), []);
}
