import type { ActorState } from '../../machines/step.ts';
import type { AnyActor } from '../../persistence/actors/actor-kinds.ts';
import type {
  ActorStore,
  ActorWrite,
  JobWrites,
  JournalEntry,
  SeenChange,
} from '../../persistence/actors/actor-store.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { WebhookReceipt } from '../../persistence/actors/webhook-receipts.ts';
import { advanceAttempt, advanceJob, isOfHolder, type JobScope } from './advance-job.ts';
import type { PurchaseMessage, SeenDelivery } from './messages.ts';

/**
 * One event of a job in one round trip: decided on the snapshot that the caller has just read, by the same code as
 * under the lock, and written only if job, lease and attempt are unchanged. What was read besides is checked by the
 * statement that writes. Everything else, and every conflict, takes the locking path. Source:
 * ARCHITECTURE.md#the-life-of-an-event.
 */
export async function moveAsSeen(
  scope: Omit<JobScope, 'tx' | 'aggregate'> & {
    store: ActorStore;
    seen: JobAggregate;
    receipt: WebhookReceipt | null;
  },
  message: PurchaseMessage,
): Promise<SeenDelivery | null> {
  const { store, seen, origin, receipt } = scope;
  if (!maySee(message, seen)) return null;
  // A fact of a holder whose lease has ended is taken under the lock, which nudges the next holder.
  if (origin.lease && !isOfHolder({ origin }, seen.job)) return null;
  const plan = new Plan();
  // Advancing replaces job and attempts; the sender's view stays as it is.
  const job: JobScope = { ...scope, tx: plan, aggregate: { ...seen } };
  const told = await advance(job, message);
  if (told?.outcome !== 'applied') return null;
  const underLease = origin.lease ?? null;
  return (await write(store, { seen, underLease, receipt, plan })) ? { ...told, now: job.aggregate } : null;
}

/** Jobs being canceled are left to the locking path, and marks and quarantines, which change without a version. */
const maySee = (message: PurchaseMessage, { job }: JobAggregate): boolean =>
  message.to === 'providerAttempt'
    ? job.state === 'PROCESSING.ATTEMPT'
    : job.kind === message.to && 'startsPerMinute' in message.event;

function advance(job: JobScope, message: PurchaseMessage) {
  const advanced =
    message.to === 'providerAttempt'
      ? advanceAttempt(job, message.id, message.event)
      : advanceJob(job, message.event);
  return advanced.catch((error: unknown) => {
    if (error instanceof NeedsLocks) return null;
    throw error;
  });
}

async function write(
  store: ActorStore,
  {
    seen,
    underLease,
    receipt,
    plan,
  }: Pick<SeenChange, 'seen' | 'underLease'> & { receipt: WebhookReceipt | null; plan: Plan },
): Promise<boolean> {
  const { writes, buys, startsPerMinute, noVariantOf } = plan;
  const [only] = writes;
  if (writes.length === 1 && only?.write === 'save' && only.actor.kind === 'providerAttempt') {
    const { actor: attempt, next, entry } = only;
    return store.moveAttemptAsSeen({
      seen,
      attempt,
      next: next as never,
      entry,
      underLease,
      buys,
      receipt,
    });
  }
  if (buys || receipt !== null) return false;
  return store.writeAsSeen({ seen, underLease, writes, startsPerMinute, noVariantOf });
}

/** The event writes more than one statement can. */
class NeedsLocks extends Error {}
const needsLocks = () => Promise.reject(new NeedsLocks());

/** Keeps the writes of an event, and what the statement that makes them has to check. */
class Plan implements JobWrites {
  readonly writes: ActorWrite[] = [];
  buys = false;
  startsPerMinute: SeenChange['startsPerMinute'] = null;
  noVariantOf: SeenChange['noVariantOf'] = null;

  async save<A extends AnyActor>(actor: A, next: ActorState<A['context']>, entry: JournalEntry): Promise<A> {
    if (this.writes.some((one) => one.actor.id === actor.id)) throw new NeedsLocks();
    this.writes.push({ write: 'save', actor, next, entry });
    return { ...actor, ...next, version: actor.version + 1 };
  }
  async create(birth: Parameters<JobWrites['create']>[0]): Promise<void> {
    this.writes.push({ write: 'create', ...birth });
  }
  async createStagedImage(...[birth, made]: Parameters<JobWrites['createStagedImage']>): Promise<void> {
    this.writes.push({ write: 'createStagedImage', made, ...birth });
  }
  async takeStartPlace(perMinute: number): Promise<{ at: number }> {
    this.startsPerMinute = perMinute;
    // The statement knows the instant, and writes it.
    return { at: Number.NaN };
  }
  async isOnTrustedServer(): Promise<true> {
    this.buys = true;
    return true;
  }
  async variantExists(originalImageId: string, style: NonNullable<SeenChange['noVariantOf']>['style']) {
    this.noVariantOf = { originalImageId, style };
    return false;
  }
  storeText = needsLocks;
  liftQuarantine = needsLocks;
  refusedOutput = needsLocks;
}
