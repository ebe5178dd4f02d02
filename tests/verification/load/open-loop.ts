import { performance } from 'node:perf_hooks';

/** One call that was made, in milliseconds since the start of the run. */
export interface Sample {
  readonly what: string;
  /** When it was due. */
  readonly dueAt: number;
  /** From the due time to the whole answer, so that queueing in front of a slow server counts. */
  readonly tookMs: number;
  /** Empty when the call succeeded. */
  readonly failure: string;
}

export interface Call {
  readonly what: string;
  /** @throws Error whose message is the failure that is counted */
  make(): Promise<void>;
}

export interface OpenLoop {
  readonly samples: readonly Sample[];
  /** Calls that are waiting for their answer. */
  underWay(): number;
  /** Ends the schedule and waits for the calls under way. */
  stop(): Promise<void>;
}

const TICK_MS = 5;

/**
 * Makes `perSecond` calls a second without waiting for answers, as independent clients do. A schedule that
 * waited for answers would measure least when the server is slowest.
 * @param next returns the call to make; called at each due time
 */
export function startOpenLoop(perSecond: number, next: () => Call): OpenLoop {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const pending = new Set<Promise<void>>();
  let made = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) + 1;
    for (; made < due; made += 1) begin((made * 1_000) / perSecond);
  }, TICK_MS);

  function begin(dueAt: number): void {
    const { what, make } = next();
    const ended = (failure: string) => {
      samples.push({ what, dueAt, tookMs: performance.now() - startedAt - dueAt, failure });
      pending.delete(call);
    };
    const call: Promise<void> = make().then(
      () => ended(''),
      (error: Error) => ended(error.message),
    );
    pending.add(call);
  }

  return {
    samples,
    underWay: () => pending.size,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}
