import type { LocalPass } from '../../machines/crashes.ts';
import type { DescriptionJobEvent } from '../../machines/description-job.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import { PREDICTION_FORGOTTEN_MS, PREDICTION_OVERDUE_MS } from '../../machines/limits.ts';
import type { DescriptionJobActor } from '../../persistence/actors/description-store.ts';
import { doLocally, type LocalPassOf } from '../actors/local-pass.ts';
import type { Delivery, Origin } from '../actors/messages.ts';
import type {
  DescriptionPorts,
  TextCreateAnswer,
  TextGetAnswer,
  TextView,
} from '../runner/description-ports.ts';
import { type ActivityResult, LOOK_AGAIN } from './activity.ts';
import { deliverWithRetry } from './deliver-with-retry.ts';
import { claimOnce } from './purchase.ts';

/**
 * What the states of a description job ask to be done in the world. One pass does one piece, answers with events and
 * says how long to wait; every pass is safe to repeat after a crash at any point of it. The provider sends no
 * callbacks for texts (its webhook route is for staging attempts), so polling is all there is.
 */
interface DescriptionScope {
  job: DescriptionJobActor;
  origin: Origin;
  signal: AbortSignal;
  /** As for pictures. */
  mayBuy(): boolean;
  ports: DescriptionPorts;
}
/** What an effect may bring. */
type Learned = Exclude<DescriptionJobEvent, { type: 'RUNNER_CRASHED' | 'RELEASE_ASKED' }>;
export type DescriptionActivity = (scope: DescriptionScope) => Promise<ActivityResult>;

/** Every effect by the name in the states' `meta.effect`. */
export const DESCRIPTION_ACTIVITIES: Readonly<Record<string, DescriptionActivity>> = {
  sendDescription,
  findDescription,
  pollDescription,
};

/** Buys once, as `sendPrediction` does: a worker that cannot prove its own claim does not send. */
async function sendDescription(scope: DescriptionScope): Promise<ActivityResult> {
  const { job, ports, signal } = scope;
  const wait = (job.context.nextSendAt ?? 0) - ports.clock.now();
  if (wait > 0) return { waitMs: wait };
  await ports.checkpoint('before-claim', job.id);
  if (!scope.mayBuy()) return LOOK_AGAIN;
  const token = ports.chance.id();
  const mine = await claimOnce(ports, signal, {
    token,
    claim: () => sendEvent(scope, { type: 'SEND_CLAIMED', at: ports.clock.now(), token }),
    lastToken: () => ports.descriptions.lastSendToken(job.id),
  });
  if (!mine) return LOOK_AGAIN;
  await ports.checkpoint('after-claim', job.id);
  await ports.checkpoint('before-post', job.id);
  const { mayBuy } = scope;
  const answer = await ports.texts.create({ jobId: job.id, details: job.details, mayBuy });
  if (answer.kind === 'withheld') {
    await sendWithRetry(scope, { type: 'SEND_WITHDRAWN', at: ports.clock.now() });
    return LOOK_AGAIN;
  }
  await ports.checkpoint('after-post', job.id);
  await ports.checkpoint('before-id-stored', job.id);
  await sendWithRetry(scope, eventOf(answer, { at: ports.clock.now(), jitter: ports.chance.jitter() }));
  await ports.checkpoint('after-id-stored', job.id);
  return LOOK_AGAIN;
}

/** What only this call knows about its purchase. */
const sendWithRetry = (scope: DescriptionScope, event: Learned): Promise<void> =>
  deliverWithRetry(scope.ports, { jobId: scope.job.id }, () => sendEvent(scope, event));

function eventOf(
  answer: Exclude<TextCreateAnswer, { kind: 'withheld' }>,
  { at, jitter }: { at: number; jitter: number },
): Learned {
  switch (answer.kind) {
    case 'created': {
      const { predictionId, providerStatus } = answer.prediction;
      return { type: 'PREDICTION_CREATED', at, predictionId, providerStatus };
    }
    case 'refused':
      return {
        type: 'SEND_REFUSED',
        at,
        errorCode: answer.errorCode,
        retryAfterMs: answer.retryAfterMs,
        jitter,
      };
    case 'unknown':
      return { type: 'SEND_UNKNOWN', at, cause: answer.cause };
  }
}

/** Waits for a purchase whose answer was lost, as `reconcilePrediction` does; there is no callback for texts. */
async function findDescription(scope: DescriptionScope): Promise<ActivityResult> {
  const { job, ports } = scope;
  if (job.context.notListedAt === null) return { waitMs: ports.pollIntervalMs };
  await sendEvent(scope, { type: 'WINDOW_PASSED', at: ports.clock.now() });
  return LOOK_AGAIN;
}

/** Asks what became of the text; one that outlives its deadline is called off, and failed when that is confirmed. */
async function pollDescription(scope: DescriptionScope): Promise<ActivityResult> {
  const { job, ports, signal } = scope;
  const predictionId = job.context.providerPredictionId;
  if (predictionId === null) throw new Error(`description job ${job.id} has no prediction to poll`);
  const answer = await askAbout(scope, predictionId);
  if (signal.aborted) return LOOK_AGAIN;
  if (answer.kind === 'found' && answer.prediction.kind !== 'unfinished')
    return settle(scope, answer.prediction);
  const age = ports.clock.now() - (job.context.sentAt ?? ports.clock.now());
  if (answer.kind === 'found') {
    if (age >= PREDICTION_OVERDUE_MS) return callOff(scope, predictionId);
  } else if (age >= PREDICTION_FORGOTTEN_MS) return fail(scope, 'OUTPUT_UNAVAILABLE', null);
  const throttledMs = answer.kind === 'unavailable' ? (answer.throttledMs ?? 0) : 0;
  return { waitMs: Math.max(ports.pollIntervalMs, throttledMs) };
}

/** A 404 is weighed by the machine, as that of a picture is. */
async function askAbout(scope: DescriptionScope, predictionId: string): Promise<TextGetAnswer> {
  const { job, ports, signal } = scope;
  const answer = await ports.texts.get(predictionId, signal);
  if (signal.aborted) return answer;
  const at = ports.clock.now();
  if (answer.kind === 'gone') await sendEvent(scope, { type: 'PREDICTION_GONE', at });
  else if (answer.kind === 'found' && job.context.goneSince !== null)
    await sendEvent(scope, { type: 'PREDICTION_SEEN', at });
  return answer;
}

async function callOff(scope: DescriptionScope, predictionId: string): Promise<ActivityResult> {
  const { ports, signal } = scope;
  await ports.texts.cancel(predictionId, signal);
  const answer = await ports.texts.get(predictionId, signal);
  if (signal.aborted) return LOOK_AGAIN;
  if (answer.kind !== 'found' || answer.prediction.kind === 'unfinished')
    return { waitMs: ports.pollIntervalMs };
  const { kind, providerStatus } = answer.prediction;
  if (kind === 'canceled') return fail(scope, 'PROVIDER_FAILED', providerStatus);
  return settle(scope, answer.prediction);
}

async function settle(
  scope: DescriptionScope,
  prediction: Exclude<TextView, { kind: 'unfinished' }>,
): Promise<ActivityResult> {
  const { ports } = scope;
  const { providerStatus } = prediction;
  if (prediction.kind === 'canceled') return fail(scope, 'PROVIDER_CANCELED', providerStatus);
  if (prediction.kind === 'failed') return fail(scope, prediction.errorCode, providerStatus);
  return (await doLocally(ports, passOf(scope), () => check(scope, prediction))) ?? LOOK_AGAIN;
}

function passOf({ job, origin, signal }: DescriptionScope): LocalPassOf & { pass: LocalPass } {
  const { id: jobId, version, context } = job;
  return { jobId, version, crashCount: context.crashCount, origin, signal, pass: 'check-text' };
}

async function check(
  scope: DescriptionScope,
  { text, providerStatus }: Extract<TextView, { kind: 'succeeded' }>,
): Promise<ActivityResult> {
  const { job, ports } = scope;
  const verdict = ports.checkText(text, job.details);
  const at = ports.clock.now();
  if (verdict.kind === 'good') {
    await sendEvent(scope, { type: 'PREDICTION_SUCCEEDED', at, providerStatus, text: verdict.text });
    await ports.checkpoint('after-result-recorded', job.id);
    return LOOK_AGAIN;
  }
  ports.reporter.problem('a description was refused', new Error(verdict.why), { jobId: job.id });
  await sendEvent(scope, { type: 'TEXT_REFUSED', at, providerStatus, errorCode: verdict.errorCode });
  return LOOK_AGAIN;
}

async function fail(
  scope: DescriptionScope,
  errorCode: AttemptErrorCode,
  providerStatus: string | null,
): Promise<ActivityResult> {
  await sendEvent(scope, {
    type: 'PREDICTION_FAILED',
    at: scope.ports.clock.now(),
    errorCode,
    providerStatus,
  });
  return LOOK_AGAIN;
}

function sendEvent({ ports, job, origin }: DescriptionScope, event: Learned): Promise<Delivery> {
  return ports.descriptionService.deliver(job.id, event, origin);
}
