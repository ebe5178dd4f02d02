import { beforeEach, expect, test } from 'vitest';
import type { AttemptMove } from '../../../persistence/actors/actor-store.ts';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { databaseFailure } from '../../../persistence/database/database-failure.ts';
import { seedOriginal, seedStagingJob } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase, waitForBlocked } from '../../support/database/store-database.ts';
import { sightOfSend } from '../../support/database/store-under-test.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const job = async () =>
  (await seedStagingJob(database.pool, { original: await seedOriginal(database.pool) })).jobId;
const sights = async (count: number): Promise<AttemptMove[]> => {
  const moves: AttemptMove[] = [];
  while (moves.length < count) moves.push((await sightOfSend({ store: database.store, job })).move);
  return moves;
};
/** All in the same moment. */
const moveAll = (moves: readonly AttemptMove[]) =>
  Promise.all(moves.map((move) => database.store.moveAttemptAsSeen(move)));
const refusals = async (moves: readonly AttemptMove[]) =>
  (await Promise.allSettled(moves.map((move) => database.store.moveAttemptAsSeen(move)))).map((one) =>
    one.status === 'rejected' ? databaseFailure(one.reason) : one.value,
  );
const told = (move: AttemptMove, context: Partial<AttemptMove['next']['context']>): AttemptMove => ({
  ...move,
  next: { ...move.next, context: { ...move.next.context, ...context } },
});
/** Transactions that wrote claims. */
const commits = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ commits: number }>(
    `select count(distinct xmin::text)::int as commits from actor_transitions where "eventType" = 'SEND_CLAIMED'`,
  );
  return rows[0]?.commits ?? 0;
};

test('moves of the same moment share commits, at most 32 in each', async () => {
  const moves = await sights(70);
  expect(await moveAll(moves)).toEqual(moves.map(() => true));
  expect(await commits()).toBe(3);
});

test('a lone move and a move among others write the same columns and the same journal', async () => {
  const [alone, ...together] = (await sights(3)).map((move, index) =>
    told(move, {
      providerPredictionId: `p-${index}`,
      strayPredictionId: 'stray',
      providerStatus: 'süß "quoted" \\ \u2028',
      errorCode: 'PROVIDER_THROTTLED',
      sendTries: 2,
      throttledSends: 3,
      nextSendAt: 1_700_000_000_001,
      sentAt: 1_700_000_000_002,
      unconfirmedSince: 1_700_000_000_003,
      unconfirmedCause: 'restart',
      goneSince: 1_700_000_000_004,
      notListedAt: 1_700_000_000_005,
      cancelAsked: true,
      nextPollAt: 1_700_000_000_006,
      objectKey: `staged/${index}.jpg`,
      downloadTries: 4,
      storageFailingSince: 1_700_000_000_007,
      downloadBytes: 5_000_000_000,
      outputWidth: 1024,
      outputHeight: 768,
      outputFormat: 'jpeg',
      outputChecksum: 'c'.repeat(64),
      finishedAt: 1_700_000_000_008,
    }),
  ) as [AttemptMove, ...AttemptMove[]];
  expect(await moveAll([alone])).toEqual([true]);
  expect(await moveAll(together)).toEqual([true, true]);
  const rows = await Promise.all(
    [alone, ...together].map(async ({ seen, attempt, next }) => {
      const found = (await database.store.readJob(seen.job.id))?.attempts[0];
      expect(found).toEqual({ ...attempt, ...next, version: 2 });
      const [, entry] = await journalOf(database.pool, 'providerAttempt', attempt.id);
      const { rows } = await database.pool.query(
        `select "updatedAt", "errorCategory" from ai_provider_attempts where id = $1`,
        [attempt.id],
      );
      return { entry, ...rows[0] };
    }),
  );
  expect(rows[0]?.entry).toMatchObject({ seq: 2, eventType: 'SEND_CLAIMED', toState: 'SENT', leaseEpoch: 1 });
  expect(rows[1]).toEqual(rows[0]);
  expect(rows[2]).toEqual(rows[0]);
});

test('a move that a constraint refuses fails alone', async () => {
  const [first, second, third, fourth] = (await sights(4)) as [
    AttemptMove,
    AttemptMove,
    AttemptMove,
    AttemptMove,
  ];
  await moveAll([told(first, { providerPredictionId: 'taken' })]);
  const others = [second, told(third, { providerPredictionId: 'taken' }), fourth];
  expect(await refusals(others)).toEqual([true, 'duplicate', true]);
  expect(await journalOf(database.pool, 'providerAttempt', third.attempt.id)).toHaveLength(1);
});

test('a move whose job or attempt is locked elsewhere is not written, and the others do not wait', async () => {
  const moves = await sights(4);
  const [, lockedJob, lockedAttempt] = moves as [AttemptMove, AttemptMove, AttemptMove];
  await inTransaction(database.pool, async (client) => {
    await client.query('select from ai_jobs where id = $1 for update', [lockedJob.seen.job.id]);
    await client.query('select from ai_provider_attempts where id = $1 for update', [
      lockedAttempt.attempt.id,
    ]);
    expect(await moveAll(moves)).toEqual([true, false, false, true]);
  });
});

test('on another server than the trusted one no move that buys is written', async () => {
  const moves = (await sights(3)).map((move, index) => ({ ...move, buys: index !== 1 }));
  await database.pool.query(`update start_gate set server = 'another'`);
  expect(await moveAll(moves)).toEqual([false, true, false]);
});

test('a lost connection fails all that it carried, and later moves are written', async () => {
  const moves = await sights(3);
  const lost = await inTransaction(database.pool, async (client) => {
    await client.query('lock table actor_transitions in exclusive mode');
    const answers = refusals(moves);
    await waitForBlocked(database.pool, 1);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return answers;
  });
  expect(lost).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(await commits()).toBe(0);
  expect(await moveAll(moves)).toEqual([true, true, true]);
});
