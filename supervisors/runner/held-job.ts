import type { PurchaseKind } from '../../machines/purchase-kinds.ts';
import type { JobAggregate } from '../../persistence/actors/rows/job-row.ts';
import type { ActivityPorts } from '../activities/activity.ts';
import type { Origin } from '../actors/messages.ts';
import type { WakeableTimer } from '../concurrency/wakeable-timer.ts';
import type { StartsAllowed, Tracer } from '../ports.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

/** When the queue received an entry, and how often it has delivered it. */
export interface QueueDelivery {
  queueAttempt: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
}

/**
 * What an entry of the queue came to: for how long no entry may start, so that this one must go back into the queue;
 * 'over' when its job has ended, so that nothing follows; else null.
 */
export type QueueOutcome = number | 'over' | null;

/** What the runner needs for jobs of one kind. */
export interface RunnerPorts extends ActivityPorts {
  kind: PurchaseKind;
  leases: LeaseKeeper;
  tracer?: Tracer;
  startsAllowed: StartsAllowed;
  /** Brings the answer of `startsAllowed` up to date, as far as it can be read. */
  refreshStarts(): Promise<void>;
  /** At most so many purchases of the kind begin in a minute, over all workers; null where there is no start rate. */
  startsPerMinute: number | null;
  concurrency: number;
}

/** A job whose lease this process holds, for as long as `lost` has not aborted. */
export interface HeldJob {
  jobId: string;
  origin: Origin & Required<Pick<Origin, 'lease'>>;
  lost: AbortSignal;
  /** Another process let an earlier lease run out with a pass of local work marked, as after a crash. */
  interrupted: boolean;
  /** Passes in a row that ended with an internal error, including those of earlier holders. */
  failures: number;
  timer: WakeableTimer;
  /** The running activity, and how to stop it. */
  running: { activity: string; pollAt: number | null; abort: Pick<AbortController, 'abort'> } | null;
  /**
   * The wait that the latest pass returned, and the attempt's mark at that time. A nudge alone does not end the wait; a
   * changed attempt does.
   */
  pause: { mark: string; until: number } | null;
  /**
   * The job as it was when its lease was taken, or as the latest pass has left it, until a nudge says that someone else
   * has changed it.
   */
  seen: JobAggregate | null;
  /** How often someone else has changed the job. */
  nudges: number;
  /** A pass has found the job in a final state. */
  isOver: boolean;
}
