import { CAUSE_INVARIANTS } from './cause-invariants.ts';
import {
  ALERT_INVARIANTS,
  CHANGE_INVARIANTS,
  CONSENT_INVARIANTS,
  INTAKE_INVARIANTS,
  LOG_INVARIANTS,
} from './consent-invariants.ts';
import { CRASH_INVARIANTS } from './crash-invariants.ts';
import { DELIVERY_INVARIANTS } from './delivery-invariants.ts';
import { FEED_INVARIANTS } from './feed-invariants.ts';
import { GROUP_INVARIANTS } from './group-invariants.ts';
import { OWNERSHIP_INVARIANTS } from './ownership-invariants.ts';
import type { Invariant, PipelineState } from './pipeline-state.ts';
import { PURCHASE_INVARIANTS } from './purchase-invariants.ts';
import { REVIEW_INVARIANTS, STORAGE_INVARIANTS } from './review-and-storage-invariants.ts';
import { STATE_INVARIANTS } from './state-invariants.ts';
import { TOUR_INVARIANTS } from './tour-invariants.ts';

/** Every invariant of the pipeline that its rows can decide; used by simulations, crash runs and operators. */
export const INVARIANTS: readonly Invariant[] = [
  ...PURCHASE_INVARIANTS,
  ...CAUSE_INVARIANTS,
  ...CRASH_INVARIANTS,
  ...STATE_INVARIANTS,
  ...OWNERSHIP_INVARIANTS,
  ...REVIEW_INVARIANTS,
  ...GROUP_INVARIANTS,
  ...STORAGE_INVARIANTS,
  ...DELIVERY_INVARIANTS,
  ...TOUR_INVARIANTS,
  ...CONSENT_INVARIANTS,
  ...INTAKE_INVARIANTS,
  ...LOG_INVARIANTS,
  ...ALERT_INVARIANTS,
  ...FEED_INVARIANTS,
  ...CHANGE_INVARIANTS,
];

/** All breaches, each line beginning with the invariant's number. `quiet` includes those that hold only at rest. */
export function breachesOf(state: PipelineState, { quiet }: { quiet: boolean }): string[] {
  return INVARIANTS.filter(({ when }) => quiet || when === 'always').flatMap((invariant) =>
    invariant.breaches(state).map((line) => `${invariant.id} ${line}`),
  );
}
