import { readFeed } from '../../../persistence/feeds/feed-queries.ts';
import { feedsWithPictures } from '../../../persistence/feeds/picture-downloads.ts';
import type { Clock, Timers } from '../../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../../supervisors/sweepers/sweeper.ts';
import { isOutage, publicErrorFrom } from '../../errors/outage.ts';
import { accountOf } from '../turns/feed-step.ts';
import type { FeedTurnPorts } from '../turns/feed-turns.ts';
import { type PictureStepPorts, stepPicture } from './picture-step.ts';

/**
 * Downloads the pictures of the feeds, one at a time for each account (docs/feeds-in.md#pictures). A second worker with the
 * same turn would do no harm: a picture is stored only by the claim of its row.
 */
export interface PictureTurnPorts extends PictureStepPorts, Pick<FeedTurnPorts, 'takeTurn' | 'holdMs'> {
  clock: Clock;
  timers: Timers;
  intervalMs: number;
}

/** The longest that one account is served without giving others the turn. */
const MOST_MS = 60_000;

export function createPictureTurns(ports: PictureTurnPorts): Sweeper {
  return createSweeper({
    ...ports,
    name: 'feed-pictures',
    isOutage: isTemporary,
    sweep: (signal) => sweepPictures(ports, signal),
  });
}

const isTemporary = (error: unknown): boolean =>
  isOutage(error) || publicErrorFrom(error)?.code === 'SERVICE_UNAVAILABLE';

async function sweepPictures(ports: PictureTurnPorts, signal: AbortSignal): Promise<void> {
  for (const id of await feedsWithPictures(ports.pool)) {
    if (signal.aborted) return;
    const feed = await readFeed(ports.pool, id);
    if (feed === null) continue;
    const turn = { name: `feed-pictures:${accountOf(feed)}`, everyMs: 0, holdMs: ports.holdMs };
    await ports.takeTurn(turn, async () => {
      const until = ports.clock.now() + MOST_MS;
      try {
        while (!signal.aborted && ports.clock.now() < until)
          if ((await stepPicture(ports, id, signal)) === 'REST') return;
      } catch (error) {
        if (isTemporary(error)) throw error;
        // One feed that fails keeps no other from its pictures.
        ports.reporter.count('sweep_failures');
        ports.reporter.problem('a picture of a feed could not be taken', error, { id });
      }
    });
  }
}
