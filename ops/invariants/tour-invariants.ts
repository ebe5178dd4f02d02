import { HOLDING_TOUR_STATUSES, OPEN_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import type { TourActor } from '../../persistence/actors/tour-row.ts';
import {
  HELD_SLOTS_THAT_OVERLAP,
  TOMBSTONES_REFERRED_TO,
  TOURS_OPEN_TWICE,
} from '../../persistence/console/invariant-sql.ts';
import { type Invariant, repeated, singlesOf } from './pipeline-state.ts';

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
    sentence: 'Nobody who deleted their account is signed in, owns or serves a listing, or has an open tour.',
    when: 'always',
    sql: TOMBSTONES_REFERRED_TO,
    // A PipelineState does not contain people.
    breaches: () => [],
  },
];

function overlap({ context: one }: TourActor, { context: other }: TourActor): boolean {
  if (one.agentId !== other.agentId || one.heldSlot === null || other.heldSlot === null) return false;
  return one.heldSlot.startsAt < other.heldSlot.endsAt && other.heldSlot.startsAt < one.heldSlot.endsAt;
}
