import { PROVIDER_DEADLINE } from '../../machines/limits.ts';
import type { CreateAnswer, Reporter, Tracer } from '../../supervisors/ports.ts';
import { UNTRACED } from '../../supervisors/untraced.ts';
import type { ProviderHttp } from './http.ts';
import { NeverSentError, type ProviderAnswer } from './http.ts';
import { type PredictionBody, predictionBody, predictionList } from './prediction-body.ts';
import { classifyCreateRefusal, throttleWait } from './refusals.ts';

/**
 * The four calls of the provider's asynchronous predictions API (Replicate), whatever model they are for. Owns no
 * state and repeats nothing: what a lost answer means is the business of the machine whose purchase it is.
 * Source: platform.md "Worker calls to the provider", decisions.md section 2, protocol-facts section 1.
 */
export interface PredictionCallOptions {
  http: ProviderHttp;
  reporter: Reporter;
  observe?(operation: ProviderOperation, outcome: string, seconds: number): void;
  tracer?: Tracer;
}
export type ProviderOperation = 'create' | 'get' | 'cancel' | 'list';

/** Ids for the log line. */
type Subject = Record<string, string>;

export type CreateOutcome =
  | { kind: 'created'; body: PredictionBody }
  | Extract<CreateAnswer, { kind: 'refused' | 'unknown' }>;
export type GetOutcome =
  | { kind: 'found'; body: PredictionBody }
  | { kind: 'gone' }
  | { kind: 'unavailable'; throttledMs: number | null };
export type FindOutcome =
  | { kind: 'found'; body: PredictionBody }
  | { kind: 'absent' }
  | { kind: 'unavailable' };

/** A page of predictions, or that the list could not be read, which ends it. */
export type ListedPage = readonly PredictionBody[] | 'unavailable';
export interface ListRequest {
  createdAfter: number;
  maxPages: number;
  signal: AbortSignal;
}

export interface PredictionCalls {
  /** `model` is `owner/name`. */
  create(request: {
    model: string;
    body: Record<string, unknown>;
    subject: Subject;
    signal: AbortSignal;
  }): Promise<CreateOutcome>;
  get(predictionId: string, signal: AbortSignal): Promise<GetOutcome>;
  cancel(predictionId: string, signal: AbortSignal): Promise<void>;
  find(request: {
    createdAfter: number;
    belongs(body: PredictionBody): boolean;
    signal: AbortSignal;
  }): Promise<FindOutcome>;
  /** The provider's predictions created since, newest first, page by page. */
  newest(request: ListRequest): AsyncGenerator<ListedPage>;
}

const CREATE_TIMEOUT_MS = 60_000;
const READ_TIMEOUT_MS = 15_000;
/** The provider keeps its newest predictions first; an attempt younger than the window is within these. */
const MAX_LIST_PAGES = 20;
/** Clocks differ: look a little further back than our own send time. */
const CLOCK_SKEW_MS = 2 * 60_000;

export function createPredictionCalls(options: PredictionCallOptions): PredictionCalls {
  const { http, reporter, tracer = UNTRACED } = options;
  const timed = (operation: ProviderOperation, call: Parameters<ProviderHttp['call']>[0]) => {
    // Never the address: what follows a list's first page is whatever the provider has answered.
    const attributes = { 'http.request.method': call.method };
    return tracer.span({ name: `provider ${operation}`, kind: 'client', attributes }, async (span) => {
      const startedAt = performance.now();
      let outcome = 'no-answer';
      try {
        const answer = await http.call(call);
        outcome = String(answer.status);
        span.note({ 'http.response.status_code': answer.status });
        return answer;
      } finally {
        options.observe?.(operation, outcome, (performance.now() - startedAt) / 1000);
      }
    });
  };

  async function* newest({ createdAfter, maxPages, signal }: ListRequest): AsyncGenerator<ListedPage> {
    const since = new Date(createdAfter - CLOCK_SKEW_MS).toISOString();
    let path: string | null = `/v1/predictions?created_after=${encodeURIComponent(since)}`;
    for (let page = 0; path !== null && page < maxPages; page += 1) {
      const listed = await listPage(path, reporter, (call) => timed('list', { ...call, signal }));
      yield listed === null ? 'unavailable' : listed.predictions;
      path = listed?.next ?? null;
    }
  }

  return {
    async create({ model, body, subject, signal }) {
      const [owner, name] = model.split('/').map((part) => encodeURIComponent(part));
      try {
        const answer = await timed('create', {
          method: 'POST',
          path: `/v1/models/${owner}/${name}/predictions`,
          body,
          headers: { 'cancel-after': PROVIDER_DEADLINE },
          timeoutMs: CREATE_TIMEOUT_MS,
          signal,
        });
        return createOutcome(answer, reporter, subject);
      } catch (error) {
        if (error instanceof NeverSentError)
          return { kind: 'refused', errorCode: 'PROVIDER_UNREACHABLE', retryAfterMs: null };
        reporter.problem('the answer to a purchase was lost', error, subject);
        return { kind: 'unknown' };
      }
    },

    async get(predictionId, signal) {
      const path = `/v1/predictions/${encodeURIComponent(predictionId)}`;
      try {
        return getOutcome(
          await timed('get', { method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal }),
          reporter,
          predictionId,
        );
      } catch (error) {
        if (!signal.aborted) reporter.problem('a prediction could not be asked for', error, { predictionId });
        return { kind: 'unavailable', throttledMs: null };
      }
    },

    async cancel(predictionId, signal) {
      const path = `/v1/predictions/${encodeURIComponent(predictionId)}/cancel`;
      try {
        await timed('cancel', { method: 'POST', path, timeoutMs: READ_TIMEOUT_MS, signal });
      } catch (error) {
        // Whatever it would have said, only the GET that follows is believed.
        if (!signal.aborted) reporter.problem('a cancel call got no answer', error, { predictionId });
      }
    },

    async find({ createdAfter, belongs, signal }) {
      for await (const listed of newest({ createdAfter, maxPages: MAX_LIST_PAGES, signal })) {
        if (listed === 'unavailable') return { kind: 'unavailable' };
        const match = listed.find(belongs);
        if (match) return { kind: 'found', body: match };
      }
      return { kind: 'absent' };
    },

    newest,
  };
}

function createOutcome(answer: ProviderAnswer, reporter: Reporter, subject: Subject): CreateOutcome {
  if (answer.status < 200 || answer.status >= 300) return classifyCreateRefusal(answer);
  const parsed = predictionBody.safeParse(answer.body);
  if (parsed.success) return { kind: 'created', body: parsed.data };
  reporter.problem(
    'the answer to a purchase is not a prediction',
    new Error(`status ${answer.status}`),
    subject,
  );
  return { kind: 'unknown' };
}

/** Unknown status values are refused by the schema and count as "not terminal yet". */
function getOutcome(answer: ProviderAnswer, reporter: Reporter, predictionId: string): GetOutcome {
  if (answer.status === 404) return { kind: 'gone' };
  if (answer.status === 200) {
    const parsed = predictionBody.safeParse(answer.body);
    if (parsed.success) return { kind: 'found', body: parsed.data };
  }
  reporter.problem('the provider answered a poll with something else', new Error(`status ${answer.status}`), {
    predictionId,
  });
  return { kind: 'unavailable', throttledMs: answer.status === 429 ? throttleWait(answer) : null };
}

async function listPage(
  path: string,
  reporter: Reporter,
  call: (request: { method: 'GET'; path: string; timeoutMs: number }) => Promise<ProviderAnswer>,
): Promise<{ next: string | null; predictions: PredictionBody[] } | null> {
  try {
    const { status, body } = await call({ method: 'GET', path, timeoutMs: READ_TIMEOUT_MS });
    const page = predictionList.safeParse(body);
    if (status !== 200 || !page.success) return null;
    const predictions = page.data.results.flatMap((one) => {
      const parsed = predictionBody.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    return { next: page.data.next ? pathOf(page.data.next) : null, predictions };
  } catch (error) {
    // The caller waits and asks again within its window.
    reporter.problem('the list of predictions could not be read', error);
    return null;
  }
}

/** `next` is an absolute URL; only its path and query are followed, so the token stays with our origin. */
function pathOf(next: string): string {
  const { pathname, search } = new URL(next);
  return `${pathname}${search}`;
}
