import { type FeedContext, feedMachine } from '../../../machines/feed.ts';
import {
  type ActorKindDefinition,
  fixed,
  instant,
  plain,
  record,
  rowsOfTable,
  type StoredActor,
  type Wait,
  type WaitClock,
} from '../actor-kind.ts';

export interface FeedActor extends StoredActor<'feed', FeedContext> {
  details: FeedDetails;
}
/** What an operator said when they added the feed. */
export interface FeedDetails {
  name: string;
  profile: string;
  baseUrl: string;
  /** The name of an environment variable of the worker, or null. */
  credentials: string | null;
  filter: string | null;
  contactAgents: string[];
  userId: string;
  createdAt: number;
}

const FEED_STATES = ['IDLE', 'REPLICATING', 'RECONCILING', 'WAITING', 'PAUSED', 'FAILED'] as const;

/** One row of `feeds`. */
export const feedKind: ActorKindDefinition<FeedActor, typeof feedMachine> = {
  kind: 'feed',
  machine: feedMachine,
  file: 'feed',
  effects: ['alert'],
  keptIn: '`feeds.status`',
  rows: rowsOfTable<FeedActor>('feed', {
    table: 'feeds',
    context: {
      task: plain,
      dueAt: instant,
      failures: plain,
      lastError: plain,
      listBegan: instant,
      heldDeletions: plain,
      heldListings: plain,
      reconcileDueAt: instant,
    },
    beside: {
      details: fixed(
        record<FeedDetails>({
          name: plain,
          profile: plain,
          baseUrl: plain,
          credentials: plain,
          filter: plain,
          contactAgents: plain,
          userId: plain,
          createdAt: instant,
        }),
      ),
    },
  }),
  // A feed does not end: its journal is the history of what was asked of it.
  keepsJournal: true,
  list: {
    status: { column: 't.status', type: 'text', values: FEED_STATES },
    createdAt: 't."createdAt"',
    columns: {},
    narrow: { awaitsOperator: `(t."heldDeletions" > 0 OR t.status = 'FAILED')` },
    failed: ['FAILED'],
  },
  label: { one: 'Feed', many: 'Feeds' },
  foundBy: { feed: 'id' },
  page: {
    beside: {
      lastSeenAt: 't."lastSeenAt"',
      loadedAt: 't."loadedAt"',
      listings: `(SELECT count(*)::int FROM feed_records r WHERE r."feedId" = t.id AND r.resource = 'Property' AND r.state = 'CURRENT')`,
    },
    createdAt: 't."createdAt"',
    facts: ({ context, details }, { lastSeenAt, loadedAt, listings }) => ({
      Name: details.name,
      Profile: details.profile,
      Address: { code: details.baseUrl },
      Credentials: details.credentials === null ? 'none' : { code: details.credentials },
      Listings: String(listings),
      'Loaded first': { instant: timeOf(loadedAt) },
      'Last complete look': { instant: timeOf(lastSeenAt) },
      'All keys are compared': { instant: context.reconcileDueAt },
      'Last failure': context.lastError,
    }),
    wait: waitOf,
  },
};

const timeOf = (value: Date | null): number | null => value?.getTime() ?? null;

function waitOf({ state, context }: FeedActor, { when }: WaitClock): Wait | null {
  if (context.heldDeletions > 0)
    return {
      word: 'operator',
      sentence: `The last list of all keys did not name ${context.heldDeletions} of ${context.heldListings} listings: an operator decides whether they leave.`,
      person: true,
    };
  switch (state) {
    case 'IDLE':
      return { word: 'operator', sentence: 'Was never started.', person: false };
    case 'PAUSED':
      return { word: 'operator', sentence: 'Paused: an operator starts it again.', person: false };
    case 'FAILED':
      return {
        word: 'operator',
        sentence: `The source refuses what is asked (${context.lastError}): check credentials and profile, then start it.`,
        person: true,
      };
    case 'WAITING':
      return {
        word: 'source',
        sentence: `The source failed (${context.lastError}). The next request is due ${when(context.dueAt ?? 0)}.`,
        person: false,
      };
    default:
      return null;
  }
}
