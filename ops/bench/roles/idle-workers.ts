import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Bench, Finding } from '../benchmark.ts';
import { startBenchEnvironment } from '../load/bench-environment.ts';

const WORKERS = { full: 50, quick: 4 };
/** What they did to begin is over by then, and connections that only that needed have been closed. */
const SETTLE_MS = { full: 75_000, quick: 45_000 };
/** Longer than the interval of most loops. */
const WATCHED_MS = { full: 120_000, quick: 30_000 };
const TRANSACTIONS_A_SECOND = 20;
const CONNECTIONS_EACH = 3;

/** What workers without work cost the database. */
export const idleBench: Bench = {
  name: 'idle',
  about: 'workers without work: transactions a second in all, connections of each',
  async run({ scratch, quick, print }) {
    const size = quick ? 'quick' : 'full';
    const workers = WORKERS[size];
    const environment = await startBenchEnvironment({ scratch, durable: false });
    const { pool } = environment;
    try {
      for (let started = 0; started < workers; started += 1) await environment.startRole('worker');
      print(`${workers} workers run`);
      await pause(SETTLE_MS[size]);
      const before = await transactions(pool);
      await pause(WATCHED_MS[size]);
      const seconds = WATCHED_MS[size] / 1_000;
      const perSecond = ((await transactions(pool)) - before) / seconds;
      const connections = await connectionsOfWorkers(pool);
      const findings: Finding[] = [
        {
          kind: 'figure',
          title: `transactions of ${workers} idle workers in all`,
          unit: '/s',
          value: perSecond,
          goal: { atMost: TRANSACTIONS_A_SECOND },
          note: `in ${seconds} s; begun ${SETTLE_MS[size] / 1_000} s after the last start`,
        },
        {
          kind: 'figure',
          title: `connections of an idle worker, ${workers} of them`,
          unit: 'count',
          value: connections / workers,
          goal: { atMost: CONNECTIONS_EACH },
        },
      ];
      return findings;
    } finally {
      await environment.stop();
    }
  },
};

/** All that ended until now, rolled back ones included. The question itself is one of them. */
async function transactions(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ended: string }>(
    'SELECT xact_commit + xact_rollback AS ended FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.ended);
}

async function connectionsOfWorkers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'proscenium-worker-%'`,
  );
  return rows[0]?.open ?? 0;
}
