import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { nodeFlags } from '../../dev/stack/procfile.ts';
import { roleEnvironment } from '../../dev/stack/role-environment.ts';
import { PROCFILE } from '../../dev/stack/role-process.ts';
import { type Stack, startStack } from '../../dev/stack/stack.ts';
import { changeSettings } from '../../simulator/control-client.ts';
import { candidate, interleave, ratioOf } from '../alternate.ts';
import { createBeside } from '../bench-database.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { type CandidateProcess, startCandidate } from '../candidate-process.ts';
import { rowBytes } from '../row-bytes.ts';
import { AT_ONCE, type JobTurn } from './orders.ts';

const SIZES = { full: { together: 300, alone: 40 }, quick: { together: 16, alone: 4 } };
/** The shortest there is: the wait for a poll is the provider's latency, not ours. */
const POLL_MS = '50';
/** Where a finished job leaves rows; the originals' own are among the pictures. */
const JOB_TABLES = [
  'ai_jobs',
  'ai_room_staging_jobs',
  'ai_provider_attempts',
  'actor_transitions',
  'property_images',
  'storage_deletion_outbox',
] as const;
const OURS = 'Proscenium';
const PEER = 'DBOS Transact';
const NOTE =
  `provider without latency; ${AT_ONCE} jobs under way; both submit alike and use the platform's own POST, poll, download, ` +
  'checks and put; a DBOS step that dies after its POST buys twice';

/** What the whole pipeline costs when the provider costs nothing. */
export const jobBench: Bench = {
  name: 'job',
  about: 'whole staging jobs with a provider without latency, against the same effects as a DBOS workflow',
  async run(ground) {
    const callbacks = await startCallbackSink();
    const stack = await startStack({
      dataDir: join(ground.scratch, 'stack'),
      durable: true,
      discard: true,
      providerSpeed: 'instant',
      announce: ground.print,
    });
    const started: CandidateProcess[] = [];
    try {
      await migrate(stack.databaseUrl);
      await changeSettings(stack.providerBaseUrl ?? '', { pictures: 'plain' });
      return await compare(ground, { stack, callbackUrl: callbacks.url, started });
    } finally {
      for (const child of started) await child.stop();
      await stack.stop();
      callbacks.stop();
    }
  },
};

interface BenchEnvironment {
  readonly stack: Stack;
  readonly callbackUrl: string;
  /** Where children are put, for the end. */
  readonly started: CandidateProcess[];
}

async function compare(ground: BenchGround, around: BenchEnvironment): Promise<Finding[]> {
  const pool = new pg.Pool({ connectionString: around.stack.databaseUrl, max: 1 });
  pool.on('error', () => {});
  const { together, alone } = ground.quick ? SIZES.quick : SIZES.full;
  const [ours, peer] = await startBoth(around, pool);
  const turnOf = (child: CandidateProcess) => async () => {
    const originals = await child.ask<string[]>('seed', together + alone);
    await pool.query('CHECKPOINT');
    return child.ask<JobTurn>('turn', {
      together: originals.slice(0, together),
      alone: originals.slice(together),
    });
  };
  try {
    const turns = await interleave({ [OURS]: turnOf(ours), [PEER]: turnOf(peer) }, ground.rounds);
    const side = (name: keyof typeof turns, of: keyof JobTurn) =>
      candidate(
        name,
        turns[name].map((turn) => turn[of]),
      );
    const finding = (about: Parameters<typeof ratioOf>[0], of: keyof JobTurn) =>
      ratioOf({ ...about, note: NOTE }, side(OURS, of), side(PEER, of));
    return [
      finding({ title: 'whole staging jobs a second', unit: '/s', goal: { atLeast: 1.2 } }, 'perSecond'),
      finding({ title: 'p50 of a staging job that is alone', unit: 'ms', goal: { atMost: 1 } }, 'aloneMs'),
      await rowBytes(pool, { title: 'rows that a staging job leaves', tables: JOB_TABLES }),
    ];
  } finally {
    await pool.end();
  }
}

async function startBoth({ stack, callbackUrl, started }: BenchEnvironment, pool: pg.Pool) {
  if (stack.provider === undefined) throw new Error('there is no provider simulator');
  const env = roleEnvironment({ ...stack, provider: stack.provider }, 'worker', {
    OPS_PORT: '0',
    PROVIDER_WEBHOOK_BASE_URL: callbackUrl,
    PROVIDER_POLL_INTERVAL_MS: POLL_MS,
  });
  // The peer's rows lie in a database of their own, where our dispatcher does not find its jobs.
  const peerUrl = await createBeside(pool, { url: stack.databaseUrl, name: 'peer' });
  await migrate(peerUrl);
  const dbosUrl = await createBeside(pool, { url: stack.databaseUrl, name: 'dbos' });
  const add = async (program: string, more: Record<string, string>) => {
    // As a worker runs; the peer has the same.
    const execArgv = nodeFlags(PROCFILE, 'worker');
    const child = await startCandidate({ program, env: { ...env, ...more }, execArgv });
    started.push(child);
    return child;
  };
  return [
    await add(fileURLToPath(new URL('./ours.ts', import.meta.url)), {}),
    await add(fileURLToPath(new URL('../peers/dbos-staging.ts', import.meta.url)), {
      DATABASE_URL: peerUrl,
      DBOS_DATABASE_URL: dbosUrl,
    }),
  ] as const;
}

/** Accepts the provider's callbacks and ignores them: both candidates poll. */
async function startCallbackSink(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{"received":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
