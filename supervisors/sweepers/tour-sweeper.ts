import { TOUR_OUTCOME_PATIENCE_MS } from '../../machines/limits.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import { type Clock, type InTurn, type Reporter, type Timers, turnEvery } from '../ports.ts';
import { createSweeper, eachRow, type Sweeper } from './sweeper.ts';

/**
 * Sends tours the event for an expired answer or outcome. The machine decides by the instant on the event, so a second
 * or a late event does no harm. One worker sweeps at a time.
 */
const PAGE = 200;

export interface TourSweeperPorts {
  actorSystem: Pick<ActorSystem, 'deliver'>;
  /** Ids of the tours that may be due, in order. */
  dueTours(page: {
    at: number;
    outcomePatienceMs: number;
    afterId: string | null;
    limit: number;
  }): Promise<string[]>;
  inTurn: InTurn;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  /** Milliseconds. */
  intervalMs: number;
  node: string;
}

export function createTourSweeper(ports: TourSweeperPorts): Sweeper {
  const { actorSystem, clock, reporter, node } = ports;
  const sweep = (signal: AbortSignal) => {
    const at = clock.now();
    return eachRow(
      { reporter, signal, what: 'tour sweeper' },
      (afterId) => ports.dueTours({ at, outcomePatienceMs: TOUR_OUTCOME_PATIENCE_MS, afterId, limit: PAGE }),
      async (id) => {
        const event = { type: 'TIME_PASSED', at, actor: 'system' } as const;
        await actorSystem.deliver({ to: 'tour', id, event }, { by: `worker:${node}` });
        return true;
      },
    );
  };
  const turn = { name: 'tours', everyMs: turnEvery(ports.intervalMs) };
  return createSweeper({
    ...ports,
    name: 'tour-sweeper',
    sweep: async (signal) => void (await ports.inTurn(turn, () => sweep(signal))),
  });
}
