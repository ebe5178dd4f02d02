import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { DOCUMENT_PREFIX } from '../../../src/search/document.ts';
import { documentIds } from '../../../src/search/document-store.ts';
import { importCommand } from '../../dev/import/command.ts';
import { candidate, interleave, quantile, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Figure, Finding } from '../benchmark.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { startFigures } from '../load/measured-server.ts';
import { madeUpSales, SALE_COLUMNS, salesFile } from './sales-file.ts';

/** As many rows as King County's file has. */
const ROWS = 21_613;
const QUICK_ROWS = 2_000;
const BATCH = 500;
const GOALS = { rowsASecond: 5_000, documentsSeconds: 20 };
const LOOK_EVERY_MS = 100;
const MILLISECONDS = 1_000;
const KEYS_AT_ONCE = 1_000;

/**
 * `npm run import` of house sales into an empty database, commits on disk, beside the same rows sent by the bare driver
 * to a table that has only a key; then, from the start of a worker, how long until every listing has its search
 * document.
 */
export const importBench: Bench = {
  name: 'import',
  about: 'house sales into listings, rows a second, and the search documents that follow',
  run: async (ground) => {
    const environment = await startBenchEnvironment({ scratch: ground.scratch, durable: true });
    const redis = new Redis(environment.stack.kvUrl);
    try {
      return await measure(environment, redis, ground);
    } finally {
      redis.disconnect();
      await environment.stop();
    }
  },
};

async function measure(
  environment: BenchEnvironment,
  redis: Redis,
  { rounds, quick, scratch, print }: BenchGround,
): Promise<Finding[]> {
  const sales = madeUpSales(quick ? QUICK_ROWS : ROWS);
  const file = join(scratch, 'sales.csv');
  await writeFile(file, salesFile(sales));
  const started = await finishFirstRebuild(environment);
  print(`${rounds} imports of ${sales.length} rows`);
  const follows: number[] = [];
  const taken = await interleave(
    {
      ours: async (round) => {
        await emptyAll(environment.pool, redis);
        const rowsASecond = sales.length / (await secondsOf(() => importFile(environment, file)));
        const seconds = await documentsFollow(environment, redis);
        if (round >= 0) follows.push(seconds);
        return rowsASecond;
      },
      bare: () => bareInsert(environment.pool, sales),
    },
    rounds,
  );
  const { ours: rates, bare } = taken;
  return [
    ...started,
    {
      kind: 'figure',
      title: 'import of sales: rows a second',
      unit: '/s',
      value: quantile(rates, 0.5),
      goal: { atLeast: GOALS.rowsASecond },
    },
    ratioOf(
      { title: 'import of sales: rows a second', unit: '/s' },
      candidate('import', rates),
      candidate('bare driver, a table with a key only', bare),
    ),
    {
      kind: 'figure',
      title: `documents of ${sales.length} sales: from the start of a worker until all are there`,
      unit: 's',
      value: quantile(follows, 0.5),
      goal: { atMost: GOALS.documentsSeconds },
    },
  ];
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / MILLISECONDS;
}

async function importFile({ stack }: BenchEnvironment, file: string): Promise<void> {
  const complaints: string[] = [];
  const code = await importCommand([file], {
    databaseUrl: stack.databaseUrl,
    siteCurrency: 'USD',
    screen: { write() {}, redraws: false, columns: 80 },
    complain: (text) => complaints.push(text),
    now: () => Date.now(),
  });
  if (code !== 0) throw new Error(`the import ended with ${code}: ${complaints.join('\n')}`);
}

/** A new installation's first worker rebuilds everything: done here, while there is nothing. */
async function finishFirstRebuild(environment: BenchEnvironment): Promise<Figure[]> {
  const worker = await environment.startRole('worker');
  await until(async () => {
    const { rows } = await environment.pool.query('SELECT FROM search_epoch WHERE "finishedAt" IS NOT NULL');
    return rows.length > 0;
  });
  const figures = await startFigures('worker', worker);
  await worker.stop();
  return figures;
}

/** The state before a round: no listings, no documents. The history of prices refuses to be emptied otherwise. */
async function emptyAll(pool: pg.Pool, redis: Redis): Promise<void> {
  await pool.query('ALTER TABLE property_price_events DISABLE TRIGGER USER');
  await pool.query('TRUNCATE properties, search_tombstones CASCADE');
  await pool.query('ALTER TABLE property_price_events ENABLE TRIGGER USER');
  for await (const ids of documentIds(redis, KEYS_AT_ONCE))
    await redis.del(...ids.map((id) => `${DOCUMENT_PREFIX}${id}`));
}

/** @returns seconds from the worker's first line until nothing is due and every listing has a document */
async function documentsFollow(environment: BenchEnvironment, redis: Redis): Promise<number> {
  const { pool } = environment;
  const worker = await environment.startRole('worker');
  const seconds = await secondsOf(() =>
    until(async () => {
      const { rows } = await pool.query('SELECT FROM properties WHERE "searchDirtyAt" IS NOT NULL LIMIT 1');
      return rows.length === 0;
    }),
  );
  await worker.stop();
  const found = new Set<string>();
  for await (const ids of documentIds(redis, KEYS_AT_ONCE)) for (const id of ids) found.add(id);
  const { rows } = await pool.query<{ listings: number }>('SELECT count(*)::int AS listings FROM properties');
  if (rows[0]?.listings !== found.size)
    throw new Error(`${found.size} documents of ${rows[0]?.listings} listings`);
  return seconds;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/** Rows a second of the same cells in arrays, a commit each batch. */
async function bareInsert(pool: pg.Pool, sales: readonly (readonly string[])[]): Promise<number> {
  const columns = SALE_COLUMNS.map((name) => `"${name}"`);
  await pool.query('DROP TABLE IF EXISTS bare_sales');
  await pool.query(`CREATE TABLE bare_sales (${columns.map((name) => `${name} text`).join(', ')},
    PRIMARY KEY (id, date))`);
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`);
  const insert = `INSERT INTO bare_sales SELECT * FROM unnest(${arrays.join(', ')})`;
  const seconds = await secondsOf(async () => {
    for (let from = 0; from < sales.length; from += BATCH) {
      const batch = sales.slice(from, from + BATCH);
      await pool.query(
        insert,
        SALE_COLUMNS.map((_, index) => batch.map((cells) => cells[index])),
      );
    }
  });
  return sales.length / seconds;
}
