import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { countDocuments } from '../../../persistence/search/search-documents.ts';
import { beginSearchEpoch } from '../../../persistence/search/search-epoch.ts';
import { isOutage } from '../../../src/errors/outage.ts';
import { indexProperty } from '../../../src/search/indexer.ts';
import type { Checkpoint } from '../../../supervisors/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import {
  documentFaults,
  isRebuilt,
  type SearchWorker,
  searchPorts,
  startRebuilder,
  useSearchStores,
} from '../../support/worlds/search-workers.ts';

/** As many listings as seven pages. */
const LISTINGS = 1_700;
const NEW_EPOCH = '00000000-0000-4000-8000-0000000000ff';

const stores = useSearchStores(9, LISTINGS);
let pool: Pool;
let redis: Redis;
const workers: SearchWorker[] = [];

beforeAll(() => {
  ({ pool, redis } = stores);
});
beforeEach(() => pool.query('update properties set "searchDirtyAt" = null'));
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});

async function worker(holder: string, checkpoint?: Checkpoint): Promise<SearchWorker> {
  const started = await startRebuilder({ pool, redis, holder, ...(checkpoint ? { checkpoint } : {}) });
  workers.push(started);
  return started;
}
const rebuilt = () => eventually(() => isRebuilt(pool, redis), { what: 'the rebuild' });
const written = (one: SearchWorker) => one.reporter.counts.search_documents_written ?? 0;
/** Runs `work` once, just before the given page is written. */
function atPage(number: number, work: (firstId: string) => Promise<void>): Checkpoint {
  let pages = 0;
  return async (name, firstId) => {
    if (name !== 'before-search-write') return;
    pages += 1;
    if (pages === number) await work(firstId);
  };
}
/** The ctid of each row and the transaction that wrote it. */
const rowVersions = async () =>
  (await pool.query('select id, ctid::text, xmin::text from properties order by id')).rows;

test('after a flush one of three workers writes every document once, and no listing row', async () => {
  const before = await rowVersions();
  const three = [await worker('a'), await worker('b'), await worker('c')];
  await rebuilt();
  expect(await documentFaults(pool, redis)).toEqual([]);
  const { expected } = await countDocuments(pool);
  expect(three.reduce((sum, one) => sum + written(one), 0)).toBe(expected);
  expect(await rowVersions()).toEqual(before);
  expect(three.flatMap(({ reporter }) => reporter.problems)).toEqual([]);
});

test('a flush during the rebuild restarts it', async () => {
  await worker(
    'a',
    atPage(4, async () => void (await redis.flushdb())),
  );
  await rebuilt();
  expect(await documentFaults(pool, redis)).toEqual([]);
});

test('when a worker stops responding, another one continues after the last recorded page', async () => {
  const released = Promise.withResolvers<void>();
  const hangs = Promise.withResolvers<void>();
  const first = await worker(
    'a',
    atPage(4, () => {
      hangs.resolve();
      return released.promise;
    }),
  );
  await hangs.promise;
  const second = await worker('b');
  await pool.query(`update sweep_turns set "heldUntil" = now() where name = 'search-rebuild'`);
  await rebuilt();
  const { expected } = await countDocuments(pool);
  expect(written(first)).toBeGreaterThan(0);
  expect(written(first) + written(second)).toBe(expected);
  released.resolve();
  await first.stop();
  expect(await documentFaults(pool, redis)).toEqual([]);
});

test('another database server, which has forgotten the newest versions, gets documents of its own', async () => {
  await worker('a');
  await rebuilt();
  const { rows } = await pool.query<{ id: string; version: number }>(
    `update properties set "listPrice" = "listPrice" + 1 where "standardStatus" = 'Active' and id in
       (select id from properties order by id desc limit 20) returning id, "searchVersion"::int as version`,
  );
  const [forgotten] = rows;
  for (const { id } of rows) await indexProperty(searchPorts({ pool, redis }), id);
  await redis.hset(`psearch:property:${forgotten?.id}`, {
    documentVersion: (forgotten?.version ?? 0) + 3,
    listPrice: '1',
  });
  expect((await documentFaults(pool, redis)).map(({ propertyId }) => propertyId)).toEqual([forgotten?.id]);
  await pool.query(
    `create or replace function current_server() returns text language sql as $$ select 'promoted' $$`,
  );
  await eventually(async () => (await documentFaults(pool, redis)).length === 0, {
    what: 'the documents of this server',
  });
  await rebuilt();
});

test('a rebuild that is requested during a rebuild starts at the first listing', async () => {
  const ids = new Set<string>();
  const asked = atPage(4, async () => void (await beginSearchEpoch(pool, NEW_EPOCH)));
  await worker('a', async (name, firstId) => {
    await asked(name, firstId);
    if (name === 'after-search-write') ids.add(firstId);
  });
  await rebuilt();
  const { rows } = await pool.query('select epoch, "throughId" from search_epoch');
  const last = await pool.query('select id from properties order by id desc limit 1');
  expect(rows[0].throughId).toBe(last.rows[0].id);
  expect(ids.size).toBe(Math.ceil(LISTINGS / 250));
  expect(await documentFaults(pool, redis)).toEqual([]);
});

test('a listing that changes between its read and its write is right in the end', async () => {
  const changed: string[] = [];
  await worker(
    'a',
    atPage(3, async (firstId) => {
      const { rows } = await pool.query<{ id: string }>(
        `select id from properties where id >= $1 and "standardStatus" = 'Active' order by id limit 3`,
        [firstId],
      );
      changed.push(...rows.map(({ id }) => id));
      const [dearer = '', withdrawn = '', gone = ''] = changed;
      await pool.query('update properties set "listPrice" = "listPrice" + 1 where id = $1', [dearer]);
      await pool.query(`update properties set "standardStatus" = 'Withdrawn' where id = $1`, [withdrawn]);
      await pool.query('delete from properties where id = $1', [gone]);
      for (const id of changed) await indexProperty(searchPorts({ pool, redis }), id);
    }),
  );
  await rebuilt();
  expect(changed).toHaveLength(3);
  expect(await documentFaults(pool, redis)).toEqual([]);
});

test('the rebuild waits while the store is full, and resumes when it has room', async () => {
  const server = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  const store = new Redis(server.url);
  await store.config('SET', 'maxmemory', '1');
  const one = await startRebuilder({ pool, redis: store, holder: 'a' });
  workers.push(one);
  await eventually(() => one.reporter.problems.length >= 3, { what: 'the store to refuse' });
  expect(one.reporter.problems.every(({ error }) => isOutage(error))).toBe(true);
  await store.config('SET', 'maxmemory', '0');
  await eventually(() => isRebuilt(pool, store), { what: 'the rebuild' });
  expect(await documentFaults(pool, store)).toEqual([]);
  await one.stop();
  store.disconnect();
  await server.stop();
});
