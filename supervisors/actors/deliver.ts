import type { ActorStore, ActorTransaction, JobAggregate } from '../../persistence/actors/actor-store.ts';
import type { Nudges, Reporter, StagingQueue, Timers } from '../ports.ts';
import { advanceAttempt, advanceJob } from './advance-job.ts';
import { advanceDeletion, advanceImage, advanceSearchDocument, advanceStartGate } from './advance-single.ts';
import { advanceTour, openTour } from './advance-tour.ts';
import { AfterCommit } from './after-commit.ts';
import { moveAsSeen } from './hot-path.ts';
import type { AttemptLetter, Delivery, Message, Origin, SeenDelivery } from './messages.ts';
import { isConflict, withRetries } from './retry-policy.ts';

/**
 * The one way to change an actor. `deliver` runs one transaction: lock the root row, rebuild the state, let
 * the machine decide, write state, journal and everything owed, commit; only then come reports and nudges.
 * Always true: an event that changes nothing writes nothing; whoever gets an answer gets it after the
 * commit. A crash before the commit leaves no trace, a crash after it loses hints only.
 * Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export interface DeliverPorts {
  store: ActorStore;
  queue: StagingQueue;
  nudges: Nudges;
  reporter: Reporter;
  timers: Timers;
  chance: { jitter(): number };
}

export interface Mailroom {
  /** Delivers one event in a transaction of its own. Retries serialization conflicts, bounded. */
  deliver(message: Message, origin: Origin): Promise<Delivery>;
  /**
   * As `deliver`, for one who has just read the job: most transitions of a purchase owe no other row and are
   * written in one round trip if nothing has changed since. Falls back to the locking way.
   */
  deliverAsSeen(seen: JobAggregate, message: AttemptLetter, origin: Origin): Promise<SeenDelivery>;
  /** Several deliveries and other writes of the caller in one transaction. */
  together<T>(work: (post: PostInTransaction) => Promise<T>): Promise<T>;
}
export interface PostInTransaction {
  tx: ActorTransaction;
  deliver(message: Message, origin: Origin): Promise<Delivery>;
}

export function createMailroom(ports: DeliverPorts): Mailroom {
  const together = <T>(work: (post: PostInTransaction) => Promise<T>): Promise<T> =>
    withRetries(ports, async () => {
      const after = new AfterCommit();
      const result = await ports.store.transaction((tx) =>
        work({ tx, deliver: (message, origin) => deliverIn(tx, after, { message, origin }) }),
      );
      after.run(ports);
      return result;
    });
  const deliver = (message: Message, origin: Origin) => together((post) => post.deliver(message, origin));
  return {
    together,
    deliver,
    async deliverAsSeen(seen, message, origin) {
      const after = new AfterCommit();
      // Lost against another writer: nothing was written, and the locking way waits its turn.
      const moved = await moveAsSeen({ store: ports.store, after, origin, seen }, message).catch((error) => {
        if (isConflict(error)) return null;
        throw error;
      });
      if (moved === null) return deliver(message, origin);
      after.run(ports);
      return moved;
    },
  };
}

async function deliverIn(
  tx: ActorTransaction,
  after: AfterCommit,
  { message, origin }: { message: Message; origin: Origin },
): Promise<Delivery> {
  const scope = { tx, after, origin };
  switch (message.to) {
    case 'stagingJob': {
      const aggregate = await tx.lockJob(message.id);
      if (aggregate === null) return { outcome: 'missing' };
      return (
        movedOn(scope, aggregate.job, message.event) ?? advanceJob({ ...scope, aggregate }, message.event)
      );
    }
    case 'providerAttempt': {
      const jobId = await tx.jobIdOfAttempt(message.id);
      const aggregate = jobId === null ? null : await tx.lockJob(jobId);
      if (aggregate === null) return { outcome: 'missing' };
      return advanceAttempt({ ...scope, aggregate }, message.id, message.event);
    }
    case 'imageReview': {
      const image = await tx.lockImage(message.id);
      return image === null ? { outcome: 'missing' } : advanceImage(scope, image, message.event);
    }
    case 'deletionItem': {
      const item = await tx.lockDeletion(message.id);
      if (item === null) return { outcome: 'missing' };
      return movedOn(scope, item, message.event) ?? advanceDeletion(scope, item, message.event);
    }
    case 'startGate': {
      const gate = await tx.lockStartGate();
      if (gate?.id !== message.id) return { outcome: 'missing' };
      return movedOn(scope, gate, message.event) ?? advanceStartGate(scope, gate, message.event);
    }
    case 'searchDocument': {
      const document = await tx.lockSearchDocument(message.id);
      if (document === null) return { outcome: 'missing' };
      return movedOn(scope, document, message.event) ?? advanceSearchDocument(scope, document, message.event);
    }
    case 'tour':
      return advanceTour(scope, message);
    case 'newTour':
      return openTour(scope, message);
  }
}

/** The answer to somebody who decided on an older version than the locked actor's; null when they may go on. */
function movedOn(
  { after, origin }: { after: AfterCommit; origin: Origin },
  { kind, state, version }: { kind: string; state: string; version: number },
  { type }: { type: string },
): Delivery | null {
  if (origin.seenVersion === undefined || origin.seenVersion === version) return null;
  after.transition(kind, type, 'stale');
  return { outcome: 'stale', state, version };
}
