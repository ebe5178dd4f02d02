import type { Pool } from 'pg';
import { lastWriteOf } from '../../persistence/accounts/last-writes.ts';
import type { Reader } from '../../persistence/database/reader.ts';
import { createHeartbeat, type Heartbeat } from '../../persistence/standbys/heartbeat.ts';
import { BEAT_MS, LOOK_MS } from '../../persistence/standbys/limits.ts';
import { createStandby, type Standby } from '../../persistence/standbys/standbys.ts';
import type { Reporter, Timers } from '../../supervisors/ports.ts';
import type { ChildSpec } from '../../supervisors/supervision/supervisor.ts';
import { createSweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { PublicCaller, PublicReads } from '../api/services.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { PublicWork } from './public-work.ts';

/** Chooses the server that a call reads what is public from (ARCHITECTURE.md#reading-from-standbys). */
export interface PublicReading {
  /** What one call reads with: all of it from one server, as long as that server answers. */
  of(caller: PublicCaller): Promise<PublicReads>;
  /** The same from the primary. */
  ofPrimary(caller: PublicCaller): PublicReads;
  /** What keeps watch on the standbys; none without standbys. */
  readonly children: readonly ChildSpec[];
  close(): Promise<void>;
}

export interface PublicReadingOptions {
  primaryUrl: string;
  standbyUrls: readonly string[];
  pool: Pool;
  /** The primary, on connections for the public alone. */
  primary: Reader;
  work: Pick<PublicWork, 'readerFor'>;
  applicationName: string;
  /** Called once for each server, whose answers it may cache; the result is called for each caller. */
  openReads(): (reader: Reader) => PublicReads;
  timers: Timers;
  reporter: Reporter;
  logger: Logger;
  metrics: Pick<Metrics, 'publicReads' | 'standbyLag'>;
}

export function openPublicReading(options: PublicReadingOptions): PublicReading {
  const { pool, primary, standbyUrls, work, metrics } = options;
  const serve = (reader: Reader) => {
    const readsWith = options.openReads();
    return (caller: PublicCaller) => readsWith(work.readerFor(caller, reader));
  };
  const ofPrimary = serve(primary);
  if (standbyUrls.length === 0)
    return { of: async (caller) => ofPrimary(caller), ofPrimary, children: [], close: async () => {} };

  const now = () => performance.now();
  const heartbeat = createHeartbeat({ ...options, now });
  const standbys = standbyUrls.map((url) => openStandby(url, { ...options, heartbeat, now }));
  const served = standbys.map((standby) => ({ standby, from: serve(standby.reader) }));
  /** The standbys take turns. */
  let turn = 0;
  const usable = (position: bigint | null) => {
    const inOrder = served.map((_, index) => served[(turn + index) % served.length]);
    return inOrder.find((one) => one?.standby.isUsable(position))?.from ?? null;
  };
  return {
    async of(caller) {
      turn += 1;
      const hasAny = usable(null) !== null;
      const { user } = caller;
      const position = hasAny && user !== null ? await lastWriteOf(pool, user.id) : null;
      const fromStandby = usable(position);
      const instead = position === null ? 'primary_stale' : 'primary_own_write';
      metrics.publicReads.inc({ to: fromStandby === null ? instead : 'standby' });
      return (fromStandby ?? ofPrimary)(caller);
    },
    ofPrimary,
    children: watchersOf(options, { heartbeat, standbys }),
    async close() {
      await Promise.all([heartbeat, ...standbys].map((one) => one.close()));
    },
  };
}

function openStandby(
  url: string,
  options: PublicReadingOptions & { heartbeat: Heartbeat; now(): number },
): Standby {
  const { logger, metrics } = options;
  return createStandby({
    ...options,
    url,
    onFailedRead: () => metrics.publicReads.inc({ to: 'primary_failed' }),
    onSight(standby, sight, error) {
      if (sight === 'standby') logger.info({ standby }, 'a standby answers');
      else logger.warn({ standby, sight, err: error }, 'a standby is not read; the primary answers');
    },
  });
}

/** A loop for each server, so that one that hangs delays nothing else. */
function watchersOf(
  { timers, reporter, metrics }: PublicReadingOptions,
  { heartbeat, standbys }: { heartbeat: Heartbeat; standbys: readonly Standby[] },
): ChildSpec[] {
  const common = { timers, reporter };
  return [
    {
      name: 'standby-heartbeat',
      create: () =>
        createSweeper({
          ...common,
          name: 'standby-heartbeat',
          intervalMs: BEAT_MS,
          sweep: () => heartbeat.beat(),
          // Without a heartbeat the primary answers everything, which is no reason to end the process.
          isOutage: () => true,
        }),
    },
    ...standbys.map((standby, index) => {
      const name = `standby-${index + 1}`;
      const sweep = async () => {
        await standby.look();
        metrics.standbyLag.set({ standby: standby.name }, standby.staleness() / 1_000);
      };
      return { name, create: () => createSweeper({ ...common, name, intervalMs: LOOK_MS, sweep }) };
    }),
  ];
}
