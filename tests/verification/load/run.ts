import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { waitUntil } from '../../../ops/dev/stack/lifecycle.ts';
import { ledgerOf, purchases } from '../../../ops/simulator/control-client.ts';
import { brokenInvariants } from '../../support/platform/broken-invariants.ts';
import { createRandom } from '../../support/random.ts';
import { startFlood } from './flood.ts';
import { type Reading, readGauges } from './gauges.ts';
import { type Installation, startInstallation } from './installation.ts';
import { fillMarket } from './listings.ts';
import { startOpenLoop } from './open-loop.ts';
import type { Run, Window } from './result.ts';
import { prepareStaging, type StagingLoad } from './staging-jobs.ts';
import { invite } from './visitors.ts';

export interface LoadOptions {
  readonly dataDir: string;
  readonly minutes: number;
  readonly jobs: number;
  readonly workers: number;
  /** Calls of visitors a second. */
  readonly rate: number;
  readonly listings: number;
  /** Forged callbacks a second in flooded windows. */
  readonly forgedRate: number;
  readonly seed: number;
  tell(line: string): void;
}

const CUSTOMERS = 20;
const KILL_EVERY_MS = 30_000;
/** Shifted by half a kill interval, so that windows with and without the flood have equally many kills. */
const WINDOW_MS = 30_000;
const GAUGE_MS = 5_000;
const TELL_MS = 15_000;
/** Jobs are submitted during this part of the run, so that the last ones end within it. */
const SUBMITTING_SHARE = 0.85;
const SETTLE_MS = 5 * 60_000;

/** The whole run: prepares, loads, waits for the end of every job, and checks the ledger. */
export async function runLoad(options: LoadOptions): Promise<Run> {
  const { dataDir, workers, tell } = options;
  tell('starting PostgreSQL, Redis, storage, the provider simulator, web and workers');
  const installation = await startInstallation({ dataDir, workers, announce: tell });
  const pool = new pg.Pool({ connectionString: installation.stack.databaseUrl, max: 3 });
  try {
    return await load(options, installation, pool);
  } finally {
    await pool.end();
    await installation.stop();
  }
}

async function load(options: LoadOptions, installation: Installation, pool: pg.Pool): Promise<Run> {
  const { jobs, tell } = options;
  const staging = await prepareStaging({ installation, pool }, jobs);
  const market = await listingsToLookAt(pool, options.listings);
  const visitors = await invite({
    installation,
    customers: CUSTOMERS,
    random: createRandom(options.seed),
    shownPropertyIds: staging.propertyIds,
    imageIds: staging.imageIds,
    otherPropertyIds: market,
  });
  tell(`${staging.imageIds.length} rooms uploaded, ${options.listings} listings; the load begins`);
  try {
    const seen = await underLoad({ ...options, installation, staging, visitors });
    const settled = async () => (await staging.standing()).final >= jobs;
    await waitUntil(settled, { timeoutMs: SETTLE_MS });
    return { ...seen, ...(await comparePurchases(installation, pool)), jobs: await staging.standing() };
  } finally {
    await visitors.close();
  }
}

async function listingsToLookAt(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select "ownerAgentId" as id from properties limit 1');
  await fillMarket(pool, count, rows[0]?.id ?? '');
  const { rows: some } = await pool.query<{ id: string }>('select id from properties limit 500');
  return some.map(({ id }) => id);
}

type Loading = LoadOptions & {
  installation: Installation;
  staging: StagingLoad;
  visitors: Awaited<ReturnType<typeof invite>>;
};

/** The measured part of the run. */
async function underLoad(
  options: Loading,
): Promise<Pick<Run, 'samples' | 'readings' | 'windows' | 'kills' | 'forged'>> {
  const { installation, staging, visitors, minutes, tell } = options;
  const durationMs = minutes * 60_000;
  const startedAt = performance.now();
  const now = () => performance.now() - startedAt;
  const over = AbortSignal.timeout(durationMs);
  const flood = startFlood(installation.urls[0] ?? '', options.forgedRate);
  const loop = startOpenLoop(options.rate, visitors.next);
  const windows: Window[] = [];
  const readings: Reading[] = [];
  let kills = 0;
  let killing: Promise<void> = Promise.resolve();
  const turn = () => {
    const from = now();
    const isFlooded = windows.length % 2 === 1;
    if (isFlooded) flood.on();
    else flood.off();
    windows.push({ from, until: Math.min(from + WINDOW_MS, durationMs), isFlooded });
  };
  const kill = () => {
    const number = (kills % options.workers) + 1;
    kills += 1;
    killing = killing.then(() => installation.crashWorker(number));
  };
  const look = async () => void readings.push(...(await readGauges(installation, now())));
  const report = async () => {
    const { byStatus } = await staging.standing();
    tell(`${Math.round(now() / 1_000)} s: ${loop.samples.length} calls, jobs ${JSON.stringify(byStatus)}`);
  };
  turn();
  const timers = [
    setInterval(turn, WINDOW_MS),
    setInterval(() => void look(), GAUGE_MS),
    setInterval(() => void report(), TELL_MS),
  ];
  const firstKill = setTimeout(() => {
    kill();
    timers.push(setInterval(kill, KILL_EVERY_MS));
  }, KILL_EVERY_MS / 2);
  try {
    await Promise.all([staging.submitOver(durationMs * SUBMITTING_SHARE, over), untilAborted(over)]);
  } finally {
    clearTimeout(firstKill);
    for (const timer of timers) clearInterval(timer);
    await Promise.all([loop.stop(), killing]);
  }
  return { samples: loop.samples, readings, windows, kills, forged: await flood.end() };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function comparePurchases(installation: Installation, pool: pg.Pool) {
  const ledger = purchases(await ledgerOf(installation.stack.providerBaseUrl ?? ''));
  const counts = [...ledger.values()].map(({ length }) => length);
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from ai_provider_attempts',
  );
  return {
    attempts: rows[0]?.count ?? 0,
    boughtOnce: counts.filter((count) => count === 1).length,
    boughtTwice: counts.filter((count) => count > 1).length,
    brokenInvariants: await brokenInvariants(pool),
    complaints: installation.complaints,
  };
}
