import type { Lease, LeaseStore } from '../persistence/actor-store.ts';
import type { Clock, Reporter, Timers } from './ports.ts';
import type { Service } from './service.ts';

/**
 * Owns the leases that this process holds: one statement renews them all with the heartbeat. Always true: a
 * holder that is not told "lost" may act; one that could not be renewed in time is told so before another
 * process may take over, by this process's own clock. A crash simply lets the leases run out.
 */
export interface LeaseTimings {
  ttlMs: number;
  heartbeatMs: number;
}
export const DEFAULT_LEASE_TIMINGS: LeaseTimings = { ttlMs: 15_000, heartbeatMs: 5_000 };

interface Held {
  lease: Lease;
  lost: AbortController;
}

export interface LeaseKeeper extends Service {
  readonly owner: string;
  /** Takes the job's lease; null when somebody holds it or there is nothing to hold. */
  take(jobId: string): Promise<{ lease: Lease; lost: AbortSignal; abandonedBy: string | null } | null>;
  giveBack(jobId: string): Promise<void>;
  held(): number;
}

export function createLeaseKeeper(ports: {
  store: Pick<LeaseStore, 'acquireLease' | 'renewLeases' | 'releaseLease'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  owner: string;
  timings: LeaseTimings;
}): LeaseKeeper {
  const { store, clock, timers, reporter, owner, timings } = ports;
  const held = new Map<string, Held>();
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const lose = (jobId: string, entry: Held) => {
    if (held.get(jobId) === entry) held.delete(jobId);
    entry.lost.abort();
    reporter.count('leases_lost');
  };

  /** A lease whose time is nearly up by our clock is given up before others may take it. */
  const dropExpired = () => {
    for (const [jobId, entry] of held)
      if (clock.now() >= entry.lease.expiresAt - timings.heartbeatMs / 2) lose(jobId, entry);
  };

  const beat = async () => {
    if (held.size === 0) return;
    const asked = [...held];
    const at = clock.now();
    try {
      const renewed = new Set(
        await store.renewLeases({
          leases: asked.map(([jobId, { lease }]) => ({ jobId, epoch: lease.epoch })),
          owner,
          at,
          ttlMs: timings.ttlMs,
        }),
      );
      for (const [jobId, entry] of asked) {
        if (renewed.has(jobId)) entry.lease = { ...entry.lease, expiresAt: at + timings.ttlMs };
        else if (held.get(jobId) === entry) lose(jobId, entry);
      }
    } catch (error) {
      reporter.problem('leases could not be renewed', error, { held: asked.length });
    }
    dropExpired();
  };

  return {
    name: 'lease-keeper',
    owner,
    held: () => held.size,
    async start() {
      running = (async () => {
        while (!stopping.signal.aborted) {
          await timers.sleep(timings.heartbeatMs, stopping.signal);
          await beat();
        }
      })();
    },
    done: () => running,
    async stop() {
      stopping.abort();
      await running;
    },
    async take(jobId) {
      if (held.has(jobId)) return null;
      const taken = await store.acquireLease({ jobId, owner, at: clock.now(), ttlMs: timings.ttlMs });
      if (!taken) return null;
      const lost = new AbortController();
      held.set(jobId, { lease: taken.lease, lost });
      return { ...taken, lost: lost.signal };
    },
    async giveBack(jobId) {
      const entry = held.get(jobId);
      if (!entry) return;
      held.delete(jobId);
      await store.releaseLease({ jobId, owner, epoch: entry.lease.epoch });
    },
  };
}
