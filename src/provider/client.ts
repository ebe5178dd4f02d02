import { createHmac } from 'node:crypto';
import { PROVIDER_DEADLINE } from '../../machines/limits.ts';
import type { JobAggregate } from '../../persistence/actor-store.ts';
import type {
  CreateAnswer,
  FindAnswer,
  GetAnswer,
  PredictionView,
  Provider,
  Reporter,
} from '../../supervisors/ports.ts';
import type { ProviderHttp } from './http.ts';
import { NeverSentError, type ProviderAnswer } from './http.ts';
import { type PredictionBody, predictionBody, predictionList } from './prediction-body.ts';
import { viewOf } from './prediction-view.ts';
import { classifyCreateRefusal, throttleWait } from './refusals.ts';

/**
 * The provider's asynchronous predictions API (Replicate) as the runtime's `Provider` port. It owns no state
 * and repeats nothing: what a lost answer means is the attempt machine's business.
 * Source: platform.md "Worker calls to the provider", decisions.md section 2, protocol-facts sections 1 and 2.
 */
export interface ProviderClientOptions {
  http: ProviderHttp;
  webhookBaseUrl: string;
  /** Keys the audit id of a user, so that the provider never learns ours. */
  userHashSecret: string;
  /** A URL from which the provider may read the input for two hours, naming the attempt in its query. */
  presignInput(objectKey: string, attemptId: string): Promise<string>;
  reporter: Reporter;
  observe?(operation: ProviderOperation, outcome: string, seconds: number): void;
}
export type ProviderOperation = 'create' | 'get' | 'cancel' | 'list';

const CREATE_TIMEOUT_MS = 60_000;
const READ_TIMEOUT_MS = 15_000;
/** The provider keeps its newest predictions first; an attempt younger than the window is within these. */
const MAX_LIST_PAGES = 20;
/** Clocks differ: look a little further back than our own send time. */
const CLOCK_SKEW_MS = 2 * 60_000;

export function createProviderClient(options: ProviderClientOptions): Provider {
  const { http, reporter } = options;
  const timed = async (operation: ProviderOperation, call: Parameters<ProviderHttp['call']>[0]) => {
    const startedAt = performance.now();
    let outcome = 'no-answer';
    try {
      const answer = await http.call(call);
      outcome = String(answer.status);
      return answer;
    } finally {
      options.observe?.(operation, outcome, (performance.now() - startedAt) / 1000);
    }
  };

  return {
    async create({ attemptId, aggregate, signal }): Promise<CreateAnswer> {
      const { details } = aggregate.job;
      const input = await createInput(options, attemptId, aggregate).catch((error) => {
        reporter.problem('the input of a purchase could not be made', error, { attemptId });
        return null;
      });
      if (input === null) return { kind: 'refused', errorCode: 'PROVIDER_INVALID_INPUT', retryAfterMs: null };
      const body = {
        input,
        webhook: callbackUrl(options.webhookBaseUrl, attemptId),
        webhook_events_filter: ['completed'],
      };
      const [owner, name] = details.providerModel.split('/').map((part) => encodeURIComponent(part));
      try {
        const answer = await timed('create', {
          method: 'POST',
          path: `/v1/models/${owner}/${name}/predictions`,
          body,
          headers: { 'cancel-after': PROVIDER_DEADLINE },
          timeoutMs: CREATE_TIMEOUT_MS,
          signal,
        });
        return createAnswer(answer, reporter, attemptId);
      } catch (error) {
        if (error instanceof NeverSentError)
          return { kind: 'refused', errorCode: 'PROVIDER_UNREACHABLE', retryAfterMs: null };
        reporter.problem('the answer to a purchase was lost', error, { attemptId });
        return { kind: 'unknown' };
      }
    },

    async get(predictionId, signal): Promise<GetAnswer> {
      const path = `/v1/predictions/${encodeURIComponent(predictionId)}`;
      try {
        return getAnswer(
          await timed('get', { method: 'GET', path, timeoutMs: READ_TIMEOUT_MS, signal }),
          reporter,
          predictionId,
        );
      } catch (error) {
        if (!signal.aborted) reporter.problem('a prediction could not be asked for', error, { predictionId });
        return { kind: 'unavailable', throttledMs: null };
      }
    },

    async cancel(predictionId, signal): Promise<void> {
      const path = `/v1/predictions/${encodeURIComponent(predictionId)}/cancel`;
      try {
        await timed('cancel', { method: 'POST', path, timeoutMs: READ_TIMEOUT_MS, signal });
      } catch (error) {
        // Whatever it would have said, only the GET that follows is believed.
        if (!signal.aborted) reporter.problem('a cancel call got no answer', error, { predictionId });
      }
    },

    async find({ attemptId, createdAfter, signal }): Promise<FindAnswer> {
      const since = new Date(createdAfter - CLOCK_SKEW_MS).toISOString();
      let path: string | null = `/v1/predictions?created_after=${encodeURIComponent(since)}`;
      for (let page = 0; path !== null && page < MAX_LIST_PAGES; page += 1) {
        const listed = await listPage(path, reporter, (call) => timed('list', { ...call, signal }));
        if (listed === null) return { kind: 'unavailable' };
        const match = listed.predictions.find((body) => belongsTo(body, attemptId));
        if (match) return { kind: 'found', prediction: viewOf(match) };
        path = listed.next;
      }
      return { kind: 'absent' };
    },
  };
}

/** The callback URL carries the attempt's id, so a callback alone can tell which purchase it speaks of. */
export function callbackUrl(webhookBaseUrl: string, attemptId: string): string {
  return `${webhookBaseUrl}/api/webhooks/provider/staging/${attemptId}`;
}

async function createInput(options: ProviderClientOptions, attemptId: string, { job }: JobAggregate) {
  const { details } = job;
  if (details.providerInputKey === null) throw new Error(`job ${job.id} has no provider input`);
  return {
    prompt: details.prompt,
    input_images: [await options.presignInput(details.providerInputKey, attemptId)],
    quality: details.quality,
    aspect_ratio: details.aspectRatio,
    output_format: details.outputFormat,
    output_compression: details.outputCompression,
    number_of_images: 1,
    moderation: 'auto',
    user_id: createHmac('sha256', Buffer.from(options.userHashSecret, 'hex'))
      .update(details.requestedByUserId ?? 'nobody')
      .digest('hex'),
  };
}

function createAnswer(answer: ProviderAnswer, reporter: Reporter, attemptId: string): CreateAnswer {
  if (answer.status < 200 || answer.status >= 300) return classifyCreateRefusal(answer);
  const prediction = parsePrediction(answer.body);
  if (prediction) return { kind: 'created', prediction };
  reporter.problem('the answer to a purchase is not a prediction', new Error(`status ${answer.status}`), {
    attemptId,
  });
  return { kind: 'unknown' };
}

function getAnswer(answer: ProviderAnswer, reporter: Reporter, predictionId: string): GetAnswer {
  if (answer.status === 404) return { kind: 'gone' };
  if (answer.status === 200) {
    const prediction = parsePrediction(answer.body);
    if (prediction) return { kind: 'found', prediction };
  }
  reporter.problem('the provider answered a poll with something else', new Error(`status ${answer.status}`), {
    predictionId,
  });
  return { kind: 'unavailable', throttledMs: answer.status === 429 ? throttleWait(answer) : null };
}

/** Unknown status values are refused by the schema and count as "not terminal yet". */
function parsePrediction(body: unknown): PredictionView | null {
  const parsed = predictionBody.safeParse(body);
  return parsed.success ? viewOf(parsed.data) : null;
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

/** By the echoed callback, or by the input URL, which names the attempt in its query. */
function belongsTo({ webhook, input }: PredictionBody, attemptId: string): boolean {
  if (webhook?.endsWith(`/${attemptId}`)) return true;
  const images = input?.input_images;
  return Array.isArray(images) && images.some((url) => typeof url === 'string' && url.includes(attemptId));
}
