import { providerAttemptMachine } from '../../../../machines/provider-attempt.ts';
import { isFinalState } from '../../../../machines/step.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import type { CheckedPurchase, ProviderPurchase } from '../../../../persistence/jobs/purchase-standings.ts';
import { FINAL_JOBS, type StoredJob, type Tables } from './tables.ts';

/** As `persistence/jobs/purchase-standings.ts` asks PostgreSQL. */
export function standingsIn(tables: Tables, purchases: readonly ProviderPurchase[]): CheckedPurchase[] {
  const attempts = tables.providerAttempt.inOrder();
  const open = tables.stagingJob
    .inOrder()
    .filter(({ state }) => !FINAL_JOBS.has(state))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  return purchases.map((purchase) => {
    const { predictionId, attemptId, textJobId } = purchase;
    const known = attempts.some(
      ({ context }) =>
        context.providerPredictionId === predictionId || context.strayPredictionId === predictionId,
    );
    const own = attempts.find(({ id, jobId }) => id === attemptId || jobId === textJobId);
    const recoverable = own !== undefined && isSent(own);
    const fitting = open.filter((job) => fits(job, purchase));
    const repeating = fitting.filter(({ id }) => !attempts.some((one) => one.jobId === id && isBuying(one)));
    const jobIds = known || recoverable ? [] : repeating.map(({ id }) => id).sort();
    return {
      predictionId,
      attemptId: own?.id ?? null,
      openJobs: fitting.map(({ id, kind }) => ({ id, kind })),
      jobIds,
      standing: known
        ? 'known'
        : recoverable
          ? 'recoverable'
          : repeating.length > 0
            ? 'would-repeat'
            : 'forgotten',
    };
  });
}

const isSent = ({ state }: ProviderAttemptActor) => state === 'SENT' || state === 'UNCONFIRMED';

const isBuying = (attempt: ProviderAttemptActor) =>
  !isFinalState(providerAttemptMachine, attempt.state) &&
  (isSent(attempt) || attempt.context.providerPredictionId !== null);

const fits = (job: StoredJob, { originalImageId, prompt, textJobId }: ProviderPurchase): boolean =>
  job.kind === 'stagingJob'
    ? job.details.originalImageId === originalImageId && job.details.prompt === prompt
    : job.id === textJobId;
