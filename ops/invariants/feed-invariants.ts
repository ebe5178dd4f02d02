import {
  FEED_LISTINGS_AGAINST_THEIR_RULE,
  LISTINGS_UNLIKE_THEIR_RECORDS,
} from '../../persistence/feeds/feed-invariant-sql.ts';
import type { Invariant } from './pipeline-state.ts';

export const FEED_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I47',
    sentence:
      'Each current record of a listing has one listing, as the record says; no listing of a feed is without its record.',
    when: 'always',
    sql: LISTINGS_UNLIKE_THEIR_RECORDS,
    // A PipelineState does not contain listings.
    breaches: () => [],
  },
  {
    id: 'I48',
    sentence: 'Nothing of a feed is public that its record forbids, and the user of a feed has no session.',
    when: 'always',
    sql: FEED_LISTINGS_AGAINST_THEIR_RULE,
    // A PipelineState does not contain listings.
    breaches: () => [],
  },
];
