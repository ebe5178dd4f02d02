import type { Doorbell } from './doorbell.ts';
import type { EffectPorts } from './effects/effect.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Origin } from './messages.ts';

/** What running a job takes. */
export interface RunnerPorts extends EffectPorts {
  leases: LeaseKeeper;
  /** The flag: only exact `true` starts purchases (platform.md, AI_ROOM_STAGING_ENABLED). */
  enabled: boolean;
  concurrency: number;
}

/** A job whose lease this process holds, for as long as `lost` has not aborted. */
export interface HeldJob {
  jobId: string;
  origin: Origin;
  lost: AbortSignal;
  /** The owner that let an earlier lease run out, which is what a crash looks like. */
  abandonedBy: string | null;
  doorbell: Doorbell;
  /** The effect under way, and how to stop it. */
  running: { effect: string; abort: AbortController } | null;
  /**
   * The wait that the latest pass asked for and what the attempt was like then. Every commit nudges its own
   * writer too, so a nudge alone does not cut it short; news about the attempt does.
   */
  pause: { mark: string; until: number } | null;
}

/** Why a run ends before the job does. */
export interface StopSignals {
  /** Set by the first wish to stop: finish the pass in hand, begin no other. */
  draining: AbortSignal;
  /** Set when the grace is over: abort the pass in hand. */
  forced: AbortSignal;
}
