import { REPORTS_THAT_WITHDRAW } from '../../machines/limits.ts';
import { HOLDING_TOUR_STATUSES, OPEN_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import type { TourActor } from '../../persistence/actors/rows/tour-row.ts';
import {
  HELD_SLOTS_THAT_OVERLAP,
  REPORTED_BUT_SHOWN,
  REPORTS_OF_NO_PICTURE,
  TOMBSTONES_REFERRED_TO,
  TOURS_OPEN_TWICE,
} from '../../persistence/console/invariant-sql.ts';
import { type Invariant, type PipelineState, repeated, singlesOf } from './pipeline-state.ts';

const OPEN = new Set<string>(OPEN_TOUR_STATUSES);
const HOLDING = new Set<string>(HOLDING_TOUR_STATUSES);

export const TOUR_INVARIANTS: readonly Invariant[] = [
  {
    id: 'T1',
    sentence: 'A customer has at most one open tour of a listing.',
    when: 'always',
    sql: TOURS_OPEN_TWICE,
    breaches: (state) =>
      repeated(
        singlesOf(state, 'tour')
          .filter((tour) => OPEN.has(tour.state))
          .map(({ details }) => `customer ${details.customerId}, listing ${details.propertyId}`),
      ).map((pair) => `two open tours of ${pair}`),
  },
  {
    id: 'T2',
    sentence: "No two held times of an agent's calendar overlap.",
    when: 'always',
    sql: HELD_SLOTS_THAT_OVERLAP,
    breaches: (pipeline) => {
      const held = singlesOf(pipeline, 'tour').filter(
        ({ state, context }) => HOLDING.has(state) && context.heldSlot !== null,
      );
      return held.flatMap((one, index) =>
        held
          .slice(index + 1)
          .filter((other) => overlap(one, other))
          .map((other) => `agent ${one.context.agentId} is held by tours ${one.id} and ${other.id} at once`),
      );
    },
  },
  {
    id: 'T3',
    sentence:
      'No one who deleted their account is signed in, serves a listing, owns one on the market, or has an open tour or offer.',
    when: 'always',
    sql: TOMBSTONES_REFERRED_TO,
    // A PipelineState does not contain people.
    breaches: () => [],
  },
  {
    id: 'T4',
    sentence: 'A picture with three open reports is withdrawn by reports or an operator.',
    when: 'always',
    sql: REPORTED_BUT_SHOWN,
    breaches: (state) => {
      const open = Map.groupBy(openReports(state), ({ details }) => details.stagedImageId);
      return singlesOf(state, 'imageReview').flatMap(({ id, context: { withdrawnBy } }) => {
        const count = open.get(id)?.length ?? 0;
        const isHeld = withdrawnBy !== null && withdrawnBy !== 'AGENT';
        return count < REPORTS_THAT_WITHDRAW || isHeld ? [] : [`picture ${id} has ${count} open reports`];
      });
    },
  },
  {
    id: 'T5',
    sentence: 'An open report is about a picture that exists and was public.',
    when: 'always',
    sql: REPORTS_OF_NO_PICTURE,
    breaches: (state) => {
      const seen = new Set(
        singlesOf(state, 'imageReview')
          .filter((image) => image.state !== 'PENDING_REVIEW')
          .map(({ id }) => id),
      );
      return openReports(state)
        .filter(({ details }) => !seen.has(details.stagedImageId))
        .map(({ id, details }) => `open report ${id} is about picture ${details.stagedImageId}`);
    },
  },
];

const openReports = (state: PipelineState) =>
  singlesOf(state, 'mismatchReport').filter((report) => report.state === 'OPEN');

function overlap({ context: one }: TourActor, { context: other }: TourActor): boolean {
  if (one.agentId !== other.agentId || one.heldSlot === null || other.heldSlot === null) return false;
  return one.heldSlot.startsAt < other.heldSlot.endsAt && other.heldSlot.startsAt < one.heldSlot.endsAt;
}
