import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { step } from '../../machines/step.ts';
import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { WebhookReceipt } from '../../persistence/actors/webhook-receipts.ts';
import type { AfterCommit } from './after-commit.ts';
import { signatureOf } from './journal-signature.ts';
import { needsLease, precedesPurchase } from './leased-events.ts';
import type { MessageToAttempt, Origin, SeenDelivery } from './messages.ts';

/**
 * One transition of a purchase in one round trip: decided on the snapshot that the caller has just read, and written
 * only if job, lease and attempt are unchanged. Only for transitions without effects other than a report. Everything
 * else, and every conflict, takes the locking path. Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export async function moveAsSeen(
  scope: {
    store: ActorStore;
    after: AfterCommit;
    origin: Origin;
    seen: JobAggregate;
    receipt: WebhookReceipt | null;
  },
  { id, event }: MessageToAttempt,
): Promise<SeenDelivery | null> {
  const { store, after, origin, seen, receipt } = scope;
  const attempt = seen.attempts.find((one) => one.id === id);
  // The locking path handles events that need a lookup, and jobs being canceled.
  if (!attempt || seen.job.state !== 'PROCESSING.ATTEMPT' || event.type === 'OUTPUT_STORED') return null;
  // A fact of a holder whose lease has ended goes the locking path, which takes it without one and nudges the next holder.
  const underLease = origin.lease ?? null;
  if (needsLease(event.type) && underLease === null) return null;
  const decided = step(providerAttemptMachine, attempt, event);
  if (decided.outcome === 'ignored') return null;
  for (const effect of decided.effects) {
    if (effect.type === 'report') after.reportAttempt(attempt, effect.params);
    else if (effect.type === 'alert') after.alert({ kind: 'providerAttempt', id }, effect.params);
    else return null;
  }
  const { next } = decided;
  const entry = {
    kind: 'providerAttempt',
    id,
    seq: attempt.version + 1,
    event,
    from: attempt.state,
    to: next.state,
    ...signatureOf(origin),
  } as const;
  if (
    !(await store.moveAttemptAsSeen({
      seen,
      attempt,
      next,
      entry,
      underLease,
      buys: precedesPurchase(event.type),
      receipt,
    }))
  )
    return null;
  after.transition('providerAttempt', event.type, 'applied');
  if (underLease === null) after.nudge(seen.job.id);
  const moved = { ...attempt, ...next, version: attempt.version + 1 };
  const attempts = seen.attempts.map((one) => (one === attempt ? moved : one));
  return { outcome: 'applied', state: moved.state, version: moved.version, now: { ...seen, attempts } };
}
