import { PREDICTION_FORGOTTEN_MS } from '../../machines/limits.ts';
import { type ActivityResult, type ActivityScope, askAbout, LOOK_AGAIN, sendEvent } from './activity.ts';

/**
 * Asks the provider to cancel and relies only on a later GET: the cancel call may fail because the prediction is over,
 * or succeed and lose the race against completion. A prediction that the provider must have deleted by now counts as
 * canceled; its output, if any, is never fetched.
 */
export async function cancelPrediction(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, ports, signal } = scope;
  const predictionId = attempt.context.providerPredictionId;
  if (predictionId === null) throw new Error(`attempt ${attempt.id} has no prediction to cancel`);
  await ports.provider.cancel(predictionId, signal);
  const answer = await askAbout(scope, predictionId);
  if (signal.aborted) return LOOK_AGAIN;
  const at = ports.clock.now();
  const age = at - (attempt.context.sentAt ?? at);
  if (answer.kind === 'found' && answer.prediction.kind !== 'unfinished') {
    const { kind, providerStatus } = answer.prediction;
    if (kind === 'canceled') await sendEvent(scope, { type: 'PREDICTION_CANCELED', at, providerStatus });
    else if (kind === 'succeeded')
      await sendEvent(scope, { type: 'PREDICTION_SUCCEEDED', at, providerStatus, objectKey: null });
    else await fail(scope, at, providerStatus);
    return LOOK_AGAIN;
  }
  if (age >= PREDICTION_FORGOTTEN_MS) {
    await fail(scope, at, null);
    return LOOK_AGAIN;
  }
  return { waitMs: ports.pollIntervalMs };
}

async function fail(scope: ActivityScope, at: number, providerStatus: string | null): Promise<void> {
  const jitter = scope.ports.chance.jitter();
  await sendEvent(scope, {
    type: 'PREDICTION_FAILED',
    at,
    errorCode: 'PROVIDER_CANCELED',
    providerStatus,
    jitter,
  });
}
