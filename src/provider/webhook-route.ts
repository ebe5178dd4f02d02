import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { CallbackOutcome } from '../../supervisors/actors/callbacks.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { PublicError } from '../errors/errors.ts';
import { type HttpRequest, type HttpResponse, json, type Route } from '../http/message.ts';
import { createRejectionLog, type RejectionLog } from '../limits/rejection-log.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import { type PredictionBody, predictionBody } from '../wire/prediction-body.ts';
import { uuid } from '../wire/text.ts';
import { createTickThrottle, type TickThrottle } from './tick-throttle.ts';
import type { WebhookHead, WebhookVerdict, WebhookVerifier } from './webhook-signature.ts';

/**
 * The provider's callbacks (docs/contract.md#callbacks). The order is fixed:
 * headers and their time, before anything of the body; its size; the signature over the raw bytes; JSON and schema; and
 * only then the database, where the receipt and the event for the attempt are one transaction. A crash before its commit
 * leaves nothing and the provider sends again; one after it is answered as a repeat. While the database is away, or the
 * memory for callbacks is full, the answer is 503.
 */
export interface StagingWebhookOptions {
  verifier: WebhookVerifier;
  actorSystem: ActorSystem;
  tracer: Tracing;
  clock: Clock;
  logger: Logger;
  rejections: Pick<Metrics['webhookRejections'], 'inc'>;
}

const BODY_BYTES = 1024 * 1024;
/** The provider sends a few kilobytes from a data center. */
const BODY_MS = 10_000;
/** Ids are in an index whose entries are limited to about 2700 bytes. */
const MAX_WEBHOOK_ID = 255;
/** About a millisecond of hashing and rejecting; then other requests run. */
const CALLBACKS_PER_TICK = 4;

type Ports = StagingWebhookOptions & { rejectionLog: RejectionLog; throttle: TickThrottle };

export function stagingWebhookRoutes(options: StagingWebhookOptions): Route[] {
  const throttle = createTickThrottle(CALLBACKS_PER_TICK);
  const { logger, clock } = options;
  const rejectionLog = createRejectionLog(logger, () => clock.now(), 'provider callback refused');
  const ports: Ports = { ...options, rejectionLog, throttle };
  return [
    {
      methods: ['POST'],
      path: '/api/webhooks/provider/staging/:providerAttemptId',
      headFault: (request) => headFault(ports, request),
      bodyKind: 'callbacks',
      bodyLimit: BODY_BYTES,
      bodyTimeoutMs: BODY_MS,
      // An unsigned request costs one hash and never reaches the database; a request limit could lose real
      // callbacks.
      isUngated: true,
      handler: (request) => receive(ports, request),
    },
  ];
}

async function receive(ports: Ports, request: HttpRequest): Promise<HttpResponse> {
  const body = await request.body();
  await ports.throttle.take();
  const webhookId = verified(ports, request, body);
  const prediction = parsed(ports, webhookId, body);
  const attemptId = uuid.safeParse(request.params.providerAttemptId);
  const outcome = attemptId.success
    ? await traced(ports, { webhookId, attemptId: attemptId.data, prediction })
    : 'UNKNOWN_ATTEMPT';
  const fields = { webhookId, predictionId: prediction.id, providerStatus: prediction.status, outcome };
  ports.logger.info({ ...fields, providerAttemptId: request.params.providerAttemptId }, 'provider callback');
  if (outcome === 'UNKNOWN_ATTEMPT') {
    ports.rejections.inc({ reason: 'unknown-attempt' });
    throw new PublicError('UNKNOWN_ATTEMPT');
  }
  return json(200, { received: true });
}

type Signed = Pick<HttpRequest, 'id' | 'headers'>;

const headOf = ({ headers }: Signed): WebhookHead => ({
  id: headers.get('webhook-id'),
  timestamp: headers.get('webhook-timestamp'),
  signature: headers.get('webhook-signature'),
});

function headFault(ports: Ports, request: Signed): PublicError | null {
  const verdict = ports.verifier.verifyHead(headOf(request));
  return verdict === 'ok' ? null : unsigned(ports, request, verdict);
}

/** The webhook's id; throws a rejection before anything else is read. */
function verified(ports: Ports, request: Signed, body: Buffer): string {
  const head = headOf(request);
  const verdict = ports.verifier.verify({ ...head, body });
  if (verdict === 'ok' && head.id !== undefined) return head.id;
  throw unsigned(ports, request, verdict);
}

function unsigned({ rejections, rejectionLog }: Ports, { id }: Signed, verdict: WebhookVerdict): PublicError {
  rejections.inc({ reason: verdict });
  rejectionLog.note(verdict, { requestId: id, reason: verdict });
  return new PublicError('WEBHOOK_SIGNATURE_INVALID');
}

function parsed(
  { rejections, logger }: StagingWebhookOptions,
  webhookId: string,
  body: Buffer,
): PredictionBody {
  const prediction = predictionBody.safeParse(readJson(body));
  if (prediction.success && webhookId.length <= MAX_WEBHOOK_ID) return prediction.data;
  rejections.inc({ reason: 'bad-body' });
  logger.warn({ webhookId: webhookId.slice(0, MAX_WEBHOOK_ID) }, 'provider callback is not a prediction');
  throw new PublicError('WEBHOOK_BODY_INVALID');
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

interface Callback {
  webhookId: string;
  attemptId: string;
  prediction: PredictionBody;
}

/**
 * Traced in the job's own trace, where people look for the result of a purchase. Only a signed callback can
 * identify the job. Its request already has a separate trace by then, and the two are linked.
 */
function traced(ports: Ports, callback: Callback): Promise<CallbackOutcome> {
  const part = {
    name: 'provider callback',
    attributes: {
      'proscenium.attempt.id': callback.attemptId,
      'proscenium.providerStatus': callback.prediction.status,
    },
  };
  return ports.tracer.forAttempt(callback.attemptId, part, async (span) => {
    const outcome = await record(ports, callback);
    span.note({ 'proscenium.outcome': outcome });
    return outcome;
  });
}

async function record(
  { actorSystem, clock }: StagingWebhookOptions,
  { webhookId, attemptId, prediction }: Callback,
): Promise<CallbackOutcome> {
  try {
    return await actorSystem.takeCallback({
      webhookId,
      providerAttemptId: attemptId,
      providerPredictionId: prediction.id,
      providerStatus: prediction.status,
      at: clock.now(),
    });
  } catch (error) {
    // Whatever the cause, a callback that could not be recorded now is worth a retry by the provider.
    if (databaseFailure(error) === 'other') throw error;
    throw new PublicError('SERVICE_UNAVAILABLE', { cause: error });
  }
}
