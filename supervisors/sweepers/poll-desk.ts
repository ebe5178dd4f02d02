import { CREATE_TIMEOUT_MS, PREDICTION_OVERDUE_MS } from '../../machines/limits.ts';
import type {
  Clock,
  GetAnswer,
  Polls,
  PredictionPages,
  PredictionView,
  Provider,
  Reporter,
  Timers,
} from '../ports.ts';
import { inScanTurn, type TakeTurn } from './prediction-scanner.ts';

export interface PollDeskPorts {
  /** Waits for its place among the calls to the provider. */
  get: Provider['get'];
  list: PredictionPages;
  takeTurn: TakeTurn;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  /** With fewer polls waiting, each is asked for by itself. */
  listFrom: number;
  /** What a page has shown answers polls that come within this time. Milliseconds. */
  pollIntervalMs: number;
}

interface Poll {
  predictionId: string;
  sentAt: number;
  signal: AbortSignal;
  answer(by: GetAnswer | Promise<GetAnswer>): void;
}

interface TimeRange {
  createdAfter: number;
  createdBefore: number;
}

/** Calls in flight, so that those that come later need not wait behind more of them. */
const GETS_AT_ONCE = 5;
/** A call without an answer for so long gives its place up. So no more are open than GETS_AT_ONCE in each such time. */
const SLOW_GET_MS = 2_000;
/** A scan ends when its last so many pages have answered fewer polls than calls would have. */
const FRUITLESS_PAGES = 20;
/** After a scan, the others of the installation have their chance. */
const REST_MS = 10_000;
/** After a turn that was not free. */
const TURN_RETRY_MS = 2_000;
const MAX_REMEMBERED = 100_000;

/**
 * Answers the polls of this process. A few are asked for one by one. When many wait, as after a restart, the provider's
 * list is read instead, a hundred predictions a page. It is one scan of the list like the scanner's: one worker of the
 * installation at a time, in its turn.
 *
 * Always true: the list says only that a prediction is not over, or that it has succeeded, which is final. Every other
 * end is asked for by itself, because its reason decides whether another purchase follows. A prediction that a page
 * does not show is asked for by itself, too.
 */
export class PollDesk implements Polls {
  readonly #ports: PollDeskPorts;
  readonly #closing = new AbortController();
  readonly #waiting = new Map<string, Poll>();
  /** Among them, those that the list shows as failed or canceled. */
  readonly #over = new Set<Poll>();
  /** Shown by the list before their poll came, because jobs are still being taken over. */
  readonly #seen = new Map<string, { at: number; prediction: PredictionView }>();
  #asking = 0;
  #isScanning = false;
  #isDue = false;
  #scansFrom = Number.NEGATIVE_INFINITY;
  /** How many pages more may answer nothing. */
  #patience = 0;

  constructor(ports: PollDeskPorts) {
    this.#ports = ports;
  }

  async poll({ predictionId, sentAt, signal }: Parameters<Polls['poll']>[0]): Promise<GetAnswer> {
    const prediction = this.#shown(predictionId);
    if (prediction !== null) {
      this.#reward();
      return { kind: 'found', prediction };
    }
    const { promise, resolve } = Promise.withResolvers<GetAnswer>();
    const poll: Poll = { predictionId, sentAt, signal, answer: resolve };
    const giveUp = () => {
      this.#leave(poll);
      resolve({ kind: 'unavailable', throttledMs: null });
    };
    if (signal.aborted) giveUp();
    else {
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(predictionId, poll);
      this.#serveSoon();
    }
    return promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  close(): void {
    this.#closing.abort();
  }

  #shown(predictionId: string): PredictionView | null {
    const found = this.#seen.get(predictionId);
    this.#seen.delete(predictionId);
    const { clock, pollIntervalMs } = this.#ports;
    return found && clock.now() - found.at < pollIntervalMs ? found.prediction : null;
  }

  #reward(): void {
    this.#ports.reporter.count('polls_listed');
    this.#patience = Math.min(FRUITLESS_PAGES, this.#patience + 1);
  }

  #leave(poll: Poll): void {
    if (this.#waiting.get(poll.predictionId) === poll) this.#waiting.delete(poll.predictionId);
    this.#over.delete(poll);
  }

  /** Many polls come at the same moment after a takeover; they are counted before the first is asked for. */
  #serveSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#ports.timers.sleep(0).then(() => {
      this.#isDue = false;
      this.#serve();
    });
  }

  #serve(): void {
    const at = this.#ports.clock.now();
    const canScan = !this.#isScanning && at >= this.#scansFrom;
    const range = canScan ? rangeOf(this.#waiting, { ...this.#ports, at }) : null;
    if (range !== null) void this.#scanInTurn(range);
    const next = this.#isScanning ? this.#over.values() : this.#waiting.values();
    for (const poll of next) {
      if (this.#asking >= GETS_AT_ONCE) return;
      this.#askFor(poll);
    }
  }

  #askFor(poll: Poll): void {
    this.#leave(poll);
    this.#asking += 1;
    const answer = this.#ports.get(poll.predictionId, poll.signal);
    poll.answer(answer);
    const answered = new AbortController();
    const end = () => answered.abort();
    answer.then(end, end);
    void this.#ports.timers.sleep(SLOW_GET_MS, answered.signal).then(() => {
      this.#asking -= 1;
      this.#serve();
    });
  }

  async #scanInTurn(range: TimeRange): Promise<void> {
    const ports = this.#ports;
    this.#isScanning = true;
    let hadTurn = false;
    try {
      hadTurn = await inScanTurn(ports, this.#closing.signal, (signal) => this.#scan(signal, range));
    } catch (error) {
      ports.reporter.problem('the list could not be read for polls; each is asked for', error);
    }
    this.#isScanning = false;
    this.#scansFrom = ports.clock.now() + (hadTurn ? REST_MS : TURN_RETRY_MS);
    this.#serve();
  }

  async #scan(signal: AbortSignal, range: TimeRange): Promise<void> {
    this.#patience = FRUITLESS_PAGES;
    this.#seen.clear();
    for await (const page of this.#ports.list.pages({ ...range, signal })) {
      this.#showsPage(page);
      if (this.#patience <= 0 || signal.aborted) return;
    }
  }

  #showsPage(page: readonly PredictionView[]): void {
    const at = this.#ports.clock.now();
    this.#patience -= 1;
    for (const prediction of page) {
      const poll = this.#waiting.get(prediction.predictionId);
      if (!tellsEnough(prediction)) {
        if (poll) this.#over.add(poll);
      } else if (poll) {
        this.#reward();
        this.#leave(poll);
        poll.answer({ kind: 'found', prediction });
      } else if (this.#seen.size < MAX_REMEMBERED) {
        this.#seen.set(prediction.predictionId, { at, prediction });
      }
    }
    this.#serve();
  }
}

const tellsEnough = ({ kind }: PredictionView): boolean => kind === 'unfinished' || kind === 'succeeded';

/** When the predictions that wait were made; null when too few wait. One that is overdue would make the list long. */
function rangeOf(
  waiting: ReadonlyMap<string, Poll>,
  { listFrom, at }: { listFrom: number; at: number },
): TimeRange | null {
  if (waiting.size < listFrom) return null;
  const times = [...waiting.values()]
    .map(({ sentAt }) => sentAt)
    .filter((time) => at - time < PREDICTION_OVERDUE_MS);
  if (times.length < listFrom) return null;
  const createdAfter = times.reduce((one, other) => Math.min(one, other));
  const createdBefore = times.reduce((one, other) => Math.max(one, other));
  // It was made while its create was in flight.
  return { createdAfter, createdBefore: Math.min(at, createdBefore + CREATE_TIMEOUT_MS) };
}
