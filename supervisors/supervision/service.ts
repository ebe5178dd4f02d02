/**
 * The lifecycle of long-lived parts. `start` resolves when the service works; `done` settles when it has ended and
 * rejects when it crashed. It stops in two phases. `stopClaiming` takes effect at once: nothing new begins, running
 * work continues. `stop` does the same, waits for running work until the deadline aborts, gives up the rest and resolves
 * soon after. Both may be called at any time and more than once.
 */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  done(): Promise<void>;
  /** Absent where nothing is ever begun. */
  stopClaiming?(): void;
  stop(deadline: AbortSignal): Promise<void>;
}

/** The signals that stop a service's work. */
export interface StopSignals {
  /** Begin nothing more; running work may finish. */
  draining: AbortSignal;
  /** The deadline has passed: running work is given up. */
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
