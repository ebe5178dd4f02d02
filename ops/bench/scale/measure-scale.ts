import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { freePort } from '../../dev/stack/free-port.ts';
import { roleEnvironment } from '../../dev/stack/role-environment.ts';
import { type Stack, startStack } from '../../dev/stack/stack.ts';
import { changeSettings } from '../../simulator/control-client.ts';
import { startCandidate } from '../candidate-process.ts';
import type { JobTurn } from '../job/orders.ts';
import { startMeasuredServer } from '../load/measured-server.ts';
import { seedListings } from '../search/listings.ts';
import { copyHistory } from './history.ts';
import { askJournals, askWeb, type Percentiles } from './percentiles.ts';
import type { Amounts } from './plan.ts';

/** What was measured with so many rows. */
export interface ScaleReport {
  readonly listings: readonly { readonly count: number; readonly asked: readonly Percentiles[] }[];
  readonly jobs: { readonly before: JobTurn; readonly after: JobTurn; readonly journal: Percentiles };
  readonly tables: readonly TableSize[];
}

interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** With indexes. */
  readonly bytes: number;
}

const JOBS_TOGETHER = 200;
const JOBS_ALONE = 30;
/** Tables below this size say nothing about growth. */
const LEAST_BYTES = 50e6;
const JOB_PROGRAM = fileURLToPath(new URL('../job/ours.ts', import.meta.url));

interface ScaleGround {
  /** The number of listings at each step, the largest last. */
  readonly steps: readonly number[];
  readonly loaded: Amounts;
  readonly directory: string;
  print(line: string): void;
}

/** Loads the rows step by step and measures after each. The directory is removed at the end. */
export async function measureScale(ground: ScaleGround): Promise<ScaleReport> {
  const { directory, print } = ground;
  const stack = await startStack({
    dataDir: join(directory, 'stack'),
    // Loading is not measured; the jobs' commits are, but only beside each other.
    durable: false,
    discard: true,
    providerSpeed: 'instant',
    announce: print,
  });
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  // The server stops a moment before the last idle connection has noticed.
  pool.on('error', () => {});
  try {
    await migrate(stack.databaseUrl);
    await changeSettings(stack.providerBaseUrl ?? '', { pictures: 'plain' });
    const listings = await growListings(ground, stack, pool);
    const jobs = await growJobs(ground, stack, pool);
    return { listings, jobs, tables: await tableSizes(pool) };
  } finally {
    await pool.end();
    await stack.stop();
  }
}

async function growListings({ steps, print }: ScaleGround, stack: Stack, pool: pg.Pool) {
  const measured: { count: number; asked: Percentiles[] }[] = [];
  for (const count of steps) {
    print(`${count.toLocaleString('en-US')} listings: loading`);
    await seedListings(pool, count);
    print(`${count.toLocaleString('en-US')} listings: asking`);
    const env = roleEnvironment(withProvider(stack), 'web', {
      NODE_ENV: 'production',
      PORT: String(await freePort()),
      OPS_PORT: '0',
    });
    const web = await startMeasuredServer({ entry: 'src/web.ts', env });
    try {
      measured.push({ count, asked: await askWeb({ url: web.url, pool }) });
    } finally {
      await web.stop();
    }
  }
  return measured;
}

/** Whole jobs of a worker, before and after a history lies beside them. */
async function growJobs({ loaded, print }: ScaleGround, stack: Stack, pool: pg.Pool) {
  const env = roleEnvironment(withProvider(stack), 'worker', {
    OPS_PORT: '0',
    PROVIDER_WEBHOOK_BASE_URL: stack.providerBaseUrl ?? '',
    PROVIDER_POLL_INTERVAL_MS: '50',
  });
  const turn = async (): Promise<JobTurn> => {
    const worker = await startCandidate({ program: JOB_PROGRAM, env });
    try {
      const originals = await worker.ask<string[]>('seed', JOBS_TOGETHER + JOBS_ALONE);
      return await worker.ask<JobTurn>('turn', {
        together: originals.slice(0, JOBS_TOGETHER),
        alone: originals.slice(JOBS_TOGETHER),
      });
    } finally {
      await worker.stop();
    }
  };
  print('jobs without a history');
  await turn();
  const before = await turn();
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ai_jobs WHERE status = 'SUCCESS' LIMIT 1`,
  );
  const model = rows[0]?.id;
  if (model === undefined) throw new Error('no job has succeeded');
  await copyHistory(pool, { model, jobs: loaded.jobs, journal: loaded.journal, print });
  print('jobs beside the history');
  await turn();
  return { before, after: await turn(), journal: await askJournals(pool) };
}

function withProvider(stack: Stack) {
  if (stack.provider === undefined) throw new Error('there is no provider simulator');
  return { ...stack, provider: stack.provider };
}

async function tableSizes(pool: pg.Pool): Promise<TableSize[]> {
  const { rows } = await pool.query<{ table: string; rows: number; bytes: string }>(
    `SELECT relname AS table, reltuples::float8 AS rows, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > $1
     ORDER BY 3 DESC`,
    [LEAST_BYTES],
  );
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
}
