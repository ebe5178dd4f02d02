import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresActorStore, inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { databaseFailure } from '../../../persistence/database/database-failure.ts';
import { systemClock, systemTimers } from '../../../src/time.ts';
import { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { openStoreDatabase, type StoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** Connections that die without a packet, as after a failover: everything sent over them is lost. */
interface Wire {
  url: string;
  /** Kills the present connections; later ones work. */
  killSilently(): void;
  close(): void;
}

async function openWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const pairs: { near: Socket; far: Socket; dead: boolean }[] = [];
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far, dead: false };
    pairs.push(pair);
    near.on('data', (bytes) => pair.dead || far.write(bytes));
    far.on('data', (bytes) => pair.dead || near.write(bytes));
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('close', () => far.destroy());
    far.on('close', () => pair.dead || near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    killSilently: () => {
      for (const pair of pairs) pair.dead = true;
    },
    close() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
      server.close();
    },
  };
}

const POOL_SIZE = 4;
const TIMINGS = { ttlMs: 6_000, heartbeatMs: 2_000 };
/** The driver waits for 20 s; the machine may be slow. */
const PATIENCE_MS = 60_000;
let own: StoreDatabase;
let wire: Wire;
beforeAll(async () => {
  own = await openStoreDatabase();
  wire = await openWire(own.url);
});
afterAll(() => own.close());

test(
  'a holder with silently dead connections loses its lease before a takeover, and its pool recovers',
  async () => {
    const database = await openDatabase({ url: wire.url, poolSize: POOL_SIZE });
    const keeper = new LeaseKeeper({
      store: createPostgresActorStore(database.pool),
      clock: systemClock,
      timers: systemTimers,
      reporter: createRecordingReporter(),
      owner: 'a',
      timings: TIMINGS,
    });
    const { jobId } = await seedStagingJob(own.pool);
    const held = await keeper.take(jobId);
    if (held === null) throw new Error('no other worker holds it');
    await keeper.start();
    const toldAt = new Promise<number>((resolve) => {
      held.lost.addEventListener('abort', () => resolve(Date.now()));
    });
    // Every connection of the pool, so that no renewal finds a working one.
    await Promise.all(Array.from({ length: POOL_SIZE }, () => database.pool.query('select pg_sleep(0.2)')));
    const inHand = inTransaction(database.pool, async (client) => {
      await client.query('select 1');
      wire.killSilently();
      await client.query('select 2');
    }).catch((error: unknown) => error);

    const expiresAt = (await own.store.readJob(jobId))?.job.lease?.expiresAt ?? 0;
    expect(await toldAt).toBeLessThan(expiresAt);
    const taken = await eventually(
      () => own.store.acquireLease({ jobId, owner: 'b', at: Date.now(), ttlMs: 60_000 }),
      { what: 'the takeover', timeoutMs: 2 * TIMINGS.ttlMs },
    );
    expect(taken).toMatchObject({ abandonedBy: 'a', lease: { epoch: 2 } });

    expect(databaseFailure(await inHand)).toBe('unavailable');
    const { jobId: another } = await seedStagingJob(own.pool);
    await eventually(() => keeper.take(another).catch(() => null), {
      what: 'a connection that lives',
      timeoutMs: PATIENCE_MS,
    });
    await keeper.stop(AbortSignal.timeout(0));
    wire.close();
    await database.close();
  },
  2 * PATIENCE_MS,
);
