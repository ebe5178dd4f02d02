import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/pause-switch-row.ts';
import type { Reporter, Timers } from '../ports.ts';
import type { Service } from '../supervision/service.ts';
import { createSweeper } from './sweeper.ts';

/**
 * This process's copy of the pause switch, read again every interval. Closed until the first read, and when the row is
 * missing. While the database is away the last value stays, which is safe: nothing can be bought without the database.
 * A change takes effect within one interval, after an outage within five seconds.
 */
export function watchPauseSwitch(ports: {
  store: Pick<ActorStore, 'read'>;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
  /** Called when the value changes, and after the first read. */
  onChange?(open: boolean): void;
}) {
  let known: boolean | null = null;
  const look = async () => {
    const open = (await ports.store.read('startGate', PAUSE_SWITCH_ID))?.state === 'OPEN';
    if (open === known) return;
    known = open;
    ports.onChange?.(open);
  };
  return {
    isOpen: (): boolean => known === true,
    /** A fresh reader for each (re)start; it has read once when it has started. */
    service(): Service {
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
