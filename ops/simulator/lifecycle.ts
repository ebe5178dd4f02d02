import { findFault, numberOption, textOption } from './faults/fault-catalogue.ts';
import type { Ledger } from './ledger.ts';
import {
  type Clock,
  isTerminal,
  type Prediction,
  type PredictionOutput,
  type PredictionStatus,
  type TerminalStatus,
} from './prediction.ts';
import type { PredictionStore } from './prediction-store.ts';
import type { Settings } from './settings.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface Outcome {
  status: TerminalStatus;
  output?: PredictionOutput | null;
  error?: string | null;
}

export interface Lifecycle {
  /** Starts (or resumes) the timers of a prediction that has not ended. */
  begin(prediction: Prediction): void;
  /** Ends it with its normal outcome at once. Resolves after the first try of its callback. */
  complete(prediction: Prediction): Promise<void>;
  /** Ends it with this outcome; has no effect when it has already ended. */
  end(prediction: Prediction, outcome: Outcome): Promise<void>;
  /** Held predictions continue. */
  release(): Promise<number>;
  /** Resolves when the prediction has ended or `waitMs` have passed. */
  ended(prediction: Prediction, waitMs: number): Promise<void>;
  /** Stops the timers and waits for running work. */
  close(): Promise<void>;
}

interface LifecycleParts {
  store: PredictionStore;
  ledger: Ledger;
  settings: Settings;
  clock: Clock;
  webhooks: WebhookSender;
  /** Makes the model's output; never throws because of the input. */
  produce(prediction: Prediction): Promise<Outcome>;
  log(line: string): void;
}

/**
 * Moves predictions: starting -> processing -> ended. Each transition is in the ledger before its callback is sent.
 * Due times are computed from the stored times, so after a crash every unfinished prediction continues (late, never
 * twice). An end is recorded once; a second one (a cancel, or a finished picture) has no effect.
 */
class TimedLifecycle implements Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #deadlines = new Map<string, NodeJS.Timeout>();
  readonly #waiters = new Map<string, (() => void)[]>();
  readonly #working = new Set<Promise<void>>();
  #closed = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  begin(prediction: Prediction): void {
    if (this.#closed || isTerminal(prediction.status)) return;
    this.#watchDeadline(prediction);
    this.#scheduleNext(prediction);
  }

  async complete(prediction: Prediction): Promise<void> {
    if (prediction.status === 'starting') await this.#start(prediction);
    clearTimeout(this.#timers.get(prediction.id));
    if (isTerminal(prediction.status)) return;
    await this.end(prediction, forcedOutcome(prediction) ?? (await this.#parts.produce(prediction)));
  }

  async end(prediction: Prediction, outcome: Outcome): Promise<void> {
    if (this.#closed || isTerminal(prediction.status)) return;
    const { webhooks } = this.#parts;
    for (const timers of [this.#timers, this.#deadlines]) {
      clearTimeout(timers.get(prediction.id));
      timers.delete(prediction.id);
    }
    prediction.output = outcome.output ?? null;
    prediction.error = outcome.error ?? null;
    prediction.logs += `prediction ${outcome.status}\n`;
    await this.#record(prediction, outcome.status);
    for (const wake of this.#waiters.get(prediction.id) ?? []) wake();
    this.#waiters.delete(prediction.id);
    if (outcome.status === 'succeeded') await webhooks.send(prediction, 'output');
    if (outcome.status !== 'aborted') await webhooks.send(prediction, 'logs');
    await webhooks.send(prediction, 'completed');
  }

  async release(): Promise<number> {
    const { settings, store, ledger, clock } = this.#parts;
    settings.hold = false;
    const waiting = store.all().filter((prediction) => !isTerminal(prediction.status));
    for (const prediction of waiting) prediction.held = false;
    await ledger.append({ kind: 'released', at: clock.now() });
    for (const prediction of waiting) this.begin(prediction);
    return waiting.length;
  }

  ended(prediction: Prediction, waitMs: number): Promise<void> {
    if (isTerminal(prediction.status)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiters.set(prediction.id, [...(this.#waiters.get(prediction.id) ?? []), wake]);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of [...this.#timers.values(), ...this.#deadlines.values()]) clearTimeout(timer);
    for (const wake of [...this.#waiters.values()].flat()) wake();
    await Promise.allSettled(this.#working);
  }

  async #start(prediction: Prediction): Promise<void> {
    if (prediction.status !== 'starting') return;
    if (findFault(prediction.faults, 'aborted')) return this.end(prediction, { status: 'aborted' });
    await this.#record(prediction, 'processing');
    this.#scheduleNext(prediction);
    await this.#parts.webhooks.send(prediction, 'start');
  }

  async #record(prediction: Prediction, status: PredictionStatus): Promise<void> {
    const at = this.#parts.clock.now();
    prediction.status = status;
    if (status === 'processing') prediction.startedAtMs = at;
    if (isTerminal(status)) prediction.completedAtMs = at;
    const { id: predictionId, output, error, logs } = prediction;
    await this.#parts.ledger.append({ kind: 'status', at, predictionId, status, output, error, logs });
  }

  #scheduleNext(prediction: Prediction): void {
    const { createdAtMs, startedAtMs, startDelayMs, runDelayMs } = prediction;
    if (prediction.status === 'starting') {
      this.#after(prediction, createdAtMs + startDelayMs, () => this.#start(prediction));
    } else if (prediction.status === 'processing' && !this.#isKept(prediction)) {
      this.#after(prediction, (startedAtMs ?? createdAtMs) + runDelayMs, async () => {
        if (!this.#isKept(prediction)) await this.complete(prediction);
      });
    }
  }

  #watchDeadline(prediction: Prediction): void {
    if (prediction.deadlineMs === null) return;
    clearTimeout(this.#deadlines.get(prediction.id));
    const delay = Math.max(0, prediction.deadlineMs - this.#parts.clock.now());
    const pass = () => {
      if (this.#isKept(prediction)) return;
      const status = prediction.status === 'starting' ? 'aborted' : 'canceled';
      this.#work(prediction, () => this.end(prediction, { status }));
    };
    this.#deadlines.set(prediction.id, setTimeout(pass, delay));
  }

  #isKept(prediction: Prediction): boolean {
    const endless = findFault(prediction.faults, 'never-finishes') !== undefined;
    return endless || prediction.held || this.#parts.settings.hold;
  }

  #after(prediction: Prediction, dueMs: number, work: () => Promise<void>): void {
    clearTimeout(this.#timers.get(prediction.id));
    const delay = Math.max(0, dueMs - this.#parts.clock.now());
    this.#timers.set(
      prediction.id,
      setTimeout(() => this.#work(prediction, work), delay),
    );
  }

  #work(prediction: Prediction, work: () => Promise<void>): void {
    if (this.#closed) return;
    const done = work()
      .catch((error) => this.#parts.log(`prediction ${prediction.id}: ${error}`))
      .finally(() => this.#working.delete(done));
    this.#working.add(done);
  }
}

export function createLifecycle(parts: LifecycleParts): Lifecycle {
  return new TimedLifecycle(parts);
}

function forcedOutcome(prediction: Prediction): Outcome | undefined {
  const failed = findFault(prediction.faults, 'failed');
  if (failed) {
    const error = textOption(failed, 'error', 'Prediction interrupted; please retry (code: PA)');
    return { status: 'failed', error };
  }
  if (findFault(prediction.faults, 'canceled-unasked')) return { status: 'canceled' };
  return undefined;
}

/** The delays of a new prediction, with a `timing` fault applied. */
export function applyTiming(prediction: Prediction): void {
  const timing = findFault(prediction.faults, 'timing');
  if (!timing) return;
  prediction.startDelayMs = numberOption(timing, 'startMs', prediction.startDelayMs);
  prediction.runDelayMs = numberOption(timing, 'runMs', prediction.runDelayMs);
}
