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

/**
 * Answers the polls of this process. A few are asked for one by one. When many wait, as after a restart, the provider's
 * list is read instead, a hundred predictions a page. It is one scan of the list like the scanner's: one worker of the
 * installation at a time, in its turn.
 *
 * Always true: the list says only that a prediction is not over, or that it has succeeded, which is final. Every other
 * end is asked for by itself, because its reason decides whether another purchase follows. A prediction that a page
 * does not show is asked for by itself, too.
 */
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

export function createPollDesk(ports: PollDeskPorts): Polls & { close(): void } {
  const { clock, timers, reporter } = ports;
  const closing = new AbortController();
  const waiting = new Map<string, Poll>();
  /** Among them, those that the list shows as failed or canceled. */
  const over = new Set<Poll>();
  /** Shown by the list before their poll came, because jobs are still being taken over. */
  const seen = new Map<string, { at: number; prediction: PredictionView }>();
  let asking = 0;
  let isScanning = false;
  let isDue = false;
  let scansFrom = Number.NEGATIVE_INFINITY;
  /** How many pages more may answer nothing. */
  let patience = 0;

  const leave = (poll: Poll): void => {
    if (waiting.get(poll.predictionId) === poll) waiting.delete(poll.predictionId);
    over.delete(poll);
  };
  const reward = () => {
    reporter.count('polls_listed');
    patience = Math.min(FRUITLESS_PAGES, patience + 1);
  };
  const askFor = (poll: Poll): void => {
    leave(poll);
    asking += 1;
    const answer = ports.get(poll.predictionId, poll.signal);
    poll.answer(answer);
    const answered = new AbortController();
    const end = () => answered.abort();
    answer.then(end, end);
    void timers.sleep(SLOW_GET_MS, answered.signal).then(() => {
      asking -= 1;
      serve();
    });
  };
  const showsPage = (page: readonly PredictionView[]): void => {
    const at = clock.now();
    patience -= 1;
    for (const prediction of page) {
      const poll = waiting.get(prediction.predictionId);
      if (!tellsEnough(prediction)) {
        if (poll) over.add(poll);
      } else if (poll) {
        reward();
        leave(poll);
        poll.answer({ kind: 'found', prediction });
      } else if (seen.size < MAX_REMEMBERED) seen.set(prediction.predictionId, { at, prediction });
    }
    serve();
  };
  const scan = async (signal: AbortSignal, range: { createdAfter: number; createdBefore: number }) => {
    patience = FRUITLESS_PAGES;
    seen.clear();
    for await (const page of ports.list.pages({ ...range, signal })) {
      showsPage(page);
      if (patience <= 0 || signal.aborted) return;
    }
  };
  const scanInTurn = async (range: { createdAfter: number; createdBefore: number }): Promise<void> => {
    isScanning = true;
    let hadTurn = false;
    try {
      hadTurn = await inScanTurn(ports, closing.signal, (signal) => scan(signal, range));
    } catch (error) {
      reporter.problem('the list could not be read for polls; each is asked for', error);
    }
    isScanning = false;
    scansFrom = clock.now() + (hadTurn ? REST_MS : TURN_RETRY_MS);
    serve();
  };
  const serve = (): void => {
    const range =
      isScanning || clock.now() < scansFrom ? null : rangeOf(waiting, { ...ports, at: clock.now() });
    if (range !== null) void scanInTurn(range);
    const next = isScanning ? over.values() : waiting.values();
    for (const poll of next) {
      if (asking >= GETS_AT_ONCE) return;
      askFor(poll);
    }
  };
  /** Many polls come at the same moment after a takeover; they are counted before the first is asked for. */
  const serveSoon = (): void => {
    if (isDue) return;
    isDue = true;
    void timers.sleep(0).then(() => {
      isDue = false;
      serve();
    });
  };
  const shown = (predictionId: string): PredictionView | null => {
    const found = seen.get(predictionId);
    seen.delete(predictionId);
    return found && clock.now() - found.at < ports.pollIntervalMs ? found.prediction : null;
  };

  return {
    async poll({ predictionId, sentAt, signal }) {
      const prediction = shown(predictionId);
      if (prediction !== null) {
        reward();
        return { kind: 'found', prediction };
      }
      const { promise, resolve } = Promise.withResolvers<GetAnswer>();
      const poll: Poll = { predictionId, sentAt, signal, answer: resolve };
      const giveUp = () => {
        leave(poll);
        resolve({ kind: 'unavailable', throttledMs: null });
      };
      if (signal.aborted) giveUp();
      else {
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.set(predictionId, poll);
        serveSoon();
      }
      return promise.finally(() => signal.removeEventListener('abort', giveUp));
    },
    close: () => closing.abort(),
  };
}

const tellsEnough = ({ kind }: PredictionView): boolean => kind === 'unfinished' || kind === 'succeeded';

/** When the predictions that wait were made; null when too few wait. One that is overdue would make the list long. */
function rangeOf(
  waiting: ReadonlyMap<string, Poll>,
  { listFrom, at }: { listFrom: number; at: number },
): { createdAfter: number; createdBefore: number } | null {
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
