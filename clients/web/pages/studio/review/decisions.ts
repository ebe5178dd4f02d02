/** What an agent has decided about pictures. */
export type Decision =
  /** A picture that the agent has looked at by itself. */
  | { readonly kind: 'approve'; readonly imageIds: readonly [string] }
  | { readonly kind: 'approveSeveral'; readonly imageIds: readonly string[] }
  | { readonly kind: 'reject'; readonly imageIds: readonly [string]; readonly reason: string | null };

interface DecisionsOptions {
  /** Whether the person who decides is still signed in: no one's decision is sent as another's. */
  readonly isOwn: () => boolean;
  /** Calls `run` after so many milliseconds; the function returned calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Sends a decision, and shows what came of it. Never fails. */
  readonly send: (decision: Decision) => Promise<void>;
}

/** An approval makes the picture public, and a rejection removes it, so each is sent after a pause. */
export const UNDO_MS = 5_000;

/**
 * Decisions that wait to be sent, and those on their way: their pictures are out of the queue. They are sent when the
 * pause is over, wherever the agent is on the site by then; a page that is left sends them at once.
 */
export function createDecisions({ isOwn, after, send }: DecisionsOptions) {
  let waiting: readonly Decision[] = [];
  const timers = new Map<Decision, () => void>();
  const listeners = new Set<() => void>();
  const show = (next: readonly Decision[]): void => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  const without = (decision: Decision): readonly Decision[] => waiting.filter((one) => one !== decision);
  const callOff = (decision: Decision): void => {
    timers.get(decision)?.();
    timers.delete(decision);
  };
  const sendNow = async (decision: Decision): Promise<void> => {
    callOff(decision);
    if (!isOwn()) return show(without(decision));
    // It cannot be taken back any more.
    show([...waiting]);
    await send(decision);
    show(without(decision));
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => waiting,
    /** A picture that is decided already stays so. */
    decide(decision: Decision): void {
      const isDecided = (id: string): boolean => waiting.some(({ imageIds }) => imageIds.includes(id));
      if (decision.imageIds.some(isDecided)) return;
      timers.set(
        decision,
        after(UNDO_MS, () => void sendNow(decision)),
      );
      show([...waiting, decision]);
    },
    /** Sends what a page before has left. */
    resume(decision: Decision): void {
      show([...waiting, decision]);
      void sendNow(decision);
    },
    /** The last decision that can still be taken back. */
    undoable: (): Decision | undefined => waiting.findLast((one) => timers.has(one)),
    /** Takes it back. */
    undo(): void {
      const last = waiting.findLast((one) => timers.has(one));
      if (last === undefined) return;
      callOff(last);
      show(without(last));
    },
    /** Sends at once what can still be taken back, for a page that is left. */
    sendAll(): void {
      for (const decision of waiting) if (timers.has(decision)) void sendNow(decision);
    },
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
