import type { LeaseStore } from '../../persistence/actors/actor-store.ts';
import type { ActivityPorts } from '../activities/activity.ts';
import type { Origin } from '../actors/messages.ts';
import type { LocalWorkGate } from '../concurrency/local-work-gate.ts';
import type { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { Clock, Reporter, StartsAllowed, Timers, Tracer } from '../ports.ts';
import type { StopSignals } from '../supervision/service.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

/** What running a job of any kind takes. */
export interface RunPorts {
  leases: LeaseKeeper;
  store: Pick<
    LeaseStore,
    'quarantine' | 'markLocalPass' | 'clearLocalPass' | 'noteFailure' | 'forgetFailures'
  >;
  /** One for all kinds of jobs of a process. */
  localWork: LocalWorkGate;
  timers: Timers;
  clock: Clock;
  reporter: Reporter;
  tracer?: Tracer;
  concurrency: number;
}

/** When and how often the queue has brought an entry. */
export interface QueueDelivery {
  queueAttempt: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
}

/** One kind of job, as the runner and its loop know it. */
export interface JobWork {
  /** The kind of actor that alerts speak of. */
  readonly kind: string;
  /**
   * Lets a waiting job start, or try again, if its machine says so. Answers how long to wait when the start rate leaves no
   * room now, else null.
   */
  admit(held: HeldJob, delivery: QueueDelivery): Promise<number | null>;
  /** One look and one pass; how long to wait before the next, or null when nothing is left to do here. */
  pass(held: HeldJob, stop: StopSignals): Promise<number | null>;
  /**
   * Counts a crash during the pass of local work that is marked in the row; `certain` when the pass itself threw. False
   * when no such pass is marked, or when it could not be written down.
   */
  recordCrash(held: HeldJob, crash: { certain: boolean }): Promise<boolean>;
  /** Stops an effect that the row does not ask for any more. */
  abortIfMovedOn(held: HeldJob): Promise<void>;
}

/** What running a staging job takes. */
export interface RunnerPorts extends ActivityPorts {
  leases: LeaseKeeper;
  tracer?: Tracer;
  startsAllowed: StartsAllowed;
  /** At most so many purchases begin in a minute, over all workers. */
  startsPerMinute: number;
  concurrency: number;
}

/** A job whose lease this process holds, for as long as `lost` has not aborted. */
export interface HeldJob {
  jobId: string;
  origin: Origin & Required<Pick<Origin, 'lease'>>;
  lost: AbortSignal;
  /** Another process let an earlier lease run out, which is what a crash looks like, with a pass of local work marked. */
  interrupted: boolean;
  /** Passes in a row that ended with an error of ours, those of earlier holders included. */
  failures: number;
  timer: WakeableTimer;
  /** The effect under way, and how to stop it. */
  running: { activity: string; abort: Pick<AbortController, 'abort'> } | null;
  /**
   * The wait that the latest pass asked for and what the attempt was like then. Every commit nudges its own
   * writer too, so a nudge alone does not cut it short; news about the attempt does.
   */
  pause: { mark: string; until: number } | null;
}
