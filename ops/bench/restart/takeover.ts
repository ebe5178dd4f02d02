import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { nodeFlags } from '../../dev/stack/procfile.ts';
import { roleEnvironment } from '../../dev/stack/role-environment.ts';
import { PROCFILE } from '../../dev/stack/role-process.ts';
import type { Bench, BenchGround, Figure, Finding } from '../benchmark.ts';
import { type CandidateProcess, startCandidate } from '../candidate-process.ts';
import { seedJobRows } from '../job-rows.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { explainAll, type Plans } from './plans.ts';

const SIZES = { full: [10_000, 100_000], quick: [1_000] };
/** Every loop of the tree has looked by then, and the time limits of the first polls (15 s each) have run out. */
const QUIET_MS = { full: 20_000, quick: 4_000 };
/** Jobs that are over for each that is under way. */
const HISTORY = 10;
const WARM_JOBS = 100;
const ACTOR_BYTES = 4_096;
const JOBS_A_SECOND = 10_000 / 6;
const CALLS_A_SECOND = 20;
/** A hundred thousand polls cannot come round every few seconds; this is the longest setting. */
const POLL_MS = '60000';
const PROVIDER_PROGRAM = fileURLToPath(new URL('./processing-provider.ts', import.meta.url));
const WORKER_PROGRAM = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** What a worker does that finds all jobs in flight and none of them leased. */
export const restartBench: Bench = {
  name: 'restart',
  about:
    'a worker takes over 10,000 and 100,000 jobs in flight: time, memory an actor, plans of its statements',
  async run(ground) {
    const { stack, pool, stop } = await startBenchEnvironment({ scratch: ground.scratch, durable: true });
    const provider = await startCandidate({ program: PROVIDER_PROGRAM });
    try {
      return await takeOver(ground, { stack, pool, provider });
    } finally {
      await provider.stop();
      await stop();
    }
  },
};

interface RestartGround extends Pick<BenchEnvironment, 'stack' | 'pool'> {
  readonly provider: CandidateProcess;
}

async function takeOver(ground: BenchGround, around: RestartGround): Promise<Finding[]> {
  // What the first jobs cost is code that was compiled and caches that were filled; every further one is its own.
  const base = await restart(ground, around, WARM_JOBS);
  const findings: Finding[] = [];
  for (const jobs of ground.quick ? SIZES.quick : SIZES.full) {
    const { seconds, busiestSecond, heap, plans } = await restart(ground, around, jobs);
    for (const scan of plans.scans) ground.print(`sequential scan of ${scan}`);
    const size = jobs.toLocaleString('en-US');
    const rate = Math.round(jobs / seconds);
    findings.push(
      figure(`restart with ${size} jobs in flight: until each is adopted and polled`, 's', seconds, {
        goal: { atMost: jobs / JOBS_A_SECOND },
        note: `from the start of the process; ${rate} jobs a second`,
      }),
      figure(`calls to the provider in the busiest second, ${size} jobs in flight`, 'count', busiestSecond, {
        goal: { atMost: CALLS_A_SECOND },
      }),
      figure(`heap an actor, ${size} of them`, 'bytes', (heap - base.heap) / (jobs - WARM_JOBS), {
        goal: { atMost: ACTOR_BYTES },
      }),
      figure(`sequential scans of big tables with ${size} jobs in flight`, 'count', plans.scans.length, {
        goal: { atMost: 0 },
        note: `in the plans of all ${plans.statements} statements that the worker sent, its sweepers' included`,
      }),
    );
  }
  return findings;
}

interface Restart {
  /** From the start of the worker's process until the last job was polled. */
  readonly seconds: number;
  /** The most calls to the provider in a second. */
  readonly busiestSecond: number;
  /** Bytes of live objects in the worker then. */
  readonly heap: number;
  readonly plans: Plans;
}

async function restart({ print, quick }: BenchGround, around: RestartGround, jobs: number): Promise<Restart> {
  const { pool, provider } = around;
  print(`${jobs} jobs: writing the rows`);
  await seedJobRows(pool, { count: jobs, attempt: 'RUNNING', heldBy: null });
  await addHistory(pool, jobs * HISTORY);
  await provider.ask('begin', await predictionsOf(pool));
  print(`${jobs} jobs: starting the worker`);
  const began = Date.now();
  const worker = await spawnWorker(around);
  try {
    await worker.ask('start', { concurrency: jobs });
    const at = await untilAllPolled(around, { worker, jobs });
    print(`${jobs} jobs: all polled`);
    const busiestSecond = await provider.ask<number>('busiestSecond');
    await pause(quick ? QUIET_MS.quick : QUIET_MS.full);
    const heap = await worker.ask<number>('heap');
    const plans = await explainAll(pool, await worker.ask('statements'));
    return { seconds: (at - began) / 1_000, busiestSecond, heap, plans };
  } finally {
    await worker.stop();
  }
}

function figure(
  title: string,
  unit: Figure['unit'],
  value: number,
  more: Pick<Figure, 'goal' | 'note'>,
): Figure {
  return { kind: 'figure', title, unit, value, ...more };
}

/** Jobs that are over: what sweepers must not read. */
async function addHistory(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO ai_jobs (type, status, "dedupeKey", "finishedAt", version)
     SELECT 'ROOM_STAGING', 'SUCCESS', 'over:' || n, now(), 4 FROM generate_series(1, $1) n`,
    [count],
  );
  await pool.query('VACUUM (ANALYZE) ai_jobs');
  await pool.query('CHECKPOINT');
}

async function spawnWorker({ stack, provider }: RestartGround): Promise<CandidateProcess> {
  const baseUrl = `http://127.0.0.1:${await provider.ask<number>('port')}`;
  const environment = { ...stack, provider: { baseUrl, token: 'bench', webhookSecret: 'unused' } };
  const env = roleEnvironment(environment, 'worker', {
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    PROVIDER_POLL_INTERVAL_MS: POLL_MS,
  });
  return startCandidate({
    program: WORKER_PROGRAM,
    env,
    execArgv: [...nodeFlags(PROCFILE, 'worker'), '--expose-gc'],
  });
}

/** The predictions of all jobs, as the provider made them. */
async function predictionsOf(pool: pg.Pool): Promise<{ id: string; createdAt: number }[]> {
  const { rows } = await pool.query<{ id: string; createdAt: number }>(
    `SELECT "providerPredictionId" AS id, (extract(epoch FROM "sentAt") * 1000)::float8 AS "createdAt"
     FROM ai_provider_attempts`,
  );
  return rows;
}

/** After this time something has hung. */
const PATIENCE_MS = 1_200_000;
const LOOK_EVERY_MS = 50;

/**
 * A poll is answered by a GET of the prediction, or by the list. No job is polled twice before the last was polled
 * once, unless that takes longer than the interval of the polls.
 * @throws Error when it takes too long, with how many were polled
 */
async function untilAllPolled(
  { provider }: RestartGround,
  { worker, jobs }: { worker: CandidateProcess; jobs: number },
): Promise<number> {
  const polled = async () => (await provider.ask<number>('asked')) + (await worker.ask<number>('listed'));
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await pause(LOOK_EVERY_MS))
    if ((await polled()) >= jobs) return Date.now();
  throw new Error(`only ${await polled()} of ${jobs} jobs were polled within ${PATIENCE_MS / 1_000} s`);
}
