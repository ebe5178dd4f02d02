import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { addFeed } from '../../../src/feeds/add-feed.ts';
import { feedProfile } from '../../../src/feeds/profiles/profiles.ts';
import type { FeedCursor, FeedPage, FeedRecord } from '../../../src/feeds/reading/feed-reading.ts';
import { type FeedStepPorts, stepFeed } from '../../../src/feeds/turns/feed-step.ts';
import { createActorSystem } from '../../../supervisors/actors/deliver.ts';

/** A feed whose source is a table in memory, read in pages of three. */
const PAGE = 3;
const HOUR = 3_600_000;

export interface Source {
  records: Map<string, Record<string, unknown>>;
  /** Makes the answer of a list something else. */
  changeList: ((page: FeedPage) => FeedPage) | null;
  /** Thrown instead of an answer. */
  failure: Error | null;
  requests: number;
}
export const emptySource = (): Source => ({
  records: new Map(),
  changeList: null,
  failure: null,
  requests: 0,
});

export const home = (key: string, more: object = {}): [string, Record<string, unknown>] => [
  key,
  {
    ListingKey: key,
    StandardStatus: 'Active',
    ListPrice: 500_000,
    OriginalListPrice: 500_000,
    City: 'Ballard',
    StateOrProvince: 'WA',
    UnparsedAddress: `${key.length} Main St ${key}`,
    OnMarketDate: '2026-01-05',
    ModificationTimestamp: '2026-02-01T00:00:00.000Z',
    ListOfficeName: 'Harbor Realty',
    ...more,
  },
];

function answer(source: Source, cursor: FeedCursor): FeedPage {
  const keys = [...source.records.keys()].sort();
  const at = cursor.at as { way: string; skip?: number; waiting?: readonly { key: string }[] };
  const recordOf = (key: string): FeedRecord => {
    const body = source.records.get(key) ?? {};
    return { resource: 'Property', key, body, modifiedAt: String(body.ModificationTimestamp) };
  };
  if (at.way === 'KEYS') {
    const wanted = (at.waiting ?? []).map(({ key }) => key);
    return {
      records: wanted.filter((key) => source.records.has(key)).map(recordOf),
      gone: wanted.filter((key) => !source.records.has(key)).map((key) => ({ resource: 'Property', key })),
      cursor: { ...cursor, done: true },
      done: true,
    };
  }
  const skip = at.skip ?? 0;
  const page = keys.slice(skip, skip + PAGE);
  const done = skip + PAGE >= keys.length;
  const next = { ...cursor, done, at: { way: 'SKIP', skip: skip + PAGE } as never };
  if (cursor.phase === 'REPLICATE') return { records: page.map(recordOf), gone: [], cursor: next, done };
  const listed = page.map((key) => ({ key, modifiedAt: null }));
  const whole: FeedPage = {
    records: [],
    gone: [],
    cursor: next,
    done,
    keys: {
      resource: 'Property',
      keys: listed,
      complete: done ? true : null,
      listed: skip + page.length,
      count: keys.length,
    },
  };
  return source.changeList?.(whole) ?? whole;
}

const silent = {
  report: () => {},
  alert: () => {},
  transition: () => {},
  count: () => {},
  problem: () => {},
};

/** The parts of a worker that reads the feed, on any pool. */
export function feedPorts(pool: Pool, source: Source, clock: { now(): number }): FeedStepPorts {
  const store = createPostgresActorStore(pool);
  const actorSystem = createActorSystem({
    store,
    queues: {} as never,
    nudges: { publish: () => {} } as never,
    reporter: silent,
    timers: { sleep: async () => {} },
    chance: { id: randomUUID, jitter: () => 0 },
  });
  return {
    pool,
    actorSystem,
    clock,
    reporter: silent,
    node: 'w1',
    currency: 'USD',
    profileOf: feedProfile,
    secretOf: () => 'secret',
    async read(_source, _id, cursor) {
      source.requests += 1;
      if (source.failure !== null) throw source.failure;
      return answer(source, cursor);
    },
    lookEveryMs: 60_000,
    reconcileEveryMs: HOUR,
  };
}

export async function startedFeed(
  ports: FeedStepPorts,
  now: number,
  given: { profile?: string; baseUrl?: string; credentials?: string; filter?: string } = {},
): Promise<string> {
  const id = await addFeed(
    { pool: ports.pool, actorSystem: ports.actorSystem as never },
    {
      name: `Feed ${randomUUID().slice(0, 8)}`,
      profile: 'generic',
      baseUrl: 'https://feed.example/odata/',
      credentials: null,
      filter: null,
      contactAgents: [],
      ...given,
    },
    { at: now, by: 'operator:ann' },
  );
  await ports.actorSystem.deliver(
    { to: 'feed', id, event: { type: 'START_ASKED', at: now } },
    { by: 'operator:ann' },
  );
  return id;
}

/** Steps until the feed rests; a feed that never rests fails. */
export async function settle(ports: FeedStepPorts, id: string): Promise<void> {
  for (let steps = 0; steps < 500; steps++)
    if ((await stepFeed(ports, id, new AbortController().signal)) === 'REST') return;
  throw new Error('the feed does not rest');
}
