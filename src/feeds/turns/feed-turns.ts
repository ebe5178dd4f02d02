import { databaseFailure } from '../../../persistence/database/database-failure.ts';
import { feedsAtWork } from '../../../persistence/feeds/feed-queries.ts';
import { isConflict } from '../../../supervisors/actors/retry-policy.ts';
import type { Timers } from '../../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../../supervisors/sweepers/sweeper.ts';
import { type FeedStepPorts, stepFeed } from './feed-step.ts';

/**
 * Reads the feeds (docs/contract.md#feeds). One worker reads a feed at a time: its turn has an end by the database's
 * clock. A second one would do no harm, because a page is written only where the feed is still as it was seen.
 */
export interface FeedTurnPorts extends FeedStepPorts {
  timers: Timers;
  intervalMs: number;
  /** How long a turn lasts that its worker does not prolong. Milliseconds. */
  holdMs: number;
  /** Runs the work if the turn of that name is free, and prolongs it meanwhile. */
  takeTurn(
    turn: { name: string; everyMs: number; holdMs: number },
    work: () => Promise<void>,
  ): Promise<boolean>;
}

/** Feeds that are read at the same time. */
const AT_ONCE = 4;
/** The longest that a feed is read without giving others the turn. */
const MOST_MS = 300_000;

export function createFeedTurns(ports: FeedTurnPorts): Sweeper {
  return createSweeper({ ...ports, name: 'feed-turns', sweep: (signal) => sweepFeeds(ports, signal) });
}

async function sweepFeeds(ports: FeedTurnPorts, signal: AbortSignal): Promise<void> {
  const waiting = await feedsAtWork(ports.pool);
  const readers = Array.from({ length: Math.min(AT_ONCE, waiting.length) }, async () => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift())
      await readInTurn(ports, id, signal);
  });
  await Promise.all(readers);
}

async function readInTurn(ports: FeedTurnPorts, id: string, signal: AbortSignal): Promise<void> {
  await ports.takeTurn({ name: `feed:${id}`, everyMs: 0, holdMs: ports.holdMs }, async () => {
    const until = ports.clock.now() + MOST_MS;
    try {
      while (!signal.aborted && ports.clock.now() < until)
        if ((await stepFeed(ports, id, signal)) === 'REST') return;
    } catch (error) {
      if (signal.aborted) return;
      // One feed that fails keeps no other from being read.
      if (databaseFailure(error) === 'unavailable' || isConflict(error)) throw error;
      ports.reporter.count('sweep_failures');
      ports.reporter.problem('a feed could not be read', error, { id });
    }
  });
}
