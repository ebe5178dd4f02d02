import type { AttemptNumber } from './provider-attempt-model.ts';

/**
 * The kinds of jobs that buy from the provider. Each name is the kind of the job's actor. All run the same job machine
 * and the same attempt machine; they differ in these values, in the job's details, and in what is sent and collected.
 */
export const PURCHASE_KINDS = {
  /** A staged picture of a room. */
  stagingJob: { type: 'ROOM_STAGING', attempts: 2 },
  /** A text about a listing. */
  descriptionJob: { type: 'DESCRIPTION', attempts: 1 },
} as const satisfies Record<string, { type: string; attempts: AttemptNumber }>;

export type PurchaseKind = keyof typeof PURCHASE_KINDS;

export const PURCHASE_KIND_NAMES = Object.keys(PURCHASE_KINDS) as PurchaseKind[];

/** The kind of the jobs with this value in `ai_jobs.type`. */
export function purchaseKindOf(type: (typeof PURCHASE_KINDS)[PurchaseKind]['type']): PurchaseKind {
  return type === 'DESCRIPTION' ? 'descriptionJob' : 'stagingJob';
}
