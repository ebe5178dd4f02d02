import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { START_GATE_ID } from '../../persistence/actors/start-gate-row.ts';
import type { Reporter, StartSwitch, Timers } from '../ports.ts';
import type { Service } from '../supervision/service.ts';
import { createSweeper } from './sweeper.ts';

/**
 * What this process knows of the start gate: the row as it was read last, again every interval. Closed until it was
 * read once, and when the row is gone. While the database is away the last answer stays, and does no harm: without the
 * database nothing can be bought. A gate that was closed is heard of within one interval, after an outage within five
 * seconds.
 */
export interface StartGateWatch {
  isOpen: StartSwitch;
  /** A fresh reader for each (re)start; it has read once when it has started. */
  service(): Service;
}

export function watchStartGate(ports: {
  store: Pick<ActorStore, 'read'>;
  timers: Timers;
  reporter: Reporter;
  intervalMs: number;
  /** What was read differs from what was known; the first time, too. */
  onChange?(open: boolean): void;
}): StartGateWatch {
  let known: boolean | null = null;
  const look = async () => {
    const open = (await ports.store.read('startGate', START_GATE_ID))?.state === 'OPEN';
    if (open === known) return;
    known = open;
    ports.onChange?.(open);
  };
  return {
    isOpen: () => known === true,
    service() {
      const sweeper = createSweeper({ ...ports, name: 'start-gate', sweep: look });
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
