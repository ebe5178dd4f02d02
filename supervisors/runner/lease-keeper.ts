import type { LeaseStore, LeaseTaken } from '../../persistence/actors/actor-store.ts';
import type { Lease } from '../../persistence/actors/rows/job-row.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import { endedBy, type Service } from '../supervision/service.ts';

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

/**
 * Owns the leases that this process holds, and renews them by the page with the heartbeat. Leases are longer when there
 * are very many, so that their renewals stay within what a database can do besides its work. Always true: a holder may act
 * until its `lost` signal. A lease that was not renewed in time is lost before another process may take over, by
 * this process's own clock and a separate timer: a renewal without an answer delays neither the timer nor the next
 * renewal. After a crash the leases run out. A stop keeps renewing held leases until they are given back or the
 * deadline has passed; the rest run out.
 */
export class LeaseKeeper implements Service {
  readonly name = 'lease-keeper';
  readonly owner: string;
  readonly #ports: LeaseKeeperPorts;
  readonly #held = new Map<string, Held>();
  readonly #inUse = new Semaphore();
  readonly #stopping = new AbortController();
  readonly #watched: WakeableTimer;
  /** Two concurrent takes of one job could finish in the wrong order, and no timer would watch the later lease. */
  readonly #asked = new Set<string>();
  #running: Promise<unknown> = Promise.resolve();
  /** Resolved while any lease is held, and at the end: without leases neither loop wakes up. */
  #anyHeld = Promise.withResolvers<void>();
  /** When the next look for leases that have ended is due. */
  #nextLookAt = Number.POSITIVE_INFINITY;
  /** That of the present pause between two heartbeats; a lease that is taken meanwhile outlasts it. */
  #pauseStretch = 1;

  constructor(ports: LeaseKeeperPorts) {
    this.#ports = ports;
    this.owner = ports.owner;
    this.#watched = new WakeableTimer(ports.timers);
  }

  held(): number {
    return this.#held.size;
  }

  async start(): Promise<void> {
    this.#running = Promise.all([this.#beats(), this.#expiry()]);
  }

  async done(): Promise<void> {
    await this.#running;
  }

  async stop(deadline: AbortSignal): Promise<void> {
    await endedBy(this.#inUse.below(1), deadline);
    this.#stopping.abort();
    this.#anyHeld.resolve();
    this.#watched.wake();
    await endedBy(this.#running, deadline);
  }

  /** Takes the job's lease; null when it is held, is being taken here already, or there is nothing to hold. */
  async take(jobId: string): Promise<KeptLease | null> {
    const [wanted] = this.#ask([jobId]);
    if (wanted === undefined) return null;
    const taken = await this.#ports.store
      .acquireLease({ jobId, ...this.#holder() })
      .finally(() => this.#asked.delete(jobId));
    return taken && this.#keep(taken);
  }

  /** Takes those leases of these jobs that can be had now. */
  async takeAll(jobIds: readonly string[]): Promise<KeptLease[]> {
    const wanted = this.#ask(jobIds);
    if (wanted.length === 0) return [];
    const taken = await this.#ports.store.acquireLeases({ jobIds: wanted, ...this.#holder() }).finally(() => {
      for (const jobId of wanted) this.#asked.delete(jobId);
    });
    return taken.map((one) => this.#keep(one));
  }

  /**
   * The lease of that epoch only: a holder that lost it does not give back a later one. The move that ended a job has
   * released its lease (I14), so nothing is left to write.
   */
  async giveBack(jobId: string, { epoch, isOver }: { epoch: number; isOver: boolean }): Promise<void> {
    if (this.#held.get(jobId)?.lease.epoch !== epoch) return;
    this.#letGo(jobId);
    if (!isOver) await this.#ports.store.releaseLease({ jobId, owner: this.owner, epoch });
  }

  /** Those of the jobs that are neither held nor being taken here; they count as being taken now. */
  #ask(jobIds: readonly string[]): string[] {
    const wanted = jobIds.filter((jobId) => !this.#held.has(jobId) && !this.#asked.has(jobId));
    for (const jobId of wanted) this.#asked.add(jobId);
    return wanted;
  }

  #keep(taken: LeaseTaken): KeptLease {
    const lost = new AbortController();
    this.#held.set(taken.jobId, { lease: taken.lease, lost, leave: this.#inUse.enter() });
    this.#anyHeld.resolve();
    // The answer was late.
    if (this.#endOf(taken.lease) < this.#nextLookAt) this.#watched.wake();
    return { ...taken, lost: lost.signal };
  }

  #letGo(jobId: string): void {
    this.#held.get(jobId)?.leave();
    if (this.#held.delete(jobId) && this.#held.size === 0) this.#anyHeld = Promise.withResolvers();
  }

  #lose(jobId: string, entry: Held): void {
    if (this.#held.get(jobId) !== entry) return;
    this.#letGo(jobId);
    entry.lost.abort();
    this.#ports.reporter.count('leases_lost');
  }

  /** Early enough for its holder to stop before another may take it. */
  #endOf({ expiresAt }: Lease): number {
    return expiresAt - this.#ports.timings.heartbeatMs / 2;
  }

  #stretch(): number {
    return Math.max(1, (this.#held.size * MS_PER_JOB) / this.#ports.timings.ttlMs);
  }

  #holder(): { owner: string; at: number; ttlMs: number } {
    const { clock, timings } = this.#ports;
    const ttlMs = Math.round(timings.ttlMs * Math.max(this.#pauseStretch, this.#stretch()));
    return { owner: this.owner, at: clock.now(), ttlMs };
  }

  async #beats(): Promise<void> {
    const { timers, timings } = this.#ports;
    const underWay = new Set<Promise<void>>();
    while (!this.#stopping.signal.aborted) {
      await this.#anyHeld.promise;
      this.#pauseStretch = this.#stretch();
      await timers.sleep(Math.round(timings.heartbeatMs * this.#pauseStretch), this.#stopping.signal);
      if (this.#stopping.signal.aborted || this.#held.size === 0) continue;
      const one: Promise<void> = this.#beat().finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
  }

  async #beat(): Promise<void> {
    const entries = [...this.#held];
    for (let from = 0; from < entries.length; from += PAGE) {
      const page = entries
        .slice(from, from + PAGE)
        .filter(([jobId, entry]) => this.#held.get(jobId) === entry);
      if (page.length > 0) await this.#renew(page);
    }
  }

  /** A lease whose row is locked stays as it is until a later renewal, or until its own time is up. */
  async #renew(entries: readonly [string, Held][]): Promise<void> {
    const { store, reporter } = this.#ports;
    const request = this.#holder();
    const leases = entries.map(([jobId, { lease }]) => ({ jobId, epoch: lease.epoch }));
    try {
      const { renewed, locked } = await store.renewLeases({ ...request, leases });
      const [prolonged, kept] = [new Set(renewed), new Set(locked)];
      const expiresAt = request.at + request.ttlMs;
      for (const [jobId, entry] of entries) {
        if (prolonged.has(jobId))
          entry.lease = { ...entry.lease, expiresAt: Math.max(entry.lease.expiresAt, expiresAt) };
        else if (!kept.has(jobId)) this.#lose(jobId, entry);
      }
    } catch (error) {
      reporter.problem('leases could not be renewed', error, { held: entries.length });
    }
  }

  /** Ends each lease that was not renewed in time. */
  async #expiry(): Promise<void> {
    const { clock, timings } = this.#ports;
    while (!this.#stopping.signal.aborted) {
      await this.#anyHeld.promise;
      const now = clock.now();
      this.#nextLookAt = now + timings.ttlMs / 2;
      for (const [jobId, entry] of this.#held) {
        const end = this.#endOf(entry.lease);
        if (end <= now) this.#lose(jobId, entry);
        else this.#nextLookAt = Math.min(this.#nextLookAt, end);
      }
      await this.#watched.wait(this.#nextLookAt - now);
    }
  }
}
