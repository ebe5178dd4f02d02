import { PAUSE_SWITCH_ID, type PauseSwitchActor } from '../../persistence/actors/rows/pause-switch-row.ts';
import type { ServerSight } from '../../persistence/database/server-identity.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import type { Service } from '../supervision/service.ts';
import { createSweeper } from './sweeper.ts';

/**
 * This process's copy of the pause switch, read again every interval, with the database server it lies on: a server
 * that the switch does not know closes it. Closed until the first read, and when the row is missing. While the database
 * is away the last value stays, which is safe: nothing can be bought without the database. A change takes effect within
 * one interval, after an outage within five seconds. A worker without work looks less often, and again before it
 * decides.
 */
export interface PauseSwitchPorts {
  look(): Promise<{ sight: ServerSight; pauseSwitch: PauseSwitchActor | null }>;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  node: string;
  intervalMs: number;
  /** Between two looks of a worker that has not decided anything lately. */
  idleMs: number;
  /** Whether this worker looks for all, so that another server is noticed within one interval. */
  looksForAll(): boolean;
  /** Called when the value changes, and after the first read. */
  onChange?(open: boolean): void;
}

/** After a decision another one may follow, and a purchase that it allowed may still be on its way. */
const BUSY_MS = 15_000;

export function watchPauseSwitch(ports: PauseSwitchPorts) {
  const { clock, intervalMs } = ports;
  let known: boolean | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let busyUntil = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  const read = async () => {
    const at = clock.now();
    const { sight, pauseSwitch: row } = await ports.look();
    const isTrusted =
      row === null || (serverOf(row) === sight.server && !(sight.wasSilent && row.state === 'OPEN'));
    if (!isTrusted) {
      const event = { type: 'SERVER_SEEN', at: clock.now(), ...sight } as const;
      await ports.actorSystem.deliver(
        { to: 'startGate', id: PAUSE_SWITCH_ID, event },
        { by: `worker:${ports.node}` },
      );
    }
    lookedAt = at;
    const open = row?.state === 'OPEN' && (isTrusted || (row.context.server === null && !sight.wasSilent));
    if (open === known) return;
    known = open;
    ports.onChange?.(open);
  };
  const look = (): Promise<void> => {
    looking ??= read().finally(() => {
      looking = null;
    });
    return looking;
  };
  return {
    isOpen: (): boolean => known === true,
    /** Before a decision: resolves when the value is not older than one interval, or cannot be read. */
    async refresh(): Promise<void> {
      busyUntil = clock.now() + BUSY_MS;
      // The loop reports a failure, and tries again.
      if (clock.now() - lookedAt >= intervalMs) await look().catch(() => {});
    },
    /** A fresh reader for each (re)start; it has read once when it has started. */
    service(): Service {
      const sweeper = createSweeper({
        ...ports,
        name: 'pause-switch',
        async sweep() {
          const now = clock.now();
          if (now < busyUntil || ports.looksForAll() || now - lookedAt >= ports.idleMs) await look();
        },
      });
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
