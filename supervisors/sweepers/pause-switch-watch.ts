import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/pause-switch-row.ts';
import type { Reporter, StartsAllowed, Timers } from '../ports.ts';
import type { Service } from '../supervision/service.ts';
import { createSweeper } from './sweeper.ts';

/**
 * What this process knows of the pause switch: the row as it was read last, again every interval. Closed until it was
 * read once, and when the row is gone. While the database is away the last answer stays, which is safe: without the
 * database nothing can be bought. A change takes effect within one interval, after an outage within five seconds.
 */
export interface PauseSwitchWatch {
  isOpen: StartsAllowed;
  /** A fresh reader for each (re)start; it has read once when it has started. */
  service(): Service;
}

export function watchPauseSwitch(ports: {
  store: Pick<ActorStore, 'read'>;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
  /** What was read differs from what was known; the first time, too. */
  onChange?(open: boolean): void;
}): PauseSwitchWatch {
  let known: boolean | null = null;
  const look = async () => {
    const open = (await ports.store.read('startGate', PAUSE_SWITCH_ID))?.state === 'OPEN';
    if (open === known) return;
    known = open;
    ports.onChange?.(open);
  };
  return {
    isOpen: () => known === true,
    service() {
      const sweeper = createSweeper({ ...ports, name: 'pause-switch', sweep: look });
      return {
        ...sweeper,
        async start() {
          await look();
          await sweeper.start();
        },
      };
    },
  };
}
