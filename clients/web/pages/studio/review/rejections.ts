import type { SiteApi } from '../../../api/site-api.ts';

/** A decision that can still be taken back. */
export interface Rejection {
  readonly imageId: string;
  readonly reason: string | null;
}

interface RejectionsOptions {
  readonly api: SiteApi;
  /** Whether the person who rejects is still signed in: no one's decision is sent as another's. */
  readonly isOwn: () => boolean;
  /** Calls `run` after so many milliseconds; the function returned calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Called when a rejection was sent: with the error when it failed. */
  readonly onSent: (rejection: Rejection, error: unknown) => Promise<void>;
}

/** A rejection removes the picture, so it is sent after a pause in which it can be taken back. */
export const UNDO_MS = 5_000;

/**
 * Rejections that wait to be sent. They are sent when the pause is over, wherever the agent is on the site by then; a
 * page that is left sends them at once.
 */
export function createRejections({ api, isOwn, after, onSent }: RejectionsOptions) {
  let waiting: readonly Rejection[] = [];
  const timers = new Map<string, () => void>();
  const listeners = new Set<() => void>();
  const show = (next: readonly Rejection[]): void => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  const take = (imageId: string): Rejection | undefined => {
    timers.get(imageId)?.();
    timers.delete(imageId);
    return waiting.find((one) => one.imageId === imageId);
  };
  const send = async (imageId: string): Promise<void> => {
    const rejection = take(imageId);
    if (rejection === undefined) return;
    if (!isOwn()) return show(waiting.filter((one) => one !== rejection));
    // It cannot be taken back any more.
    show([...waiting]);
    let problem: unknown;
    try {
      await api.ai.rejectStagedVariant(rejection);
    } catch (error) {
      problem = error;
    }
    // Hidden until the list without it is there.
    await onSent(rejection, problem);
    show(waiting.filter((one) => one !== rejection));
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => waiting,
    reject(rejection: Rejection): void {
      if (waiting.some(({ imageId }) => imageId === rejection.imageId)) return;
      timers.set(
        rejection.imageId,
        after(UNDO_MS, () => void send(rejection.imageId)),
      );
      show([...waiting, rejection]);
    },
    /** Sends what a page before has left. */
    resume(rejection: Rejection): void {
      show([...waiting, rejection]);
      void send(rejection.imageId);
    },
    /** Takes the last rejection back, if it was not sent yet. */
    undo(): void {
      const last = waiting.findLast(({ imageId }) => timers.has(imageId));
      if (last === undefined) return;
      take(last.imageId);
      show(waiting.filter((one) => one !== last));
    },
    canUndo: () => waiting.some(({ imageId }) => timers.has(imageId)),
    /** Sends at once what can still be taken back, for a page that is left. */
    sendAll(): void {
      for (const { imageId } of waiting) if (timers.has(imageId)) void send(imageId);
    },
  };
}

export type Rejections = ReturnType<typeof createRejections>;
