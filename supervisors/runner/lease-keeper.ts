import type { LeaseStore, LeaseTaken } from '../../persistence/actors/actor-store.ts';
import type { Lease } from '../../persistence/actors/rows/job-row.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import { endedBy } from '../supervision/service.ts';

/**
 * Owns the leases that this process holds, and renews them by the page with the heartbeat. Leases are longer when there
 * are very many, so that their renewals stay within what a database can do besides its work. Always true: a holder may act
 * until its `lost` signal. A lease that was not renewed in time is lost before another process may take over, by
 * this process's own clock and a separate timer: a renewal without an answer delays neither the timer nor the next
 * renewal. After a crash the leases run out. A stop keeps renewing held leases until they are given back or the
 * deadline has passed; the rest run out.
 */
export interface LeaseTimings {
  ttlMs: number;
  heartbeatMs: number;
}
export const DEFAULT_LEASE_TIMINGS: LeaseTimings = { ttlMs: 15_000, heartbeatMs: 5_000 };
/** 20,000 jobs have leases of 15 s, 100,000 of 75 s: at most 4,000 renewals a second. */
const MS_PER_JOB = 0.75;
/** Renewed by one statement. It holds these rows until it commits, and moves of these jobs wait for it. */
const PAGE = 2_000;

interface Held {
  lease: Lease;
  lost: AbortController;
  /** The job no longer counts as held. */
  leave(): void;
}

export interface LeaseKeeperPorts {
  store: Pick<LeaseStore, 'acquireLease' | 'acquireLeases' | 'renewLeases' | 'releaseLease'>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  owner: string;
  timings: LeaseTimings;
}

export type KeptLease = LeaseTaken & { lost: AbortSignal };
export type LeaseKeeper = ReturnType<typeof createLeaseKeeper>;

export function createLeaseKeeper({ store, clock, timers, reporter, owner, timings }: LeaseKeeperPorts) {
  const held = new Map<string, Held>();
  const inUse = new Semaphore();
  const stopping = new AbortController();
  const watched = new WakeableTimer(timers);
  /** Two concurrent takes of one job could finish in the wrong order, and no timer would watch the later lease. */
  const asked = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();
  /** Resolved while any lease is held, and at the end: without leases neither loop wakes up. */
  let anyHeld = Promise.withResolvers<void>();

  /** When the next look for leases that have ended is due. */
  let nextLookAt = Number.POSITIVE_INFINITY;
  /** Early enough for its holder to stop before another may take it. */
  const endOf = ({ expiresAt }: Lease): number => expiresAt - timings.heartbeatMs / 2;

  const letGo = (jobId: string): void => {
    held.get(jobId)?.leave();
    if (held.delete(jobId) && held.size === 0) anyHeld = Promise.withResolvers();
  };
  const lose = (jobId: string, entry: Held): void => {
    if (held.get(jobId) !== entry) return;
    letGo(jobId);
    entry.lost.abort();
    reporter.count('leases_lost');
  };
  const stretch = () => Math.max(1, (held.size * MS_PER_JOB) / timings.ttlMs);
  /** That of the present pause between two heartbeats; a lease that is taken meanwhile outlasts it. */
  let pauseStretch = 1;
  const ttlMs = () => Math.round(timings.ttlMs * Math.max(pauseStretch, stretch()));
  const holder = () => ({ owner, at: clock.now(), ttlMs: ttlMs() });
  /** Those of the jobs that are neither held nor being taken here; they count as being taken now. */
  const ask = (jobIds: readonly string[]): string[] => {
    const wanted = jobIds.filter((jobId) => !held.has(jobId) && !asked.has(jobId));
    for (const jobId of wanted) asked.add(jobId);
    return wanted;
  };
  const keep = (taken: LeaseTaken): KeptLease => {
    const lost = new AbortController();
    held.set(taken.jobId, { lease: taken.lease, lost, leave: inUse.enter() });
    anyHeld.resolve();
    // The answer was late.
    if (endOf(taken.lease) < nextLookAt) watched.wake();
    return { ...taken, lost: lost.signal };
  };
  /** A lease whose row is locked stays as it is until a later renewal, or until its own time is up. */
  const renew = async (entries: readonly [string, Held][]): Promise<void> => {
    const request = holder();
    const leases = entries.map(([jobId, { lease }]) => ({ jobId, epoch: lease.epoch }));
    try {
      const { renewed, locked } = await store.renewLeases({ ...request, leases });
      const [prolonged, kept] = [new Set(renewed), new Set(locked)];
      const expiresAt = request.at + request.ttlMs;
      for (const [jobId, entry] of entries) {
        if (prolonged.has(jobId))
          entry.lease = { ...entry.lease, expiresAt: Math.max(entry.lease.expiresAt, expiresAt) };
        else if (!kept.has(jobId)) lose(jobId, entry);
      }
    } catch (error) {
      reporter.problem('leases could not be renewed', error, { held: entries.length });
    }
  };
  const beat = async (): Promise<void> => {
    const entries = [...held];
    for (let from = 0; from < entries.length; from += PAGE) {
      const page = entries.slice(from, from + PAGE).filter(([jobId, entry]) => held.get(jobId) === entry);
      if (page.length > 0) await renew(page);
    }
  };
  const beats = async () => {
    const underWay = new Set<Promise<void>>();
    while (!stopping.signal.aborted) {
      await anyHeld.promise;
      pauseStretch = stretch();
      await timers.sleep(Math.round(timings.heartbeatMs * pauseStretch), stopping.signal);
      if (stopping.signal.aborted || held.size === 0) continue;
      const one: Promise<void> = beat().finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  };
  /** Ends each lease that was not renewed in time. */
  const expiry = async () => {
    while (!stopping.signal.aborted) {
      await anyHeld.promise;
      const now = clock.now();
      nextLookAt = now + timings.ttlMs / 2;
      for (const [jobId, entry] of held) {
        const end = endOf(entry.lease);
        if (end <= now) lose(jobId, entry);
        else nextLookAt = Math.min(nextLookAt, end);
      }
      await watched.wait(nextLookAt - now);
    }
  };

  return {
    name: 'lease-keeper',
    owner,
    held: () => held.size,
    async start() {
      running = Promise.all([beats(), expiry()]);
    },
    done: async () => void (await running),
    async stop(deadline: AbortSignal) {
      await endedBy(inUse.below(1), deadline);
      stopping.abort();
      anyHeld.resolve();
      watched.wake();
      await endedBy(running, deadline);
    },
    /** Takes the job's lease; null when it is held, is being taken here already, or there is nothing to hold. */
    async take(jobId: string): Promise<KeptLease | null> {
      const [wanted] = ask([jobId]);
      if (wanted === undefined) return null;
      const taken = await store.acquireLease({ jobId, ...holder() }).finally(() => asked.delete(jobId));
      return taken && keep(taken);
    },
    /** Takes those leases of these jobs that can be had now. */
    async takeAll(jobIds: readonly string[]): Promise<KeptLease[]> {
      const wanted = ask(jobIds);
      if (wanted.length === 0) return [];
      const taken = await store.acquireLeases({ jobIds: wanted, ...holder() }).finally(() => {
        for (const jobId of wanted) asked.delete(jobId);
      });
      return taken.map(keep);
    },
    /**
     * The lease of that epoch only: a holder that lost it does not give back a later one. The move that ended a job has
     * released its lease (I14), so nothing is left to write.
     */
    async giveBack(jobId: string, { epoch, isOver }: { epoch: number; isOver: boolean }): Promise<void> {
      if (held.get(jobId)?.lease.epoch !== epoch) return;
      letGo(jobId);
      if (!isOver) await store.releaseLease({ jobId, owner, epoch });
    },
  };
}
