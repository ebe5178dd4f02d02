import type { ActorStore } from '../../../persistence/actors/actor-store.ts';

/** Stands for a deletion that is queued, which is a row and no event. */
export const QUEUED_DELETION = 'a queued deletion';

/** Which transaction fails: the next ones that save this event, before they commit or after. */
export interface StoreFault {
  event: string;
  /** `lost-answer`: committed, but the caller gets a connection error. */
  kind: 'not-committed' | 'lost-answer';
  times: number;
  /** The SQLSTATE of the failure; without it the connection is lost. */
  code?: string;
}

export const connectionLost = () =>
  Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });

/** The given store with the given faults of transactions, used up in order. */
export function faultyStore(store: ActorStore, faults: StoreFault[]): ActorStore {
  const interrupt = (kind: StoreFault['kind'], saved: ReadonlySet<string>) => {
    const fault = faults.find((one) => one.kind === kind && one.times > 0 && saved.has(one.event));
    if (!fault) return;
    fault.times -= 1;
    throw fault.code === undefined
      ? connectionLost()
      : Object.assign(new Error(fault.code), { code: fault.code });
  };
  return {
    ...store,
    async moveAttemptAsSeen(move) {
      const saved = new Set([move.entry.event.type]);
      interrupt('not-committed', saved);
      const moved = await store.moveAttemptAsSeen(move);
      if (moved) interrupt('lost-answer', saved);
      return moved;
    },
    async writeAsSeen(change) {
      const saved = new Set(
        change.writes.map(({ actor, entry }) =>
          actor.kind === 'deletionItem' ? QUEUED_DELETION : entry.event.type,
        ),
      );
      interrupt('not-committed', saved);
      const written = await store.writeAsSeen(change);
      if (written) interrupt('lost-answer', saved);
      return written;
    },
    async transaction(work) {
      const saved = new Set<string>();
      const due = (kind: StoreFault['kind']) => interrupt(kind, saved);
      const result = await store.transaction((tx) =>
        work({
          ...tx,
          save(actor, next, entry) {
            saved.add(entry.event.type);
            due('not-committed');
            return tx.save(actor, next, entry);
          },
          create(birth) {
            if (birth.actor.kind === 'deletionItem') saved.add(QUEUED_DELETION);
            due('not-committed');
            return tx.create(birth);
          },
        }),
      );
      due('lost-answer');
      return result;
    },
  };
}
