import type { Wait } from '../../../persistence/actors/actor-kind.ts';

/** What stands around an actor and decides how long it waits. */
export interface WaitContext {
  /** Milliseconds since 1970. */
  at: number;
  /** `AI_ROOM_STAGING_ENABLED` of the worker that answers. */
  enabled: boolean;
  pauseSwitch: PauseSwitch;
  /** Of the actor's own queue; null while the key-value store does not answer, or where there is no queue. */
  queue: QueueLook | null;
  startsPerMinute: number;
  slotsPerWorker: number;
  pollIntervalMs: number;
  dispatchMs: number;
}
export interface PauseSwitch {
  open: boolean;
  /** Who closed it, and why in their words. */
  by: string | null;
  reason: string | null;
}
export interface QueueLook {
  /** The actor's entry; null when the queue does not know it. */
  entry: QueueEntry | null;
  /** Entries that wait, this one among them. */
  waiting: number;
  paused: boolean;
  /** Processes that take entries from this queue. */
  consumers: number;
  /** Until the start rate admits the next; 0 when it would at once. */
  limitedMs: number;
}
export interface QueueEntry {
  /** As BullMQ names it: `waiting`, `active`, `delayed`, … */
  state: string;
  /** When a delayed entry becomes one that waits. */
  delayedUntil: number | null;
  starts: number;
}

/** Why an actor does not move, in one sentence or two, and the reason that clients get. */
export type Explanation = Wait;
