import type { EventOf } from '../../persistence/actors/actor-kinds.ts';
import type { ActorStore, ActorTransaction } from '../../persistence/actors/actor-store.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { WebhookReceipt } from '../../persistence/actors/webhook-receipts.ts';
import type { Chance, JobQueues, Nudges, Reporter, Timers } from '../ports.ts';
import { advanceAttempt, advanceJob, type JobScope } from './advance-job.ts';
import { openReport } from './advance-report.ts';
import { advance, createDeletion } from './advance-single.ts';
import { openTour } from './advance-tour.ts';
import { AfterCommit } from './after-commit.ts';
import { BY_PROVIDER, type CallbackOutcome, messageOf, takeUnderLocks } from './callbacks.ts';
import { moveAsSeen } from './hot-path.ts';
import type { Delivery, Message, Origin, PurchaseMessage, SeenDelivery, SingleMessage } from './messages.ts';
import { isConflict, withRetries } from './retry-policy.ts';

/**
 * The one way to change an actor. `deliver` runs one transaction: lock the root row, rebuild the state, let the machine
 * decide, write state, journal and all effects, commit; then send reports and nudges. Always true: an event that
 * changes nothing writes nothing; an answer comes after the commit. A crash before the commit leaves no trace, a crash
 * after it loses hints only. Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export interface DeliverPorts {
  store: ActorStore;
  queues: JobQueues;
  nudges: Nudges;
  reporter: Reporter;
  timers: Timers;
  chance: Chance;
}

export interface ActorSystem {
  /** Delivers one event in a transaction of its own. Retries serialization conflicts, bounded. */
  deliver(message: Message, origin: Origin): Promise<Delivery>;
  /**
   * Like `deliver`, for a caller that has just read the job. What follows from the event is written in one round trip
   * if nothing has changed since. Otherwise it falls back to the locking path.
   */
  deliverAsSeen(seen: JobAggregate, message: PurchaseMessage, origin: Origin): Promise<SeenDelivery>;
  /**
   * Receipts a callback of the provider and delivers it, in one commit and at most once for each webhook id. On the hot
   * path callbacks of the same moment share reads and commits.
   */
  takeCallback(callback: WebhookReceipt): Promise<CallbackOutcome>;
  /** Several deliveries and other writes of the caller in one transaction. */
  transaction<T>(work: (open: OpenTransaction) => Promise<T>): Promise<T>;
}
interface OpenTransaction {
  tx: ActorTransaction;
  deliver(message: Message, origin: Origin): Promise<Delivery>;
}
interface OpenForPurchases extends OpenTransaction {
  deliverToPurchase(jobId: string, message: PurchaseMessage, origin: Origin): Promise<SeenDelivery>;
}

export function createActorSystem(ports: DeliverPorts): ActorSystem {
  const transaction = <T>(work: (open: OpenForPurchases) => Promise<T>): Promise<T> =>
    withRetries(ports, async () => {
      const after = new AfterCommit();
      const result = await ports.store.transaction((tx) => {
        const scopeOf = (origin: Origin) => ({ tx, after, origin, newId: ports.chance.id });
        return work({
          tx,
          deliver: (message, origin) => deliverIn(scopeOf(origin), message),
          deliverToPurchase: (jobId, message, origin) => deliverToPurchase(scopeOf(origin), jobId, message),
        });
      });
      after.run(ports);
      return result;
    });
  const deliver = (message: Message, origin: Origin) => transaction((open) => open.deliver(message, origin));
  /** Null, and nothing written, when the locking path must decide: another writer was first, or more is to be written. */
  const onHotPath = async (
    scope: Omit<Parameters<typeof moveAsSeen>[0], 'store' | 'after' | 'newId'>,
    message: PurchaseMessage,
  ): Promise<SeenDelivery | null> => {
    const after = new AfterCommit();
    const given = { store: ports.store, after, newId: ports.chance.id, ...scope };
    const moved = await moveAsSeen(given, message).catch((error) => {
      if (isConflict(error)) return null;
      throw error;
    });
    if (moved !== null) after.run(ports);
    return moved;
  };
  return {
    transaction,
    deliver,
    deliverAsSeen: async (seen, message, origin) =>
      (await onHotPath({ seen, origin, receipt: null }, message)) ??
      transaction((open) => open.deliverToPurchase(seen.job.id, message, origin)),
    async takeCallback(receipt) {
      const { providerAttemptId: id, providerPredictionId: predictionId } = receipt;
      const seen = await ports.store.readJobOfAttempt(id);
      // An id that the attempt does not know yet may be another's.
      const isKnown =
        seen?.attempts.find((one) => one.id === id)?.context.providerPredictionId === predictionId;
      const scope = seen && isKnown ? { seen, origin: BY_PROVIDER, receipt } : null;
      if (scope !== null && (await onHotPath(scope, messageOf(receipt))) !== null) return 'APPLIED';
      const outcome = await transaction((open) => takeUnderLocks(open, receipt));
      if (outcome === 'CONFLICT')
        ports.reporter.alert(
          { kind: 'providerAttempt', id },
          { alert: 'prediction_conflict', fields: { predictionId } },
        );
      return outcome;
    },
  };
}

interface TransactionScope extends Omit<JobScope, 'aggregate' | 'tx'> {
  tx: ActorTransaction;
}

async function deliverIn(scope: TransactionScope, message: Message): Promise<Delivery> {
  const { tx } = scope;
  if (message.to === 'newTour') return openTour(scope, message);
  if (message.to === 'newMismatchReport') return openReport(scope, message);
  if (message.to === 'newDeletion') return createDeletion(scope, message);
  if (message.to === 'stagingJob' || message.to === 'descriptionJob' || message.to === 'providerAttempt') {
    const jobId = message.to === 'providerAttempt' ? await tx.jobIdOfAttempt(message.id) : message.id;
    if (jobId === null) return { outcome: 'missing' };
    const { now: _, ...delivery } = await deliverToPurchase(scope, jobId, message);
    return delivery;
  }
  const { to, id } = message;
  // Before the actor is locked: a listing is locked before its tours, an original before its variants.
  const event = await complete(tx, message);
  const actor = await tx.lock(to, id);
  if (actor === null) return { outcome: 'missing' };
  return movedOn(scope, actor, event) ?? advance(scope, actor, event);
}

async function deliverToPurchase(
  scope: TransactionScope,
  jobId: string,
  message: PurchaseMessage,
): Promise<SeenDelivery> {
  const aggregate = await scope.tx.lockJob(jobId);
  if (aggregate === null) return { outcome: 'missing' };
  const job: JobScope = { ...scope, aggregate };
  const delivery = await advanceLocked(job, message);
  return delivery.outcome === 'applied' ? { ...delivery, now: job.aggregate } : delivery;
}

async function advanceLocked(scope: JobScope, message: PurchaseMessage): Promise<Delivery> {
  const { job } = scope.aggregate;
  if (message.to === 'providerAttempt') return advanceAttempt(scope, message.id, message.event);
  if (job.kind !== message.to) return { outcome: 'missing' };
  return movedOn(scope, job, message.event) ?? advanceJob(scope, message.event);
}

/** The event with the values that only the deciding transaction can read. */
async function complete(
  tx: ActorTransaction,
  { id, event }: SingleMessage,
): Promise<{ type: string; at: number }> {
  switch (event.type) {
    case 'DECISION_UNDONE': {
      const listing = await tx.lockListing({ of: 'tour', id });
      return { ...event, onMarket: listing?.onMarket ?? false } as EventOf<'tour'>;
    }
    case 'APPROVE': {
      const roomDiffers = await tx.showsOtherRoom(id);
      const approvedWithdrawn = await tx.approvedWithdrawn(id, event.byUserId);
      const photoAltered = await tx.photoIsAltered(id);
      const known = {
        ...event,
        roomDiffers,
        ...(approvedWithdrawn ? { approvedWithdrawn } : null),
        ...(photoAltered ? { photoAltered } : null),
      };
      if (event.inBulk !== true) return known as EventOf<'imageReview'>;
      return { ...known, geometryMoved: await tx.hasMovedGeometry(id) } as EventOf<'imageReview'>;
    }
    case 'LIFT': {
      const superseded = await tx.isSubmittedAgain(id);
      const photoAltered = await tx.photoIsAltered(id);
      const roomDiffers = await tx.showsOtherRoom(id);
      const known = { ...event, superseded, roomDiffers, ...(photoAltered ? { photoAltered } : null) };
      return known as EventOf<'imageReview'>;
    }
    default:
      return event;
  }
}

/** The answer when the sender decided on an older version than the locked actor's; null when it is the same. */
function movedOn(
  { after, origin }: { after: AfterCommit; origin: Origin },
  { kind, state, version }: { kind: string; state: string; version: number },
  { type }: { type: string },
): Delivery | null {
  if (origin.seenVersion === undefined || origin.seenVersion === version) return null;
  after.transition(kind, type, 'stale');
  return { outcome: 'stale', state, version };
}
