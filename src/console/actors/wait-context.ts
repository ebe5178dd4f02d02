import type { Wait } from '../../../persistence/actors/actor-kind.ts';

/** Conditions outside an actor that decide how long it waits. */
export interface WaitContext {
  /** Milliseconds since 1970. */
  at: number;
  /** `AI_ROOM_STAGING_ENABLED` of the worker that answers. */
  enabled: boolean;
  pauseSwitch: PauseSwitch;
  /** The actor's queue; null while the key-value store does not answer, or when there is no queue. */
  queue: QueueLook | null;
  startsPerMinute: number;
  slotsPerWorker: number;
  pollIntervalMs: number;
  dispatchMs: number;
}
export interface PauseSwitch {
  open: boolean;
  /** The operator who paused, and that operator's reason. */
  by: string | null;
  reason: string | null;
  /** The time span in which a failover may have lost decisions; null when there is none to check. */
  gap: { from: number; until: number } | null;
}
export interface QueueLook {
  /** The actor's entry; null when the queue has none. */
  entry: QueueEntry | null;
  /** The number of waiting entries, including this one. */
  waiting: number;
  paused: boolean;
  /** Processes that take entries from this queue. */
  consumers: number;
  /** Until the start rate admits the next entry; 0 when it would at once. */
  limitedMs: number;
}
export interface QueueEntry {
  /** As BullMQ names it: `waiting`, `active`, `delayed`, … */
  state: string;
  /** When a delayed entry becomes a waiting one. */
  delayedUntil: number | null;
  starts: number;
}

/** Why an actor does not move, in one or two sentences, and the reason that clients get. */
export type Explanation = Wait;
