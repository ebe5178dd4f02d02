import {
  type ActorStore,
  type ActorTransaction,
  type JournalEntry,
  type SeenChange,
  StaleActorError,
} from '../../../../persistence/actors/actor-store.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import { createMemoryLeases } from './memory-leases.ts';
import { createMemoryTransaction, isSimulated, jobAggregate, takeReceipt } from './memory-transaction.ts';
import { isOnTrustedServer } from './server-identity.ts';
import { type Connection, type Hops, type Server, Session } from './session.ts';

/** Whether state and claim are those that were read: after a failover the same version may be of another history. */
const isAsSeen = (
  row: ProviderAttemptActor,
  { actor, entry }: { actor: ProviderAttemptActor; entry: Pick<JournalEntry, 'from'> },
): boolean => row.state === entry.from && row.context.sentAt === actor.context.sentAt;

/**
 * The actor store on the in-memory database: the same contract as the one on PostgreSQL (both are held against
 * tests/support/database/conformance/actor-store-conformance.ts), with a `hop` before and after everything that would cross the
 * network. Between the two hops the statement has happened; when the second one is lost, the caller does not know.
 */
export function createMemoryStore(options: Connection): ActorStore {
  const { server, owner, hop } = options;

  const transaction: ActorStore['transaction'] = async (work) => {
    await hop('begin');
    const session = new Session(server, owner);
    try {
      const result = await work(createMemoryTransaction(session, hop));
      await hop('commit');
      session.commit();
      await hop('committed');
      return result;
    } catch (error) {
      session.rollback();
      throw error;
    }
  };

  return {
    transaction,
    async readJob(jobId) {
      await hop('read job');
      const found = onceCommitted(server, owner, (session) => jobAggregate(session, jobId));
      await hop('job read');
      return found;
    },
    async readJobOfAttempt(attemptId) {
      await hop('read job of attempt');
      const found = onceCommitted(server, owner, (session) => {
        const attempt = session.read('providerAttempt', attemptId);
        return attempt && jobAggregate(session, attempt.jobId);
      });
      await hop('job of attempt read');
      return found;
    },
    async moveAttemptAsSeen({ seen, attempt, next, entry, underLease, buys, receipt }) {
      await hop('move attempt');
      const session = new Session(server, owner);
      try {
        await session.lock(`job ${seen.job.id}`);
        const job = session.read('stagingJob', seen.job.id);
        const lease = job?.lease ?? null;
        const held = underLease === null || isHeldBy(lease, underLease);
        await session.lock(`attempt ${attempt.id}`);
        const row = session.read('providerAttempt', attempt.id);
        const unchanged =
          job?.version === seen.job.version &&
          row?.version === attempt.version &&
          isAsSeen(row, { actor: attempt, entry }) &&
          held;
        const asSeen =
          unchanged &&
          (!buys || isOnTrustedServer(session)) &&
          (receipt === null || (await takeReceipt(session, receipt)));
        if (asSeen && row) {
          session.write('providerAttempt', row.id, { ...row, ...next, version: row.version + 1 });
          session.append({ ...entry, leaseEpoch: lease?.epoch ?? null });
          session.commit();
        }
        return await answered(hop, asSeen);
      } finally {
        session.rollback();
      }
    },
    async writeAsSeen({ seen, underLease, writes, startsPerMinute, noVariantOf }) {
      await hop('write as seen');
      const session = new Session(server, owner);
      // One statement: nothing crosses the network between its parts.
      const tx = createMemoryTransaction(session, async () => {});
      try {
        await session.lock(`job ${seen.job.id}`);
        const job = session.read('stagingJob', seen.job.id);
        const held = underLease === null || isHeldBy(job?.lease ?? null, underLease);
        const unchanged = job?.version === seen.job.version && held;
        const asSeen =
          unchanged &&
          writes.every(({ write, actor, entry }) => {
            if (write !== 'save' || actor.kind !== 'providerAttempt') return true;
            const row = session.read('providerAttempt', actor.id);
            return row !== null && isAsSeen(row, { actor, entry });
          }) &&
          (noVariantOf === null ||
            !(await tx.variantExists(noVariantOf.originalImageId, noVariantOf.style))) &&
          (await writeAll(tx, { writes, startsPerMinute }));
        if (asSeen) session.commit();
        return await answered(hop, asSeen);
      } finally {
        session.rollback();
      }
    },
    async lastSendToken(attemptId) {
      await hop('read token');
      const event = onceCommitted(server, owner, (session) =>
        session.lastEvent('providerAttempt', attemptId, 'SEND_CLAIMED'),
      )?.event as { token?: string } | undefined;
      await hop('token read');
      return event?.token ?? null;
    },
    async read(kind, id) {
      if (!isSimulated(kind)) return null;
      await hop(`read ${kind}`);
      const found = onceCommitted(server, owner, (session) => session.read(kind, id));
      await hop(`${kind} read`);
      return found as never;
    },
    ...createMemoryLeases(options, 'stagingJob'),
  };
}

/** False when the first actor has moved since, or when no place of the start rate is free. */
async function writeAll(
  tx: ActorTransaction,
  { writes, startsPerMinute }: Pick<SeenChange, 'writes' | 'startsPerMinute'>,
): Promise<boolean> {
  const place = startsPerMinute === null ? null : await tx.takeStartPlace(startsPerMinute);
  if (place !== null && 'waitMs' in place) return false;
  for (const [index, one] of writes.entries()) {
    const counted =
      index === 0 && place !== null ? { started: { ...place, perMinute: startsPerMinute } } : {};
    const entry = { ...one.entry, event: { ...one.entry.event, ...counted } };
    if (one.write === 'create') await tx.create({ actor: one.actor, entry });
    else if (one.write === 'createStagedImage')
      await tx.createStagedImage({ actor: one.actor, entry }, one.made);
    else {
      const saved = await tx.save(one.actor, one.next as never, entry).catch((error: unknown) => {
        if (error instanceof StaleActorError && index === 0) return null;
        throw error;
      });
      if (saved === null) return false;
    }
  }
  return true;
}

async function answered<T>(hop: Hops['hop'], answer: T): Promise<T> {
  await hop('attempt moved');
  return answer;
}

function isHeldBy(
  lease: { owner: string; epoch: number } | null,
  wanted: { owner: string; epoch: number },
): boolean {
  return lease !== null && lease.owner === wanted.owner && lease.epoch === wanted.epoch;
}

/** One statement that only reads what is committed. */
export function onceCommitted<T>(server: Server, owner: string, read: (session: Session) => T): T {
  const session = new Session(server, owner);
  try {
    return read(session);
  } finally {
    session.rollback();
  }
}
