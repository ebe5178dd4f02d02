import type { DescriptionJobEvent } from '../../machines/description-job.ts';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  PREDICTION_FORGOTTEN_MS,
  PREDICTION_OVERDUE_MS,
  RECONCILE_WINDOW_MS,
} from '../../machines/limits.ts';
import type { DescriptionJobActor } from '../../persistence/description-store.ts';
import { type EffectResult, LOOK_AGAIN } from '../effects/effect.ts';
import { claimOnce } from '../effects/purchase.ts';
import { untilHeard } from '../effects/until-heard.ts';
import type { Delivery, Origin } from '../messages.ts';
import type { DescriptionPorts, TextCreateAnswer, TextView } from './ports.ts';

/**
 * What the states of a description job ask to be done in the world. One pass does one piece, answers with events and
 * says how long to wait; every pass is safe to repeat after a crash at any point of it. The provider sends no
 * callbacks for texts (its webhook route is for staging attempts), so polling is all there is.
 */
export interface DescriptionScope {
  job: DescriptionJobActor;
  origin: Origin;
  signal: AbortSignal;
  ports: DescriptionPorts;
}
export type DescriptionEffect = (scope: DescriptionScope) => Promise<EffectResult>;

/** Every effect by the name in the states' `meta.effect`. */
export const DESCRIPTION_EFFECTS: Readonly<Record<string, DescriptionEffect>> = {
  sendDescription,
  findDescription,
  pollDescription,
};

/** Buys once, as `sendPrediction` does: whoever cannot prove its own claim does not send. */
async function sendDescription(scope: DescriptionScope): Promise<EffectResult> {
  const { job, ports, signal } = scope;
  const wait = (job.context.nextSendAt ?? 0) - ports.clock.now();
  if (wait > 0) return { waitMs: wait };
  await ports.checkpoint('before-claim', job.id);
  const token = ports.chance.id();
  const mine = await claimOnce(ports, signal, {
    token,
    claim: () => tell(scope, { type: 'SEND_CLAIMED', at: ports.clock.now(), token }),
    lastToken: () => ports.descriptions.lastSendToken(job.id),
  });
  if (!mine) return LOOK_AGAIN;
  await ports.checkpoint('after-claim', job.id);
  await ports.checkpoint('before-post', job.id);
  const answer = await ports.texts.create({ jobId: job.id, details: job.details, signal });
  await ports.checkpoint('after-post', job.id);
  await ports.checkpoint('before-id-stored', job.id);
  const event = eventOf(answer, { at: ports.clock.now(), jitter: ports.chance.jitter() });
  await untilHeard(ports, { jobId: job.id }, () => tell(scope, event));
  await ports.checkpoint('after-id-stored', job.id);
  return LOOK_AGAIN;
}

function eventOf(
  answer: TextCreateAnswer,
  { at, jitter }: { at: number; jitter: number },
): DescriptionJobEvent {
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
      return { type: 'SEND_UNKNOWN', at };
  }
}

/**
 * Looks for a purchase whose answer was lost, in the provider's own list; never sends anything. Past the window it
 * is given up, provided the list could be read then; a provider that stays silent is waited for twice as long.
 */
async function findDescription(scope: DescriptionScope): Promise<EffectResult> {
  const { job, ports, signal } = scope;
  const since = job.context.unconfirmedSince ?? ports.clock.now();
  const answer = await ports.texts.find({
    jobId: job.id,
    createdAfter: job.context.sentAt ?? since,
    signal,
  });
  if (signal.aborted) return LOOK_AGAIN;
  const at = ports.clock.now();
  if (answer.kind === 'found') {
    const { predictionId, providerStatus } = answer.prediction;
    await tell(scope, { type: 'PREDICTION_FOUND', at, predictionId, providerStatus });
    return LOOK_AGAIN;
  }
  if (at - since >= RECONCILE_WINDOW_MS * (answer.kind === 'absent' ? 1 : 2)) {
    await tell(scope, { type: 'WINDOW_PASSED', at });
    return LOOK_AGAIN;
  }
  return { waitMs: ports.pollIntervalMs };
}

/** Asks what became of the text; one that outlives its deadline is called off and counted as failed. */
async function pollDescription(scope: DescriptionScope): Promise<EffectResult> {
  const { job, ports, signal } = scope;
  const predictionId = job.context.providerPredictionId;
  if (predictionId === null) throw new Error(`description job ${job.id} has no prediction to poll`);
  const answer = await ports.texts.get(predictionId, signal);
  if (signal.aborted) return LOOK_AGAIN;
  const age = ports.clock.now() - (job.context.sentAt ?? ports.clock.now());
  switch (answer.kind) {
    case 'gone':
      return fail(scope, 'OUTPUT_UNAVAILABLE', null);
    case 'unavailable':
      if (age >= PREDICTION_FORGOTTEN_MS) return fail(scope, 'OUTPUT_UNAVAILABLE', null);
      return { waitMs: Math.max(ports.pollIntervalMs, answer.throttledMs ?? 0) };
    case 'found':
      if (answer.prediction.kind !== 'unfinished') return settle(scope, answer.prediction);
      if (age < PREDICTION_OVERDUE_MS) return { waitMs: ports.pollIntervalMs };
      await ports.texts.cancel(predictionId, signal);
      return fail(scope, 'PROVIDER_FAILED', answer.prediction.providerStatus);
  }
}

async function settle(
  scope: DescriptionScope,
  prediction: Exclude<TextView, { kind: 'unfinished' }>,
): Promise<EffectResult> {
  const { job, ports } = scope;
  const { providerStatus } = prediction;
  if (prediction.kind === 'canceled') return fail(scope, 'PROVIDER_CANCELED', providerStatus);
  if (prediction.kind === 'failed') return fail(scope, prediction.errorCode, providerStatus);
  const verdict = ports.checkText(prediction.text, job.details);
  const at = ports.clock.now();
  if (verdict.kind === 'good') {
    await tell(scope, { type: 'PREDICTION_SUCCEEDED', at, providerStatus, text: verdict.text });
    await ports.checkpoint('after-result-recorded', job.id);
    return LOOK_AGAIN;
  }
  ports.reporter.problem('a description was refused', new Error(verdict.why), { jobId: job.id });
  await tell(scope, { type: 'TEXT_REFUSED', at, providerStatus, errorCode: verdict.errorCode });
  return LOOK_AGAIN;
}

async function fail(
  scope: DescriptionScope,
  errorCode: AttemptErrorCode,
  providerStatus: string | null,
): Promise<EffectResult> {
  await tell(scope, { type: 'PREDICTION_FAILED', at: scope.ports.clock.now(), errorCode, providerStatus });
  return LOOK_AGAIN;
}

function tell({ ports, job, origin }: DescriptionScope, event: DescriptionJobEvent): Promise<Delivery> {
  return ports.desk.deliver(job.id, event, origin);
}
