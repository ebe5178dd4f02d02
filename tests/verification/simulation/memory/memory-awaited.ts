import { PURCHASE_KINDS } from '../../../../machines/purchase-kinds.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import type { AwaitedPurchase } from '../../../../persistence/jobs/awaited-purchases.ts';
import type { Tables } from './tables.ts';

/** As `persistence/jobs/awaited-purchases.ts` asks PostgreSQL. */
function isAwaited({ state, context }: ProviderAttemptActor): boolean {
  if (context.notListedAt !== null) return false;
  if (state === 'UNCONFIRMED') return true;
  return ['RUNNING', 'COLLECTING', 'CANCELING'].includes(state) && context.goneSince !== null;
}

export function awaitedIn({ providerAttempt, stagingJob }: Tables): AwaitedPurchase[] {
  return providerAttempt
    .inOrder()
    .filter(isAwaited)
    .map(({ id, jobId, state, context }) => {
      const { sentAt, unconfirmedSince, goneSince, providerPredictionId: predictionId } = context;
      return {
        type: PURCHASE_KINDS[stagingJob.get(jobId)?.kind ?? 'stagingJob'].type,
        id,
        jobId,
        state,
        unconfirmedSince,
        goneSince,
        predictionId,
        sentAt: sentAt ?? unconfirmedSince ?? goneSince ?? 0,
      };
    });
}
