import type { PoolClient } from 'pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberChanges } from '../../../persistence/reso/number-changes.ts';
import { systemTimers } from '../../../src/time.ts';
import { createChangeNumbers } from '../../../src/worker/change-numbers.ts';
import { seedOriginal, seedProperty, seedUser, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type FeedClient, numberAll, openFeedClient } from '../../support/reso/feed-client.ts';

/**
 * Consumers of the feed while transactions commit late (docs/feeds.md#the-order-of-changes): one follows by timestamps, one by events. Both
 * end equal to the database.
 */
const WRITERS = 40;
const ROUNDS = 6;
const HOMES = 60;
const host = useApiHost();
let client: FeedClient;
let writers: pg.Pool;
const homes: string[] = [];
const photos: string[] = [];

beforeAll(async () => {
  writers = new pg.Pool({ connectionString: host.config.databaseUrl, max: WRITERS + 2 });
  const ownerAgentId = await seedUser(host.pool);
  for (let index = 0; index < HOMES; index += 1) {
    const propertyId = await seedProperty(host.pool, { ownerAgentId, standardStatus: 'Active' });
    homes.push(propertyId);
    const original = await seedOriginal(host.pool, { propertyId });
    if (index % 3 === 0) photos.push(await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' }));
  }
  await numberAll(host);
  client = await openFeedClient(host);
});
afterAll(() => writers.end());

/** A copy that a consumer keeps: ListingKey to what it compares. */
type Copy = Map<string, string>;
interface Home {
  ListingKey: string;
  ListPrice: number;
  StandardStatus: string;
  ModificationTimestamp: string;
}
const compared = ({ ListPrice, StandardStatus }: Home) => `${ListPrice} ${StandardStatus}`;

/** Asks for what is later than the last time it has seen, page by page. What is gone it learns from a list of all keys. */
function byTime() {
  const copy: Copy = new Map();
  let since = '1970-01-01T00:00:00.000Z';
  return {
    copy,
    async poll(): Promise<void> {
      const options = {
        $filter: `ModificationTimestamp gt ${since}`,
        $orderby: 'ModificationTimestamp',
        $top: '7',
        $select: 'ListingKey,ListPrice,StandardStatus,ModificationTimestamp',
      };
      const { data, text } = await client.query('Property', options);
      if (data.value === undefined) throw new Error(text);
      for (const home of data.value as Home[]) {
        copy.set(home.ListingKey, compared(home));
        since = home.ModificationTimestamp;
      }
    },
  };
}

/** Asks for events after the last one, and fetches what they name. */
function byEvent() {
  const copy: Copy = new Map();
  const media = new Set<string>();
  let last = 0;
  return {
    copy,
    media,
    async poll(): Promise<void> {
      const options = {
        $filter: `EntityEventSequence gt ${last}`,
        $orderby: 'EntityEventSequence',
        $top: '25',
      };
      const { data } = await client.query('EntityEvent', options);
      for (const event of data.value) {
        const { status, data: record } = await client.get(event.ResourceRecordUrl);
        const key: string = event.ResourceRecordKey;
        if (event.ResourceName === 'Property') {
          if (status === 200) copy.set(key, compared(record));
          else copy.delete(key);
        } else if (event.ResourceName === 'Media') {
          if (status === 200) media.add(key);
          else media.delete(key);
        }
        last = event.EntityEventSequence;
      }
    },
  };
}

const MOVES = ['Active', 'Pending', 'Incomplete'];

/** One change of a writer, whose transaction stays open while others commit. */
async function change(connection: PoolClient, random: Random): Promise<void> {
  await connection.query('begin');
  if (random.chance(0.2))
    await connection.query(
      `update property_images set "withdrawnAt" = case when "withdrawnAt" is null then now() end,
         "withdrawnBy" = case when "withdrawnAt" is null then 'AGENT' end where id = $1`,
      [random.pick(photos)],
    );
  else
    await connection.query(`update properties set "listPrice" = $2, "standardStatus" = $3 where id = $1`, [
      random.pick(homes),
      random.between(0, 1_000_000),
      random.pick(MOVES),
    ]);
  // Longer than many turns: whatever was drawn or read at the write is old by the commit.
  await connection.query('select pg_sleep($1)', [random.next() * 0.12]);
  await connection.query('commit');
}

describe.each([1, 2, 3])('with %i as the seed', (seed) => {
  test(`${WRITERS} writers that commit late, workers that are ended, and both consumers end equal to the database`, async () => {
    const random = createRandom(seed);
    let isWriting = true;
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const connection = await writers.connect();
        try {
          for (let round = 0; round < ROUNDS; round += 1) await change(connection, random);
        } finally {
          connection.release();
        }
      }),
    ).finally(() => {
      isWriting = false;
    });
    const problems: unknown[] = [];
    const reporter = {
      report: () => {},
      alert: () => {},
      transition: () => {},
      count: () => {},
      problem: (_what: string, error: unknown) => void problems.push(error),
    };
    const startWorker = async () => {
      const worker = createChangeNumbers({
        reporter,
        timers: systemTimers,
        database: { pool: host.pool },
        timings: { changeNumbersMs: 5 },
      });
      await worker.start();
      return worker;
    };
    const time = byTime();
    const events = byEvent();
    let worker = await startWorker();
    const follow = async (consumer: { poll(): Promise<void> }) => {
      while (isWriting) await consumer.poll();
    };
    const replacing = (async () => {
      while (isWriting) {
        // A connection that is cut in the middle of a turn is a worker that was killed there.
        await host.rows(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
             and query like '%numbered AS MATERIALIZED%' and pid <> pg_backend_pid()`,
        );
        await worker.stop(AbortSignal.timeout(5_000));
        worker = await startWorker();
      }
    })();
    await Promise.all([writing, follow(time), follow(events), replacing]);
    await worker.stop(AbortSignal.timeout(5_000));
    await numberAll(host);

    const truth = await host.rows<{ id: string; price: number; status: string }>(
      `select id, "listPrice"::float8 as price, "standardStatus" as status from properties where "standardStatus" <> 'Incomplete'`,
    );
    const expected = new Map(truth.map(({ id, price, status }) => [id, `${price} ${status}`]));
    const sorted = (copy: Copy) => [...copy].toSorted();
    const shown = await host.rows<{ id: string }>(
      `select i.id from property_images i join properties p on p.id = i."propertyId" where p."standardStatus" <> 'Incomplete'
         and (not i."isStyled" or (i."reviewStatus" = 'APPROVED' and i."withdrawnAt" is null))`,
    );
    await eventually(
      async () => {
        await time.poll();
        await events.poll();
        const { data } = await client.query('Property', { $select: 'ListingKey', $top: '1000' });
        const keys = new Set((data.value as Home[]).map(({ ListingKey }) => ListingKey));
        for (const key of time.copy.keys()) if (!keys.has(key)) time.copy.delete(key);
        expect(sorted(time.copy)).toEqual(sorted(expected));
        expect(sorted(events.copy)).toEqual(sorted(expected));
        expect([...events.media].toSorted()).toEqual(shown.map(({ id }) => id).toSorted());
        return true;
      },
      { what: 'both consumers are equal to the database' },
    );
    expect((await numberChanges(host.pool)).numbered).toBe(0);
  }, 60_000);
});

test('a withdrawn picture is gone at once, and an event says so within two seconds', async () => {
  const worker = createChangeNumbers({
    reporter: {
      report: () => {},
      alert: () => {},
      transition: () => {},
      count: () => {},
      problem: (what: string, error: unknown) => {
        throw new Error(what, { cause: error });
      },
    },
    timers: systemTimers,
    database: { pool: host.pool },
    timings: { changeNumbersMs: 500 },
  });
  const propertyId = await seedProperty(host.pool, { standardStatus: 'Active' });
  const original = await seedOriginal(host.pool, { propertyId });
  const staged = await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' });
  await numberAll(host);
  const media = await client.get(`/Media('${staged}')`);
  expect(media.data).toMatchObject({
    MediaAlteration: ['Virtual Staging - Item Addition'],
    OriginalMediaKey: original.imageId,
    ProvenanceURL: `https://api.example.com/provenance/${staged}`,
    SHA256: expect.stringMatching(/^[0-9a-f]{64}$/),
    ShortDescription: 'AI · Virtually staged',
    ResourceRecordKey: propertyId,
  });
  expect((await client.get(`/Media('${original.imageId}')`)).data.MediaAlteration).toEqual(['None']);
  const last = (await client.query('EntityEvent', { $orderby: 'EntityEventSequence desc', $top: '1' })).data
    .value[0];
  await worker.start();
  await host.rows(
    `update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'AGENT', withdrawals = 1 where id = $1`,
    [staged],
  );
  const since = performance.now();
  expect((await client.get(`/Media('${staged}')`)).status).toBe(404);
  await eventually(
    async () => {
      const $filter = `EntityEventSequence gt ${last.EntityEventSequence} and ResourceRecordKey eq '${staged}'`;
      return (await client.query('EntityEvent', { $filter })).data.value.length === 1;
    },
    { what: 'the event of the withdrawal' },
  );
  expect(performance.now() - since).toBeLessThan(2_000);
  await worker.stop(AbortSignal.timeout(5_000));
});
