import { RECONCILE_WINDOW_MS } from '../../machines/limits.ts';
import { type EffectResult, type EffectScope, LOOK_AGAIN, tell } from './effect.ts';

/**
 * Looks for a purchase whose answer was lost, in the provider's own list; never sends anything. A callback
 * may bring the id first. Past the window the attempt is lost, provided the list could be read then; a
 * provider that stays silent is waited for twice as long.
 */
export async function reconcilePrediction(scope: EffectScope): Promise<EffectResult> {
  const { attempt, ports, signal } = scope;
  const { unconfirmedSince, sentAt } = attempt.context;
  const since = unconfirmedSince ?? ports.clock.now();
  const answer = await ports.provider.find({ attemptId: attempt.id, createdAfter: sentAt ?? since, signal });
  if (signal.aborted) return LOOK_AGAIN;
  const at = ports.clock.now();
  if (answer.kind === 'found') {
    const { predictionId, providerStatus } = answer.prediction;
    await tell(scope, { type: 'PREDICTION_FOUND', at, predictionId, providerStatus });
    return LOOK_AGAIN;
  }
  const waited = at - since;
  if (waited >= RECONCILE_WINDOW_MS * (answer.kind === 'absent' ? 1 : 2)) {
    await tell(scope, { type: 'WINDOW_PASSED', at, jitter: ports.chance.jitter() });
    return LOOK_AGAIN;
  }
  return { waitMs: ports.pollIntervalMs };
}
