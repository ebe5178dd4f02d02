import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { documentKey } from '../../../src/search/document.ts';
import type { Checkpoint } from '../../../supervisors/ports.ts';
import { eventually } from '../../support/eventually.ts';
import {
  documentFaults,
  type SearchWorker,
  startSweeper,
  useSearchStores,
} from '../../support/worlds/search-workers.ts';

/** More than two pages. */
const LISTINGS = 1_200;

const stores = useSearchStores(6, LISTINGS);
let pool: Pool;
let redis: Redis;
const workers: SearchWorker[] = [];

beforeAll(() => {
  ({ pool, redis } = stores);
});
beforeEach(() => pool.query('update properties set "searchDirtyAt" = now()'));
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});

async function worker(holder: string, checkpoint?: Checkpoint): Promise<SearchWorker> {
  const started = await startSweeper({ pool, redis, holder, ...(checkpoint ? { checkpoint } : {}) });
  workers.push(started);
  return started;
}
const dirty = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'select id from properties where "searchDirtyAt" is not null',
  );
  return rows.map(({ id }) => id);
};
const cleanBut = (ids: readonly string[]) =>
  eventually(async () => (await dirty()).toString() === ids.toString(), { what: 'the sweep' });
const someActive = async (): Promise<string> => {
  const { rows } = await pool.query(
    `select id from properties where "standardStatus" = 'Active' order by id limit 1`,
  );
  return rows[0].id;
};

test('what many listings changed at once is written once, by one of three workers', async () => {
  const three = [await worker('a'), await worker('b'), await worker('c')];
  await cleanBut([]);
  expect(await documentFaults(pool, redis)).toEqual([]);
  const { rows } = await pool.query('select count(*)::int from search_listings where "onMarket"');
  const written = three.reduce(
    (sum, { reporter }) => sum + (reporter.counts.search_documents_written ?? 0),
    0,
  );
  expect(written).toBe(rows[0].count);
  expect(three.flatMap(({ reporter }) => reporter.problems)).toEqual([]);
});

test('a listing that changes between its read and its write is right in the end', async () => {
  const id = await someActive();
  let changes = 0;
  await worker('a', async (name) => {
    if (name !== 'before-search-write' || changes++ > 0) return;
    await pool.query('update properties set "listPrice" = "listPrice" + 1 where id = $1', [id]);
  });
  await cleanBut([]);
  expect(await documentFaults(pool, redis)).toEqual([]);
  const { rows } = await pool.query('select "listPrice"::float8 as price from properties where id = $1', [
    id,
  ]);
  expect(Number(await redis.hget(documentKey(id), 'listPrice'))).toBe(rows[0].price);
});

test('a listing whose document cannot be written holds up no other one, and stays due', async () => {
  const id = await someActive();
  await redis.set(documentKey(id), 'not a hash');
  const { reporter } = await worker('a');
  await cleanBut([id]);
  await eventually(() => reporter.problems.length > 0, { what: 'the report' });
  await redis.del(documentKey(id));
  await cleanBut([]);
  expect(await documentFaults(pool, redis)).toEqual([]);
});

test('a listing that another transaction is changing is not waited for', async () => {
  const id = await someActive();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('update properties set "publicRemarks" = $2 where id = $1', [id, 'A view.']);
    await worker('a');
    await cleanBut([id]);
    await client.query('commit');
  } finally {
    client.release();
  }
  await cleanBut([]);
  expect(await documentFaults(pool, redis)).toEqual([]);
});
