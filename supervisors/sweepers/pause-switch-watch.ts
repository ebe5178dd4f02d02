import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID, type PauseSwitchActor } from '../../persistence/actors/pause-switch-row.ts';
import type { ServerSight } from '../../persistence/database/server-identity.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import type { Service } from '../supervision/service.ts';
import { createSweeper } from './sweeper.ts';

/**
 * This process's copy of the pause switch, read again every interval, with the database server it lies on: a server
 * that the switch does not know closes it. Closed until the first read, and when the row is missing. While the database
 * is away the last value stays, which is safe: nothing can be bought without the database. A change takes effect within
 * one interval, after an outage within five seconds.
 */
export function watchPauseSwitch(ports: {
  store: Pick<ActorStore, 'read'>;
  seeServer(): Promise<ServerSight>;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  node: string;
  intervalMs: number;
  /** Called when the value changes, and after the first read. */
  onChange?(open: boolean): void;
}) {
  let known: boolean | null = null;
  const look = async () => {
    const sight = await ports.seeServer();
    const row = await ports.store.read('startGate', PAUSE_SWITCH_ID);
    const isKnown = row === null || serverOf(row) === sight.server;
    if (!isKnown) {
      const event = { type: 'SERVER_SEEN', at: ports.clock.now(), ...sight } as const;
      await ports.actorSystem.deliver(
        { to: 'startGate', id: PAUSE_SWITCH_ID, event },
        { by: `worker:${ports.node}` },
      );
    }
    const open = row?.state === 'OPEN' && (isKnown || row.context.server === null);
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

const serverOf = ({ context }: PauseSwitchActor): string | null => context.newServer ?? context.server;
