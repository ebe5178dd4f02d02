import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FEED_LISTINGS_AGAINST_THEIR_RULE,
  LISTINGS_UNLIKE_THEIR_RECORDS,
} from '../../../persistence/feeds/feed-invariant-sql.ts';
import { stepFeed } from '../../../src/feeds/turns/feed-step.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import {
  emptySource,
  feedPorts,
  home,
  type Source,
  settle,
  startedFeed,
} from '../../support/worlds/feed-world.ts';
import { NAMED_POINTS, WEB_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';

/**
 * The reader of a feed loses its database at each commit, before it and after it, as when its worker is killed there. The
 * next one continues: at the end the listings are those of the source, each once, with one history.
 */
const TEST_MS = 60_000;
const database = useStoreDatabase();
let gate: PostgresGate;
let doomed: pg.Pool;
let source: Source;
beforeAll(async () => {
  gate = await openPostgresGate(database.url);
  doomed = new pg.Pool({ connectionString: gate.url, max: 2 });
  doomed.on('error', () => {});
});
afterAll(async () => {
  await doomed.end();
  await gate.close();
});
beforeEach(async () => {
  await database.clear();
  source = emptySource();
});

/** The source, as the listings must be in the end. */
const truth = () =>
  [...source.records].map(([key, { ListPrice, StandardStatus }]) => ({
    key,
    price: ListPrice,
    status: StandardStatus,
  }));
const here = async (id: string) =>
  (
    await database.pool.query(
      `select "originatingSystemKey" as key, "listPrice"::float8 as price, "standardStatus" as status from properties
       where "feedId" = $1 and "standardStatus" <> 'Delete' order by 1`,
      [id],
    )
  ).rows;
const steps = {
  'reads a page of records': 'insert into feed_records',
  'reads a page of keys': 'update feed_records r set "listedAt"',
  'lets listings leave': "set state = 'GONE'",
  'ends a list': 'LIST_COMPLETE',
};

describe.each(WEB_POINTS)('a reader that is cut off %s', (point) => {
  test.each(Object.entries(steps))(
    `while it %s (${NAMED_POINTS[point].meaning}): the listings are those of the source`,
    async (_what, words) => {
      const clock = { now: () => Date.now() };
      const sound = feedPorts(database.pool, source, clock);
      const broken = feedPorts(doomed, source, clock);
      source.records = new Map(Array.from({ length: 20 }, (_, n) => home(`k${String(n).padStart(2, '0')}`)));
      const id = await startedFeed(sound, Date.now());
      const isLoad = words === 'insert into feed_records';
      if (!isLoad) await settle(sound, id);
      source.records.delete('k07');
      Object.assign(source.records.get('k11') ?? {}, {
        ListPrice: 450_000,
        PriceChangeTimestamp: '2026-02-02T00:00:00Z',
      });
      if (!isLoad) await database.pool.query('update feeds set "nextLookAt" = null');
      if (!isLoad && words !== 'insert into feed_records') {
        await settle(sound, id);
        await sound.actorSystem.deliver(
          { to: 'feed', id, event: { type: 'RECONCILE_ASKED', at: Date.now() } },
          { by: 'operator:ann' },
        );
      }
      const cut = gate.cutAt(point, words);
      const signal = new AbortController().signal;
      const doom = async () => {
        for (;;) if ((await stepFeed(broken, id, signal)) === 'REST') return;
      };
      await expect(doom()).rejects.toThrow();
      await cut;
      await settle(sound, id);
      if (isLoad) {
        // No list of keys has mended anything: the page of the one that died was read again.
        expect(await here(id)).toEqual(truth());
        await sound.actorSystem.deliver(
          { to: 'feed', id, event: { type: 'RECONCILE_ASKED', at: Date.now() } },
          { by: 'operator:ann' },
        );
        await settle(sound, id);
      }
      expect(await here(id)).toEqual(truth());
      const { rows } = await database.pool.query(
        `select "propertyId", event, at from property_price_events group by 1, 2, 3 having count(*) > 1`,
      );
      expect(rows).toEqual([]);
      for (const sql of [LISTINGS_UNLIKE_THEIR_RECORDS, FEED_LISTINGS_AGAINST_THEIR_RULE])
        expect((await database.pool.query(sql)).rows).toEqual([]);
    },
    TEST_MS,
  );
});
