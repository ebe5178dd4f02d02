import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { createAlertMailSender } from '../../../src/mail/alerts/alert-mail-sender.ts';
import { createAlertTokens } from '../../../src/mail/alerts/alert-tokens.ts';
import { createMailer } from '../../../src/mail/mailer.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { systemTimers } from '../../../src/time.ts';
import { quantile } from '../alternate.ts';
import { startBenchDatabase } from '../bench-database.ts';
import type { Bench, BenchGround, Figure, Finding } from '../benchmark.ts';
import { type CandidateProcess, startCandidate } from '../candidate-process.ts';
import { startMailServer } from './mail-server.ts';
import { benchReporter } from './reporter.ts';
import { type AlertSizes, changeHome, expectedPairs, inventWorld, seedWorld } from './searches.ts';

const SIZES: Record<'full' | 'quick', AlertSizes> = {
  full: { searches: 100_000, homes: 6_400, changes: 6_000, perSecond: 10, killEveryMs: 20_000 },
  quick: { searches: 500, homes: 120, changes: 80, perSecond: 40, killEveryMs: 1_000 },
};
const WORKERS = 2;
/** Events that are matched one by one, to see what one costs. */
const TIMED_SHARE = 0.05;
const MATCHES_P95 = 200;
const MATCH_MS_P95 = 20;
const PROGRAM = fileURLToPath(new URL('./worker.ts', import.meta.url));
const LOOK_MS = 250;
const MINUTE_MS = 60_000;
const PATIENCE_MS = { full: 3_600_000, quick: 60_000 };
const SECRET = 'a secret of benches that is long enough for a key';

/** Saved searches that are called back while workers die and the mail server refuses mails. */
export const alertsBench: Bench = {
  name: 'alerts',
  about:
    '100,000 saved searches, ten changes a second, two workers killed every 20 s: once each, and what one costs',
  async run(ground) {
    const database = await startBenchDatabase(ground.scratch);
    try {
      return await callBack(ground, database);
    } finally {
      await database.stop();
    }
  },
};

async function callBack(ground: BenchGround, { url, pool }: { url: string; pool: Pool }): Promise<Finding[]> {
  const size = ground.quick ? 'quick' : 'full';
  const sizes = SIZES[size];
  const world = inventWorld(sizes);
  const changed = world.homes.slice(0, sizes.changes);
  await seedWorld(pool, world);
  const workers = openWorkers(url);
  const mails = await openMails(pool);
  try {
    await workers.start();
    ground.print(`${sizes.searches} searches get their keys`);
    await until(size, async () => (await count(pool, 'saved_searches WHERE "keysAt" IS NULL')) === 0);
    await workers.stop();
    await pool.query('VACUUM ANALYZE');
    const timed = changed.slice(0, Math.round(changed.length * TIMED_SHARE));
    const took = await timeMatches(pool, { url, homes: timed });
    await workers.start();
    ground.print(`${changed.length - timed.length} changes, ${sizes.perSecond} a second`);
    const killer = workers.killEach(sizes.killEveryMs);
    await at(sizes.perSecond, changed.slice(timed.length), (home) => changeHome(pool, home));
    await killer.stop();
    ground.print(`${killer.kills} kills; what waits is sent`);
    for (const waits of WAITING)
      await until(size, async () => {
        // Matches wait minutes for others, and refused mails for their next try.
        await workers.advance(MINUTE_MS);
        mails.advance(MINUTE_MS);
        return (await count(pool, waits)) === 0;
      });
    const problems = [...(await workers.problems()), ...mails.problems];
    if (killer.kills === 0) problems.push('no worker was killed');
    const verdict = await judge(pool, { expected: expectedPairs(world, changed), taken: mails.taken });
    for (const line of [...problems, ...verdict.faults.slice(0, 10)]) ground.print(line);
    const perChange = await matchesPerChange(pool);
    return findings({ verdict, took, perChange, kills: killer.kills, refused: mails.refused, problems });
  } finally {
    await workers.stop();
    await mails.close();
  }
}

const WAITING = ['alert_events WHERE seq IS NULL', 'search_matches WHERE "alertId" IS NULL', 'alert_mails'];

function openWorkers(url: string) {
  const slots: (CandidateProcess | null)[] = Array.from({ length: WORKERS }, () => null);
  let ahead = 0;
  const open = async (slot: number) => {
    const worker = await startCandidate({ program: PROGRAM, env: { DATABASE_URL: url } });
    await worker.ask('start', { ahead });
    slots[slot] = worker;
  };
  return {
    async start() {
      for (const [slot, worker] of slots.entries()) if (worker === null) await open(slot);
    },
    async advance(ms: number) {
      ahead += ms;
      for (const worker of slots) await worker?.ask('start', { ahead });
    },
    async stop() {
      for (const [slot, worker] of slots.entries()) {
        slots[slot] = null;
        await worker?.stop();
      }
    },
    async problems(): Promise<string[]> {
      const lists = await Promise.all(slots.map((worker) => worker?.ask<string[]>('problems') ?? []));
      return lists.flat();
    },
    /** Kills one worker after the other with SIGKILL, and starts the next. */
    killEach(everyMs: number) {
      const over = new AbortController();
      const killer = { kills: 0, stop: async () => {} };
      const run = async () => {
        for (let slot = 0; ; slot = (slot + 1) % WORKERS) {
          await pause(everyMs, undefined, { signal: over.signal }).catch(() => {});
          if (over.signal.aborted) return;
          const doomed = slots[slot];
          process.kill(doomed?.pid ?? 0, 'SIGKILL');
          killer.kills += 1;
          await open(slot);
        }
      };
      const running = run();
      killer.stop = async () => {
        over.abort();
        await running;
      };
      return killer;
    },
  };
}

/** The sender of the web role, and a mail server that refuses a tenth. */
async function openMails(pool: Pool) {
  const server = await startMailServer();
  const site = ownSite();
  const reporter = benchReporter();
  let aheadMs = 0;
  const mailer = createMailer({
    smtpUrl: server.url,
    site,
    from: 'Bench <no-reply@homes.example>',
    logger: createLogger({ role: 'web', level: 'silent' }),
  });
  const sender = createAlertMailSender({
    pool,
    mailer,
    perRecipientHour: 0,
    perHour: 0,
    site: { ...site, origin: 'https://homes.example' },
    clock: { now: () => Date.now() + aheadMs },
    timers: systemTimers,
    intervalMs: LOOK_MS,
    // Refused mails are expected.
    reporter: { ...reporter, problem: () => {} },
    tokens: createAlertTokens(SECRET),
    units: site,
  });
  await sender.start();
  return {
    taken: server.taken,
    problems: reporter.problems,
    get refused() {
      return server.refused;
    },
    advance(ms: number) {
      aheadMs += ms;
    },
    async close() {
      await sender.stop(AbortSignal.timeout(LOOK_MS * 20));
      await mailer.close();
      await server.close();
    },
  };
}

async function timeMatches(
  pool: Pool,
  { url, homes }: { url: string; homes: Parameters<typeof changeHome>[1][] },
): Promise<number[]> {
  const worker = await startCandidate({ program: PROGRAM, env: { DATABASE_URL: url } });
  try {
    const took: number[] = [];
    for (const home of homes) {
      await changeHome(pool, home);
      const ms = await worker.ask<number | null>('matchOne');
      if (ms === null) throw new Error('a change made no event');
      took.push(ms);
    }
    return took;
  } finally {
    await worker.stop();
  }
}

/** Starts `task` so many times a second, and waits for all. */
async function at<T>(
  perSecond: number,
  things: readonly T[],
  task: (thing: T) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (const [index, thing] of things.entries()) {
    await pause(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    running.push(task(thing));
  }
  await Promise.all(running);
}

async function until(size: keyof typeof PATIENCE_MS, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS[size];
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('what was waited for did not happen in time');
    await pause(LOOK_MS);
  }
}

async function count(pool: Pool, what: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`);
  return rows[0]?.n ?? 0;
}

async function matchesPerChange(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(m."searchId")::int AS n FROM alert_events e LEFT JOIN search_matches m ON m."eventId" = e.id GROUP BY e.id`,
  );
  return rows.map(({ n }) => n);
}

interface Verdict {
  readonly pairs: number;
  readonly mailed: number;
  readonly faults: string[];
}

/** Each expected pair is in exactly one alert, each alert of a mailed search was taken once, and nothing else was. */
async function judge(
  pool: Pool,
  { expected, taken }: { expected: Map<string, boolean>; taken: ReadonlyMap<string, number> },
): Promise<Verdict> {
  const { rows } = await pool.query<{ id: string; pair: string }>(
    `SELECT a.id, a."searchId" || ' ' || (item ->> 'propertyId') AS pair
     FROM alerts a CROSS JOIN jsonb_array_elements(a.items) AS item`,
  );
  const faults: string[] = [];
  const seen = new Map<string, number>();
  const mails = new Set<string>();
  for (const { id, pair } of rows) {
    seen.set(pair, (seen.get(pair) ?? 0) + 1);
    const isMailed = expected.get(pair);
    if (isMailed === undefined) faults.push(`an alert names ${pair}, which the search does not find`);
    if (isMailed) mails.add(id);
  }
  for (const pair of expected.keys())
    if (seen.get(pair) !== 1) faults.push(`${pair} is in ${seen.get(pair) ?? 0} alerts`);
  for (const id of mails) {
    const times = taken.get(`${id}.alert`) ?? 0;
    if (times !== 1) faults.push(`the mail of alert ${id} was taken ${times} times`);
  }
  if (taken.size !== mails.size) faults.push(`${taken.size} mails for ${mails.size} alerts`);
  return { pairs: expected.size, mailed: mails.size, faults };
}

function findings({
  verdict,
  took,
  perChange,
  kills,
  refused,
  problems,
}: {
  verdict: Verdict;
  took: readonly number[];
  perChange: readonly number[];
  kills: number;
  refused: number;
  problems: readonly string[];
}): Figure[] {
  const figure = (
    title: string,
    unit: Figure['unit'],
    value: number,
    rest: Partial<Figure> = {},
  ): Figure => ({
    kind: 'figure',
    title,
    unit,
    value,
    ...rest,
  });
  return [
    figure(
      'homes that a search missed, or was alerted of twice',
      'count',
      verdict.faults.length + problems.length,
      {
        goal: { atMost: 0 },
        note: `of ${verdict.pairs} expected by slow code; ${kills} kills; ${verdict.mailed} mails, ${refused} refused at first`,
      },
    ),
    figure('searches that a change matches, 95th percentile', 'count', quantile(perChange, 0.95), {
      goal: { atLeast: MATCHES_P95 },
    }),
    figure('matching one change, 95th percentile', 'ms', quantile(took, 0.95), {
      goal: { atMost: MATCH_MS_P95 },
      note: 'the whole transaction, with the ways to the database and back',
    }),
  ];
}
