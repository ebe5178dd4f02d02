import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import { PREDICTION_FORGOTTEN_MS, PREDICTION_OVERDUE_MS } from '../../machines/limits.ts';
import type { JobActor } from '../../persistence/actors/rows/job-row.ts';
import { stagedObjectKey } from '../actors/staged-object-key.ts';
import type { PredictionView } from '../ports.ts';
import {
  type ActivityResult,
  type ActivityScope,
  askAbout,
  goOn,
  LOOK_AGAIN,
  sendEvent,
} from './activity.ts';

/**
 * Polls a purchase. Polling decides; callbacks only make it faster. A prediction past its deadline is canceled, and
 * fails when the provider reports its end, however long that takes; a picture that is finished meanwhile is kept. A
 * prediction without any answer until the provider must have deleted its output is unavailable.
 */
export async function pollPrediction(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, ports, signal } = scope;
  const predictionId = attempt.context.providerPredictionId;
  if (predictionId === null) throw new Error(`attempt ${attempt.id} has no prediction to poll`);
  const { nextPollAt, goneSince, sentAt } = attempt.context;
  // Just after the purchase or a callback, and while a 404 is in doubt, only the prediction's own answer will do, and at once.
  const isCalled = nextPollAt !== null && ports.clock.now() - nextPollAt < ports.pollIntervalMs;
  const atOnce = isCalled || goneSince !== null || sentAt === null;
  const answer = await (atOnce
    ? askAbout(scope, predictionId)
    : askAbout(scope, predictionId, (id) => ports.polls.poll({ predictionId: id, sentAt, signal })));
  if (signal.aborted) return LOOK_AGAIN;
  if (answer.kind === 'found' && answer.prediction.kind !== 'unfinished')
    return settle(scope, answer.prediction);
  const age = ports.clock.now() - (attempt.context.sentAt ?? ports.clock.now());
  if (answer.kind === 'found') {
    if (age >= PREDICTION_OVERDUE_MS) return callOff(scope, predictionId);
  } else if (age >= PREDICTION_FORGOTTEN_MS) return fail(scope, 'OUTPUT_UNAVAILABLE');
  const throttledMs = answer.kind === 'unavailable' ? (answer.throttledMs ?? 0) : 0;
  return { waitMs: Math.max(ports.pollIntervalMs, throttledMs) };
}

/** Relies only on the GET: the cancel call may fail, or lose the race against completion. */
async function callOff(scope: ActivityScope, predictionId: string): Promise<ActivityResult> {
  const { ports, signal } = scope;
  await ports.provider.cancel(predictionId, signal);
  const answer = await ports.provider.get(predictionId, signal);
  if (signal.aborted) return LOOK_AGAIN;
  if (answer.kind !== 'found' || answer.prediction.kind === 'unfinished')
    return { waitMs: ports.pollIntervalMs };
  // We requested the cancellation, so it counts as the provider's failure to end in time.
  const { kind, providerStatus } = answer.prediction;
  if (kind === 'canceled') return fail(scope, 'PROVIDER_FAILED', providerStatus);
  return settle(scope, answer.prediction);
}

async function settle(
  scope: ActivityScope,
  prediction: Exclude<PredictionView, { kind: 'unfinished' }>,
): Promise<ActivityResult> {
  const { attempt, aggregate, ports } = scope;
  const { providerStatus } = prediction;
  switch (prediction.kind) {
    case 'succeeded': {
      const objectKey = objectKeyOf(attempt.id, aggregate.job);
      const at = ports.clock.now();
      return goOn(await sendEvent(scope, { type: 'PREDICTION_SUCCEEDED', at, providerStatus, objectKey }));
    }
    case 'canceled':
      return fail(scope, 'PROVIDER_CANCELED', providerStatus);
    case 'failed':
      return fail(scope, prediction.errorCode, providerStatus);
  }
}

async function fail(
  scope: ActivityScope,
  errorCode: AttemptErrorCode,
  providerStatus: string | null = null,
): Promise<ActivityResult> {
  const { clock, chance } = scope.ports;
  await sendEvent(scope, {
    type: 'PREDICTION_FAILED',
    at: clock.now(),
    errorCode,
    providerStatus,
    jitter: chance.jitter(),
  });
  return LOOK_AGAIN;
}

/** A text has no object. The key is fixed before the first byte is stored, so that every stored object is known. */
const objectKeyOf = (attemptId: string, { kind, details }: JobActor): string | null =>
  kind === 'stagingJob' ? stagedObjectKey(attemptId, details.outputFormat) : null;
