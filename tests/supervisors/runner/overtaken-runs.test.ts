import { afterEach, beforeEach, expect, test } from 'vitest';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { finished, foundAs, predictionOf, unfinished } from '../../support/worlds/fake-provider.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import { closeWorlds, openWorld, POLL_MS, submit } from '../../support/worlds/runner-world.ts';

/** A run that lost its lease ends while the same process runs the job again. */
const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const TTL = 15_000;

test('the end of an old run does not give back the lease of the new run', async () => {
  let out = false;
  const { store } = database;
  const world = openWorld(database, {
    leaseTtlMs: TTL,
    store: {
      ...store,
      renewLeases: (request) => (out ? Promise.reject(connectionLost()) : store.renewLeases(request)),
    },
  });
  const { time, provider, leases, runner } = world;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  provider.answerCreate = async (attemptId) => {
    await answered;
    return { kind: 'created', prediction: unfinished(predictionOf(attemptId)) };
  };
  provider.answerGet = (id) => foundAs(unfinished(id));
  await leases.start();
  const jobId = await submit(database);
  const leaseOf = async () => (await world.read(jobId)).job.lease;
  const oldRun = world.start(jobId);
  await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'SENT');
  expect(await leaseOf()).toMatchObject({ epoch: 1 });

  // No heartbeat succeeds until the lease has expired; the answer to the purchase is still in flight.
  out = true;
  await eventually(
    () => {
      time.advance(1_000);
      return leases.held() === 0;
    },
    { what: 'the lease to be lost' },
  );
  time.advance(TTL);
  out = false;
  void world.start(jobId);
  await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
  expect(await leaseOf()).toMatchObject({ epoch: 2 });

  answer();
  await oldRun;
  await world.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
  expect(await leaseOf()).toMatchObject({ owner: 'node-a', epoch: 2 });
  expect([leases.held(), runner.running()]).toEqual([1, 1]);

  // The new run receives every event, and ends the job under its own lease.
  provider.answerGet = (id) => foundAs(finished(id));
  await eventually(
    async () => {
      time.advance(POLL_MS);
      return (await world.states(jobId)).join() === 'SUCCESS,SUCCEEDED';
    },
    { what: 'the end' },
  );
  await eventually(() => runner.running() === 0, { what: 'the end of the run' });
  expect([provider.creates.length, leases.held(), await leaseOf()]).toEqual([1, 0, null]);
  const { rows } = await database.pool.query(
    `select max("leaseEpoch") as epoch from actor_transitions where "actorId" = $1`,
    [jobId],
  );
  expect(rows).toEqual([{ epoch: 2 }]);
});
