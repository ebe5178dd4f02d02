import { CLAIM_FRESH_MS } from '../../machines/limits.ts';
import type { StagingJobActor } from '../../persistence/actors/rows/job-row.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { SeenDelivery } from '../actors/messages.ts';
import type { CreateAnswer } from '../ports.ts';
import { type ActivityResult, type ActivityScope, goOn, LOOK_AGAIN, sendEvent } from './activity.ts';
import { deliverWithRetry } from './deliver-with-retry.ts';
import { inLocalPass } from './local-pass.ts';

const PROOF_RETRY_MS = 500;

/**
 * Buys once. The claim is committed before the POST and has a token that only this call has. A worker that cannot prove
 * its own claim does not send, and one that may no longer buy withdraws the claim. A started create is never aborted.
 * Its answer must not be lost: its delivery is repeated while the database is away or in conflict. Source:
 * ARCHITECTURE.md#buying-at-most-once.
 */
export async function sendPrediction(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, aggregate, ports } = scope;
  const wait = (attempt.context.nextSendAt ?? 0) - ports.clock.now();
  if (wait > 0) return { waitMs: wait };
  const { job } = aggregate;
  const { lease } = scope.origin;
  if (job.kind === 'stagingJob' && job.details.providerInputKey === null)
    return inLocalPass(scope, 'prepare-input', () => prepareInput(scope, job));
  // Of an original that was deleted since the submission no picture is sent any more; the job is bought without it.
  if (lease && job.kind === 'stagingJob' && job.details.referenceImageKey !== null)
    if (await ports.inputs.dropLostReference({ jobId: job.id, ...lease })) return LOOK_AGAIN;
  await ports.checkpoint('before-claim', attempt.id);
  if (!scope.mayBuy()) return LOOK_AGAIN;
  const claimedAt = ports.clock.now();
  const claimed = await claim(scope, claimedAt);
  if (claimed === null) return LOOK_AGAIN;
  if ('waitMs' in claimed) return claimed;
  if (ports.confirmClaim && !(await ports.confirmClaim())) return withdraw(claimed, claimedAt);
  await ports.checkpoint('after-claim', attempt.id);
  await ports.checkpoint('before-post', attempt.id);
  const mayBuy = () => scope.mayBuy() && ports.clock.now() - claimedAt < CLAIM_FRESH_MS;
  const answer = await ports.provider.create({ attemptId: attempt.id, aggregate, mayBuy });
  if (answer.kind === 'withheld') return withdraw(claimed, claimedAt);
  await ports.checkpoint('after-post', attempt.id);
  return goOn(await record(claimed, claimedAt, answer));
}

/** Jobs of the legacy platform have no copy of their original for the provider yet. */
async function prepareInput(scope: ActivityScope, job: StagingJobActor): Promise<ActivityResult> {
  const { ports } = scope;
  const prepared = await ports.inputs.prepare(job);
  if (prepared === 'later') return { waitMs: ports.pollIntervalMs };
  if (prepared === 'impossible')
    await sendEvent(scope, {
      type: 'SEND_REFUSED',
      at: ports.clock.now(),
      errorCode: 'PROVIDER_INVALID_INPUT',
      retryAfterMs: null,
      jitter: ports.chance.jitter(),
    });
  return LOOK_AGAIN;
}

/**
 * The scope after the claim. Null unless this call saw, or can prove by its token, that its own SEND_CLAIMED was
 * committed. A wait on a database server that may have forgotten purchases.
 */
async function claim(scope: ActivityScope, at: number): Promise<ActivityScope | ActivityResult | null> {
  const { ports, aggregate } = scope;
  const token = ports.chance.id();
  try {
    const claimed = await sendEvent(scope, { type: 'SEND_CLAIMED', at, token });
    if (claimed.outcome === 'limited') return { waitMs: claimed.waitMs };
    return claimed.outcome === 'applied' ? { ...scope, aggregate: claimed.now ?? aggregate } : null;
  } catch (error) {
    if (databaseFailure(error) !== 'unavailable') throw error;
    // The commit may have succeeded although its answer was lost.
    return (await isLastClaim(scope, token)) ? scope : null;
  }
}

async function isLastClaim({ attempt, ports, signal }: ActivityScope, token: string): Promise<boolean> {
  while (!signal.aborted) {
    try {
      return (await ports.store.lastSendToken(attempt.id)) === token;
    } catch (error) {
      if (databaseFailure(error) !== 'unavailable') throw error;
      await ports.timers.sleep(PROOF_RETRY_MS, signal);
    }
  }
  return false;
}

/** Nothing was sent, and only this call can report that; otherwise the attempt would count as bought. */
async function withdraw(scope: ActivityScope, claimedAt: number): Promise<ActivityResult> {
  await sendWithRetry(scope, { type: 'SEND_WITHDRAWN', at: scope.ports.clock.now(), claimedAt });
  return LOOK_AGAIN;
}

async function record(
  scope: ActivityScope,
  claimedAt: number,
  answer: Exclude<CreateAnswer, { kind: 'withheld' }>,
): Promise<SeenDelivery> {
  const { ports, attempt, aggregate } = scope;
  const jitter = ports.chance.jitter();
  const at = ports.clock.now();
  switch (answer.kind) {
    case 'created': {
      const { predictionId, providerStatus } = answer.prediction;
      await ports.checkpoint('before-id-stored', attempt.id);
      const told = await sendWithRetry(scope, {
        type: 'PREDICTION_CREATED',
        at,
        predictionId,
        providerStatus,
      });
      await ports.checkpoint('after-id-stored', attempt.id);
      return told;
    }
    case 'refused':
      if (answer.errorCode === 'PROVIDER_THROTTLED')
        await ports.queues[aggregate.job.kind]
          .pauseStarts(answer.retryAfterMs ?? ports.pollIntervalMs)
          .catch((error) => ports.reporter.problem('the queue could not be slowed down', error));
      return sendWithRetry(scope, {
        type: 'SEND_REFUSED',
        at,
        claimedAt,
        errorCode: answer.errorCode,
        retryAfterMs: answer.retryAfterMs,
        jitter,
      });
    case 'unknown':
      return sendWithRetry(scope, { type: 'SEND_UNKNOWN', at, cause: answer.cause });
  }
}

const sendWithRetry = (scope: ActivityScope, event: Parameters<typeof sendEvent>[1]): Promise<SeenDelivery> =>
  deliverWithRetry(scope.ports, { attemptId: scope.attempt.id }, () => sendEvent(scope, event));
