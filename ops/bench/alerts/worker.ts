import { randomUUID } from 'node:crypto';
import { inTurn } from '../../../persistence/actors/sweep-turns.ts';
import { matchEvents } from '../../../persistence/alerts/match-events.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { systemTimers } from '../../../src/time.ts';
import { sweepAlerts } from '../../../src/worker/alert-turns.ts';
import { serveTurns } from '../peers/serve-turns.ts';
import { benchReporter } from './reporter.ts';

/** The turn of alerts as a worker makes it, in a process that is killed. Its clock is ahead by what it is given. */
const EVERY_MS = 200;
const HOLD_MS = 2_000;
const reporter = benchReporter();
const database = await openDatabase({ url: process.env.DATABASE_URL ?? '', poolSize: 4 });
const ended = new AbortController();
let aheadMs = 0;
const clock = { now: () => Date.now() + aheadMs };
const parts = {
  clock,
  chance: { id: randomUUID, jitter: () => 0 },
  config: { site: ownSite() },
  database,
  reporter,
};

async function sweepOn(): Promise<void> {
  const turn = { name: 'search-alerts', holder: randomUUID(), everyMs: EVERY_MS, holdMs: HOLD_MS };
  while (!ended.signal.aborted) {
    await inTurn(database.pool, turn, (held) => sweepAlerts(parts, held, ended.signal));
    await systemTimers.sleep(EVERY_MS, ended.signal);
  }
}
let sweeping: Promise<void> | null = null;

serveTurns(
  {
    async start({ ahead }: { ahead: number }) {
      aheadMs = ahead;
      sweeping ??= sweepOn();
    },
    /** Milliseconds of a transaction that matches one event, or null when none waits. */
    async matchOne() {
      const began = performance.now();
      const taken = await matchEvents(database.pool, { at: clock.now(), limit: 1 });
      return taken === 0 ? null : performance.now() - began;
    },
    problems: async () => reporter.problems,
  },
  async () => {
    ended.abort('over');
    await sweeping;
    await database.close();
  },
);
