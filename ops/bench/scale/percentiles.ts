import type { Pool } from 'pg';
import { journalSteps } from '../../../persistence/console/journal.ts';
import { quantile } from '../alternate.ts';
import { type KeepAliveClient, openClient } from '../load/keep-alive-client.ts';
import { requestBytes } from '../load/request-bytes.ts';
import {
  FILTERS,
  PLACES,
  type Question,
  requestOf,
  type SearchArea,
  suggestionsOf,
  TYPED_TEXTS,
} from '../search/questions.ts';

/** What a question took: milliseconds from its first byte to the last of its answer. */
export interface Percentiles {
  readonly what: string;
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Enough for a p95; the p99 of so few is nearly their maximum. */
const CALLS = 60;
const WARM_CALLS = 5;
const PAGES = 300;
const QUESTIONS: readonly Question[] = ['map', 'list'];

/** Search and pages of a web role, one request at a time. Each is another one, so that no kept answer is measured. */
export async function askWeb({ url, pool }: { url: string; pool: Pool }): Promise<Percentiles[]> {
  const { hostname: host, port } = new URL(url);
  const client = await openClient({ host, port: Number(port) });
  const taken: Percentiles[] = [];
  try {
    for (const area of PLACES)
      for (const question of QUESTIONS)
        for (const filters of [{}, FILTERS]) {
          const kind = filters === FILTERS ? ', filtered' : '';
          const what = `search.${question} of a ${area.name}${kind}`;
          taken.push(
            await measure(what, CALLS, (call) =>
              ask(client, requestOf(question, shifted(area, call), filters).path),
            ),
          );
        }
    for (const [what, text] of Object.entries(TYPED_TEXTS))
      taken.push(
        await measure(`suggestions for ${what}`, CALLS, () => ask(client, suggestionsOf(text).path)),
      );
    const ids = await homes(pool);
    taken.push(
      await measure('page of a home', Math.min(PAGES, ids.length), (call) =>
        ask(client, `/properties/${ids[call + WARM_CALLS] ?? ids[0]}`),
      ),
    );
  } finally {
    client.close();
  }
  return taken;
}

/** The journal of one finished job, as the console reads it. */
export async function askJournals(pool: Pool): Promise<Percentiles> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ai_jobs WHERE status = 'SUCCESS' LIMIT ${CALLS + WARM_CALLS}`,
  );
  return measure('journal of a finished job', Math.min(CALLS, rows.length), (call) =>
    journalSteps(pool, { kind: 'stagingJob', id: rows[call + WARM_CALLS]?.id ?? '', limit: CALLS }),
  );
}

async function ask(client: KeepAliveClient, path: string): Promise<void> {
  const headers = { accept: 'text/html, application/json', 'accept-encoding': 'gzip' };
  const status = await client.ask(Buffer.from(requestBytes({ method: 'GET', path, headers }), 'latin1'));
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

/** @param each is called with negative numbers first, for calls that warm up and are not counted */
async function measure(
  what: string,
  calls: number,
  each: (call: number) => Promise<unknown>,
): Promise<Percentiles> {
  for (let call = -WARM_CALLS; call < 0; call += 1) await each(call);
  const ms: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const began = performance.now();
    await each(call);
    ms.push(performance.now() - began);
  }
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => quantile(ms, share));
  return { what, calls, p50, p95, p99 };
}

/** The same place, moved by a part of its size. */
function shifted(area: SearchArea, call: number): SearchArea {
  const { west, south, east, north } = area.box;
  const part = ((call + WARM_CALLS) / (CALLS + WARM_CALLS) - 0.5) / 5;
  const [right, up] = [(east - west) * part, (north - south) * part];
  return { ...area, box: { west: west + right, east: east + right, south: south + up, north: north + up } };
}

async function homes(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "propertyId" AS id FROM search_listings WHERE "onMarket" LIMIT ${PAGES + 2 * WARM_CALLS}`,
  );
  return rows.map(({ id }) => id);
}
