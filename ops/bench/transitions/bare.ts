import type { PoolClient, QueryConfig } from 'pg';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import type { ProviderAttemptEvent } from '../../../machines/provider-attempt-model.ts';
import { step } from '../../../machines/step.ts';
import type { AttemptMove } from '../../../persistence/actors/actor-store.ts';
import { moveQuery } from '../../../persistence/actors/attempt-moves.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { ProviderAttemptActor } from '../../../persistence/actors/rows/attempt-row.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { needsLease, precedesPurchase } from '../../../supervisors/actors/leased-events.ts';
import type { AttemptMessage } from '../../../supervisors/actors/messages.ts';
import { secondsFor, serveTurns } from '../peers/serve-turns.ts';
import { LANES, LIFE_STEPS, ORIGIN, purchaseLife, readAllJobs } from './purchase-life.ts';

/**
 * The limit of this machine for the store's statement: the same queries, prepared beforehand, sent by the driver on
 * the same number of connections. The difference in transitions per second is the cost of the product.
 */
const database = await openDatabase({ url: process.env.DATABASE_URL ?? '', poolSize: LANES + 1 });
const store = createPostgresActorStore(database.pool);
const clients = await Promise.all(Array.from({ length: LANES }, () => database.pool.connect()));
let lives: QueryConfig[][] = [];

function decide(seen: JobAggregate): QueryConfig[] {
  const [first] = seen.attempts;
  if (!first) throw new Error('a seeded job has no attempt');
  let attempt = first;
  return purchaseLife(first.id, Date.now()).map((event) => {
    const move = moveOf(seen, attempt, event);
    attempt = { ...attempt, ...move.next, version: attempt.version + 1 };
    return moveQuery(move);
  });
}

function moveOf(seen: JobAggregate, attempt: ProviderAttemptActor, event: AttemptMessage): AttemptMove {
  const decided = step(providerAttemptMachine, attempt, event as ProviderAttemptEvent);
  if (decided.outcome === 'ignored') throw new Error(`${event.type} was ignored`);
  const { next } = decided;
  const subject = { kind: 'providerAttempt', id: attempt.id, seq: attempt.version + 1 } as const;
  const entry = { ...subject, event, from: attempt.state, to: next.state, by: ORIGIN.by };
  const underLease = needsLease(event.type) ? ORIGIN.lease : null;
  return { seen, attempt, next, entry, underLease, buys: precedesPurchase(event.type), receipt: null };
}

async function live(client: PoolClient, queries: readonly QueryConfig[]): Promise<void> {
  for (const query of queries) {
    const { rowCount } = await client.query(query);
    if (rowCount !== 1) throw new Error('a move of the bare driver found its row otherwise');
  }
}

serveTurns(
  {
    async prepare() {
      lives = (await readAllJobs(database.pool, store)).map(decide);
    },
    async turn() {
      const free = [...clients];
      const seconds = await secondsFor({ count: lives.length, lanes: LANES }, async (index) => {
        const client = free.pop() as PoolClient;
        await live(client, lives[index] ?? []);
        free.push(client);
      });
      return (lives.length * LIFE_STEPS) / seconds;
    },
  },
  async () => {
    for (const client of clients) client.release();
    await database.close();
  },
);
