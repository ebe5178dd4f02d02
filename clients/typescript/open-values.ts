/**
 * States and other words of the API, as a client must take them: the ones it knows by name, and any other as it came. A
 * server that is newer than the app may send values that the app does not know. They pass through unchanged. The lists
 * are written by hand, as on the native clients; a test holds them against the server's.
 */

/** A type whose string unions are open: known words are completed by the editor, and a `switch` needs its default. */
export type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & Record<never, never>)
  : T extends readonly (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [K in keyof T]: Open<T[K]> }
      : T;

export const JOB_STATUSES = [
  'PENDING',
  'PROCESSING',
  'RETRYING',
  'CANCEL_REQUESTED',
  'SUCCESS',
  'FAILED',
  'CANCELED',
] as const;
export const TERMINAL_JOB_STATUSES = ['SUCCESS', 'FAILED', 'CANCELED'] as const;
export const DISPOSITIONS = ['ENQUEUED', 'EXISTING', 'style_exists'] as const;
export const REVIEW_STATUSES = ['PENDING_REVIEW', 'APPROVED'] as const;
export const ROOM_TYPES = [
  'BEDROOM',
  'LIVING_ROOM',
  'DINING_ROOM',
  'KITCHEN',
  'BATHROOM',
  'OFFICE',
  'TV_ROOM',
] as const;
export const STYLES = ['MODERN', 'SCANDINAVIAN', 'INDUSTRIAL', 'FARMHOUSE', 'TRADITIONAL', 'LUXURY'] as const;

/** A tour begins as REQUESTED. */
export const TOUR_STATUSES = [
  'REQUESTED',
  'RESCHEDULE_PROPOSED',
  'CONFIRMED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'COMPLETED',
  'NO_SHOW',
] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];
export type Disposition = (typeof DISPOSITIONS)[number];

/** Whether a word is one of a list's; if not, show it as it is or not at all, and take it for none of them. */
export function isOneOf<const Word extends string>(
  words: readonly Word[],
  value: string | null | undefined,
): value is Word {
  return words.some((word) => word === value);
}

/** Whether a job is over for good. A status that this client does not know is not taken for over: keep asking. */
export function isOver(status: string): status is (typeof TERMINAL_JOB_STATUSES)[number] {
  return isOneOf(TERMINAL_JOB_STATUSES, status);
}
