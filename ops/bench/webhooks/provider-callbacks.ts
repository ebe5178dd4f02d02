import { fileURLToPath } from 'node:url';
import { candidate, interleave, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { startCandidate } from '../candidate-process.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { type Generator, measureThroughput, startGenerator } from '../load/generator.ts';
import { type MeasuredServer, startMeasuredServer } from '../load/measured-server.ts';
import { type Callback, forgedCallback, seedAttempts, signedCallback } from './callbacks.ts';
import { startCountingRelay } from './counting-relay.ts';

const CONNECTIONS = 32;
const VERIFIED_A_SECOND = 2_000;
/** As many connections as a web process has to the database. */
const DATABASE_LANES = 10;
const SIZES = {
  full: { callbacks: 3_000, refusedSeconds: 3, counted: 20_000 },
  quick: { callbacks: 100, refusedSeconds: 0.3, counted: 500 },
};

/**
 * The provider's callbacks on a web role as in production, with a database that flushes every commit. Verified
 * callbacks are for attempts in progress, one each; the limit of the database is one receipt per statement. Forged
 * ones are compared with bare uWebSockets.js that hashes the same bytes.
 */
export const webhooksBench: Bench = {
  name: 'webhooks',
  about: 'callbacks of the provider: verified and forged a second, and what forged ones ask of the database',
  run: async (ground) => {
    const environment = await startBenchEnvironment({ scratch: ground.scratch, durable: true });
    const generator = startGenerator();
    try {
      const web = await environment.startRole('web');
      return [
        ...(await measureVerified({ web, generator, environment }, ground)),
        ...(await measureForged({ web, generator, environment }, ground)),
        await countQueries({ generator, environment }, ground),
      ];
    } finally {
      await generator.stop();
      await environment.stop();
    }
  },
};

interface Ground {
  readonly web: MeasuredServer;
  readonly generator: Generator;
  readonly environment: BenchEnvironment;
}

const sizesOf = ({ quick }: BenchGround) => (quick ? SIZES.quick : SIZES.full);

async function measureVerified(
  { web, generator, environment }: Ground,
  ground: BenchGround,
): Promise<Finding[]> {
  const { callbacks } = sizesOf(ground);
  ground.print(`${callbacks} verified callbacks a turn`);
  const { pool, stack, webhookSecret } = environment;
  const prepared = async () => {
    const attempts = await seedAttempts(pool, callbacks);
    await pool.query('CHECKPOINT');
    return attempts;
  };
  const database = await startCandidate({
    program: fileURLToPath(new URL('./receipts.ts', import.meta.url)),
    env: { DATABASE_URL: stack.databaseUrl, LANES: String(DATABASE_LANES) },
  });
  try {
    const taken = await interleave(
      {
        web: async () => {
          const requests = (await prepared()).map((callback) => signedCallback(webhookSecret, callback));
          const load = { connections: CONNECTIONS, requests, until: 'each was asked', status: 200 } as const;
          const { perSecond } = await measureThroughput(generator, web, load);
          await expectApplied(environment, callbacks);
          return perSecond;
        },
        receipts: async () => {
          const ids = (await prepared()).map(({ attemptId }) => attemptId);
          return database.ask<number>('turn', ids);
        },
      },
      ground.rounds,
    );
    const about = { title: 'verified callbacks a second', unit: '/s' } as const;
    const ours = candidate('Proscenium', taken.web);
    const ratio = ratioOf(
      {
        ...about,
        note: 'ours is one transaction: receipt, locks, state, journal, outcome; the database alone writes the receipt.',
      },
      ours,
      candidate('one durable INSERT each', taken.receipts),
    );
    return [ratio, { kind: 'figure', ...about, value: ours.median, goal: { atLeast: VERIFIED_A_SECOND } }];
  } finally {
    await database.stop();
  }
}

/** @throws Error when callbacks were answered without any effect */
async function expectApplied({ pool }: BenchEnvironment, count: number): Promise<void> {
  const { rows } = await pool.query<{ applied: number }>(
    `SELECT count(*)::int AS applied FROM ai_provider_webhook_receipts WHERE outcome = 'APPLIED'`,
  );
  if (rows[0]?.applied !== count) throw new Error(`${rows[0]?.applied} of ${count} callbacks were applied`);
}

async function measureForged(
  { web, generator, environment }: Ground,
  ground: BenchGround,
): Promise<Finding[]> {
  ground.print('forged callbacks');
  const attempts = await seedAttempts(environment.pool, 1);
  const requests = attempts.map(forgedCallback);
  const until = { seconds: sizesOf(ground).refusedSeconds };
  const load = { connections: CONNECTIONS, requests, until, status: 401 };
  const bare = await startMeasuredServer({ entry: 'ops/bench/webhooks/hashing-host.ts' });
  try {
    const taken = await interleave(
      {
        web: () => measureThroughput(generator, web, load),
        bare: () => measureThroughput(generator, bare, load),
      },
      ground.rounds,
    );
    return (['perSecond', 'perCpuSecond'] as const).map((by) =>
      ratioOf(
        {
          title: `forged callbacks refused a second, by ${by === 'perSecond' ? 'the clock' : "the server's processor time"}`,
          unit: '/s',
        },
        candidate(
          'Proscenium',
          taken.web.map((turn) => turn[by]),
        ),
        candidate(
          'bare uWebSockets.js that hashes',
          taken.bare.map((turn) => turn[by]),
        ),
      ),
    );
  } finally {
    await bare.stop();
  }
}

/** The queries that forged callbacks cause; a real callback is sent first, to check that queries are counted. */
async function countQueries(
  { generator, environment }: Omit<Ground, 'web'>,
  ground: BenchGround,
): Promise<Finding> {
  const { counted } = sizesOf(ground);
  ground.print(`${counted} forged callbacks, counting what is asked of the database`);
  const { stack, pool, webhookSecret } = environment;
  const relay = await startCountingRelay(stack.databaseUrl);
  const web = await environment.startRole('web', { DATABASE_URL: relay.through(stack.databaseUrl) });
  try {
    const [callback] = (await seedAttempts(pool, 1)) as [Callback];
    const ask = (requests: readonly string[], status: number) =>
      generator.run({ url: web.url, connections: CONNECTIONS, requests, until: 'each was asked', status });
    const before = relay.sentBytes();
    await ask([signedCallback(webhookSecret, callback)], 200);
    if (relay.sentBytes() === before) throw new Error('A verified callback asked nothing of the database.');
    const settled = relay.sentBytes();
    await ask(Array<string>(counted).fill(forgedCallback(callback)), 401);
    const value = relay.sentBytes() - settled;
    const title = `bytes sent to the database for ${counted} forged callbacks`;
    return { kind: 'figure', title, unit: 'bytes', value, goal: { atMost: 0 } };
  } finally {
    await web.stop();
    await relay.stop();
  }
}
