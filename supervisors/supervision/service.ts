/**
 * The one lifecycle contract of long-lived things. `start` resolves when it works; `done` settles when it has ended
 * and rejects when it crashed. It stops in two phases. `stopClaiming` takes effect at once: from then on nothing new
 * is begun, what is under way goes on. `stop` does the same, then waits for what is under way until the deadline
 * aborts, gives up what is left and resolves soon after. Both may be called at any time and more than once.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  done(): Promise<void>;
  /** Absent where nothing is ever begun. */
  stopClaiming?(): void;
  stop(deadline: AbortSignal): Promise<void>;
}

/** How the work of a service learns of its stop. */
export interface StopSignals {
  /** Begin nothing more; what is in hand may be finished. */
  draining: AbortSignal;
  /** The deadline has passed: what is in hand is given up. */
  forced: AbortSignal;
}

/** Waits for the work, but not past the deadline; false when it was still under way then. Never rejects. */
export function endedBy(work: Promise<unknown>, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const late = () => resolve(false);
    const ended = () => {
      deadline.removeEventListener('abort', late);
      resolve(true);
    };
    work.then(ended, ended);
    if (deadline.aborted) late();
    else deadline.addEventListener('abort', late, { once: true });
  });
}
