import { CREATE_TIMEOUT_MS, PROVIDER_DEADLINE } from '../../machines/limits.ts';
import type { Clock, CreateAnswer, GetAnswer, Reporter, Tracer } from '../../supervisors/ports.ts';
import { UNTRACED } from '../../supervisors/supervision/untraced.ts';
import { systemClock } from '../time.ts';
import { predictionList, type ReadPrediction, readPrediction } from '../wire/prediction-body.ts';
import { classifyCreateError, throttleWait } from './create-errors.ts';
import {
  NeverSentError,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderHttp,
  WithheldError,
} from './http.ts';
import type { Pace } from './pace.ts';
import { viewOf } from './prediction-view.ts';

/**
 * The four calls of the provider's asynchronous predictions API (Replicate), for any model. Owns no state and
 * retries nothing: the machine of the purchase decides what a lost answer means. Source:
 * docs/provider.md#replicates-predictions-api, docs/contract.md#purchases.
 */
export interface PredictionCallOptions {
  http: ProviderHttp;
  reporter: Reporter;
  observe?(operation: ProviderOperation, outcome: string, seconds: number): void;
  tracer?: Tracer;
  /** The one by which callers name instants; the system's when left out. */
  clock?: Clock;
  /** Waited for before each page of the list. */
  pace?: Pace;
}
export type ProviderOperation = 'create' | 'get' | 'cancel' | 'list';

export type PredictionCalls = ReturnType<typeof createPredictionCalls>;

/** When a call ends this long after its timeout, the cause is that the process was suspended, not the network. */
const STOOD_STILL_MS = 5_000;
const READ_TIMEOUT_MS = 15_000;
/** A prediction may contain its output as a `data:` URI: 20 MiB, a third more in base64, and room for the rest. */
const GET_TIMEOUT_MS = 30_000;
const MAX_PREDICTION_BYTES = 28 * 1024 * 1024;
/** Clocks differ: the list is read beyond our own instants. */
const LIST_ROOM_MS = 15 * 60_000;
/** `Date` has whole seconds. */
const DATE_MS = 1_000;

export function createPredictionCalls(options: PredictionCallOptions) {
  const { http, reporter, observe, tracer = UNTRACED, pace, clock = systemClock } = options;
  /** How far the provider's clock was ahead of ours at its last answer; null while it has named none. */
  let aheadMs: number | null = null;
  const timed = (operation: ProviderOperation, call: ProviderCall) => {
    // Never the address: pages after the list's first one have addresses from the provider's answers.
    const attributes = { 'http.request.method': call.method };
    return tracer.span({ name: `provider ${operation}`, kind: 'client', attributes }, async (span) => {
      const startedAt = performance.now();
      let outcome = 'no-answer';
      try {
        const answer = await http.call(call);
        if (answer.at !== undefined) aheadMs = answer.at - clock.now();
        outcome = String(answer.status);
        span.note({ 'http.response.status_code': answer.status });
        return answer;
      } finally {
        observe?.(operation, outcome, (performance.now() - startedAt) / 1000);
      }
    });
  };
  /** A prediction with an unknown status counts as "not terminal yet" (docs/contract.md#purchases). */
  const viewIn = ({ body }: ProviderAnswer) => {
    const read = readPrediction(body);
    if (read?.status === null) {
      const error = new Error(`status ${read.statusText}`);
      reporter.problem('a prediction could not be read whole', error, { predictionId: read.id });
    }
    return read && viewOf(read);
  };
  /** Null when the page could not be read; the caller retries later. */
  const listPage = async (path: string, signal: AbortSignal) => {
    try {
      const call = { method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal } as const;
      const { status, body } = await timed('list', call);
      const page = predictionList.safeParse(body);
      if (status !== 200 || !page.success) throw new Error(`status ${status}`);
      const predictions = page.data.results.map((one) => {
        const prediction = readPrediction(one);
        // It may be the prediction that we search for.
        if (prediction === null) throw new Error('an entry without an id');
        return prediction;
      });
      return { next: page.data.next ? pathOf(page.data.next) : null, predictions };
    } catch (error) {
      reporter.problem('the list of predictions could not be read', error);
      return null;
    }
  };

  return {
    /**
     * `model` is `owner/name`.
     * @param subject ids for the log line
     */
    async create({
      model,
      body,
      subject,
      mayBuy,
    }: {
      model: string;
      body: Record<string, unknown>;
      subject: Record<string, string>;
      mayBuy(): boolean;
    }): Promise<CreateAnswer> {
      const [owner, name] = model.split('/').map((part) => encodeURIComponent(part));
      if (!mayBuy()) return { kind: 'withheld' };
      const startedAt = performance.now();
      try {
        const answer = await timed('create', {
          method: 'POST',
          path: `/v1/models/${owner}/${name}/predictions`,
          body,
          headers: { 'cancel-after': PROVIDER_DEADLINE },
          timeoutMs: CREATE_TIMEOUT_MS,
          mayBegin: mayBuy,
        });
        if (answer.status < 200 || answer.status >= 300) return classifyCreateError(answer);
        const prediction = viewIn(answer);
        if (prediction !== null) return { kind: 'created', prediction };
        const error = new Error(`status ${answer.status}`);
        reporter.problem('the answer to a purchase is not a prediction', error, subject);
        return { kind: 'unknown', cause: 'transport' };
      } catch (error) {
        if (error instanceof WithheldError) return { kind: 'withheld' };
        if (error instanceof NeverSentError)
          return { kind: 'refused', errorCode: 'PROVIDER_UNREACHABLE', retryAfterMs: null };
        reporter.problem('the answer to a purchase was lost', error, subject);
        const stoodStill = performance.now() - startedAt > CREATE_TIMEOUT_MS + STOOD_STILL_MS;
        return { kind: 'unknown', cause: stoodStill ? 'restart' : 'transport' };
      }
    },

    async get(predictionId: string, signal: AbortSignal): Promise<GetAnswer> {
      try {
        const answer = await timed('get', {
          method: 'GET',
          path: `/v1/predictions/${encodeURIComponent(predictionId)}`,
          timeoutMs: GET_TIMEOUT_MS,
          maxBodyBytes: MAX_PREDICTION_BYTES,
          signal,
        });
        if (answer.status === 404) return { kind: 'gone' };
        const prediction = answer.status === 200 ? viewIn(answer) : null;
        if (prediction !== null) return { kind: 'found', prediction };
        const error = new Error(`status ${answer.status}`);
        reporter.problem('the provider answered a poll with something else', error, { predictionId });
        return { kind: 'unavailable', throttledMs: answer.status === 429 ? throttleWait(answer) : null };
      } catch (error) {
        if (!signal.aborted) reporter.problem('a prediction could not be asked for', error, { predictionId });
        return { kind: 'unavailable', throttledMs: null };
      }
    },

    async cancel(predictionId: string, signal: AbortSignal): Promise<void> {
      const path = `/v1/predictions/${encodeURIComponent(predictionId)}/cancel`;
      try {
        await timed('cancel', { method: 'POST', path, timeoutMs: READ_TIMEOUT_MS, signal });
      } catch (error) {
        // Whatever the answer would have been, only the following GET decides.
        if (!signal.aborted) reporter.problem('a cancel call got no answer', error, { predictionId });
      }
    },

    /**
     * The provider's predictions created between the two instants, newest first, one page at a time. When the list
     * cannot be read to its end, the last item is the reason. The later instant is measured by the provider's clock:
     * a list up to now ends one second after the `Date` of its last answer.
     */
    async *newest({
      createdAfter,
      createdBefore,
      maxPages,
      signal,
    }: {
      createdAfter: number;
      createdBefore: number;
      maxPages: number;
      signal: AbortSignal;
    }): AsyncGenerator<readonly ReadPrediction[] | 'unavailable' | 'too-long'> {
      const bounds = new URLSearchParams({
        created_after: new Date(createdAfter - LIST_ROOM_MS).toISOString(),
        created_before: new Date(
          createdBefore + (aheadMs === null ? LIST_ROOM_MS : aheadMs + DATE_MS),
        ).toISOString(),
      });
      let path: string | null = `/v1/predictions?${bounds}`;
      for (let page = 0; path !== null; page += 1) {
        if (page === maxPages) {
          yield 'too-long';
          return;
        }
        await pace?.(signal);
        const listed: Awaited<ReturnType<typeof listPage>> = await listPage(path, signal);
        yield listed === null ? 'unavailable' : listed.predictions;
        path = listed?.next ?? null;
      }
    },
  };
}

/** `next` is an absolute URL; only its path and query are used, so the token is sent to our API origin only. */
function pathOf(next: string): string {
  const { pathname, search } = new URL(next);
  return `${pathname}${search}`;
}
