import { Redis } from 'ioredis';
import { createDocumentStore } from '../../../src/search/document-store.ts';
import { indexProperty } from '../../../src/search/indexer.ts';
import { systemClock } from '../../../src/time.ts';
import type { Reporter } from '../../../supervisors/ports.ts';
import { candidate, interleave, quantile, ratioOf } from '../alternate.ts';
import type { Bench, BenchGround, Finding, Ratio } from '../benchmark.ts';
import { type BenchEnvironment, startBenchEnvironment } from '../load/bench-environment.ts';
import { type KeepAliveClient, openClient } from '../load/keep-alive-client.ts';
import type { MeasuredServer } from '../load/measured-server.ts';
import { rowBytes } from '../row-bytes.ts';
import { measureCrowd } from './crowd.ts';
import { expectOk, latencies } from './latencies.ts';
import { seedListings } from './listings.ts';
import { bytesOf, countIn, PLACES, type Question, requestOf, type SearchArea } from './questions.ts';
import { measureSuggestions } from './suggestions.ts';
import { measureWide, WIDE } from './wide-maps.ts';

const SIZES = { full: [21_613, 1_000_000], quick: [2_000, 20_000] } as const;
const QUESTIONS: readonly Question[] = ['map', 'list'];
const GOAL = { atMost: 2 };
const NEAR_LIST_MS = 2.5;
/** Documents are written beside the measuring; a failure throws. */
const SILENT: Reporter = { report() {}, alert() {}, transition() {}, count() {}, problem() {} };

/**
 * `search.map` and `search.list` over HTTP from a web role, one query at a time, compared with a bare count of the
 * same box over a connection to the same database. Both sizes get the same queries, so that the growth is visible.
 */
export const searchBench: Bench = {
  name: 'search',
  about: 'search.map and search.list at 21,613 and at 1,000,000 listings, against a bare count of the box',
  run: async (ground) => {
    const environment = await startBenchEnvironment({ scratch: ground.scratch, durable: false });
    try {
      const web = await environment.startRole('web');
      const sizes = ground.listings === null ? SIZES[ground.quick ? 'quick' : 'full'] : [ground.listings];
      const measured: MeasuredSize[] = [];
      for (const size of sizes) measured.push(await measureSize({ environment, web }, size, ground));
      const [{ ratios, figures }, large] = measured as [MeasuredSize, MeasuredSize?];
      const bytes = await rowBytes(environment.pool, {
        title: 'rows of a listing without pictures',
        tables: [
          'properties',
          'search_listings',
          'search_words',
          'listing_addresses',
          'property_price_events',
        ],
      });
      return [
        ...ratios,
        nearList(ratios),
        ...(large?.ratios ?? []),
        ...growth(ratios, large?.ratios ?? []),
        ...(large?.figures ?? figures),
        bytes,
      ];
    } finally {
      await environment.stop();
    }
  },
};

/** The list that most people ask for, by itself. */
function nearList(ratios: readonly Ratio[]): Finding {
  const found = ratios.find(({ title }) => title.startsWith('search.list of a neighbourhood'));
  if (found === undefined) throw new Error('the list of a neighbourhood was not measured');
  const { title, ours } = found;
  return { kind: 'figure', title, unit: 'ms', value: ours.median, goal: { atMost: NEAR_LIST_MS } };
}

interface BenchInput {
  readonly environment: BenchEnvironment;
  readonly web: MeasuredServer;
}

interface MeasuredSize {
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Finding[];
}

async function measureSize(given: BenchInput, count: number, ground: BenchGround): Promise<MeasuredSize> {
  const { environment, web } = given;
  const listings = count.toLocaleString('en-US');
  ground.print(`making ${listings} listings`);
  await seedListings(environment.pool, count);
  const { hostname: host, port } = new URL(web.url);
  const client = await openClient({ host, port: Number(port) });
  const ratios: Ratio[] = [];
  const figures: Finding[] = [];
  try {
    for (const area of PLACES) {
      await writeDocuments(given, area);
      for (const question of QUESTIONS) {
        ground.print(`search.${question} of a ${area.name} among ${listings}`);
        const title = `search.${question} of a ${area.name} among ${listings}`;
        ratios.push(await measureQuestion({ client, environment, question, area, title }, ground));
      }
    }
    for (const wide of WIDE) figures.push(...(await measureWide({ client, wide, listings }, ground)));
    figures.push(...(await measureSuggestions({ client, listings }, ground)));
    figures.push(...(await measureCrowd({ host, port: Number(port), listings }, ground)));
  } finally {
    client.close();
  }
  return { ratios, figures };
}

interface SearchCase {
  readonly client: KeepAliveClient;
  readonly environment: BenchEnvironment;
  readonly question: Question;
  readonly area: SearchArea;
  readonly title: string;
}

async function measureQuestion(
  { client, environment: { pool }, question, area, title }: SearchCase,
  { rounds, quick }: BenchGround,
): Promise<Ratio> {
  const request = bytesOf(question, area);
  const found = await countIn(pool, area);
  const taken = await interleave(
    {
      search: () => latencies(quick, () => expectOk(client.ask(request))),
      count: () => latencies(quick, () => countIn(pool, area)),
    },
    rounds,
  );
  const halves = (turns: readonly number[][]) => turns.map((turn) => quantile(turn, 0.5));
  const p99 = (turns: readonly number[][]) => `${quantile(turns.flat(), 0.99).toPrecision(3)} ms`;
  return ratioOf(
    {
      title: `${title}, p50`,
      unit: 'ms',
      goal: GOAL,
      note: `${found.toLocaleString('en-US')} listings in the box; p99 ${p99(taken.search)} against ${p99(taken.count)}`,
    },
    candidate('Proscenium', halves(taken.search)),
    candidate('bare count', halves(taken.count)),
  );
}

/** The documents of the listings on a page, as the indexer of a running worker writes them. */
async function writeDocuments(
  { environment: { pool, stack }, web }: BenchInput,
  area: SearchArea,
): Promise<void> {
  const response = await fetch(web.url + requestOf('list', area).path);
  const { result } = (await response.json()) as {
    result: { data: { json: { items: { propertyId: string }[] } } };
  };
  const redis = new Redis(stack.kvUrl);
  const ports = {
    pool,
    documents: createDocumentStore(redis),
    clock: systemClock,
    publicBaseUrl: web.url,
    checkpoint: () => undefined,
    reporter: SILENT,
  };
  try {
    for (const { propertyId } of result.data.json.items) await indexProperty(ports, propertyId);
  } finally {
    redis.disconnect();
  }
}

/** How much longer the same query takes with so many more listings. */
function growth(small: readonly Ratio[], large: readonly Ratio[]): Finding[] {
  return large.map(({ title, ours, peer }, index) => {
    const before = small[index] as Ratio;
    const counts = (peer.median / before.peer.median).toPrecision(3);
    return {
      kind: 'figure',
      unit: 'times',
      value: ours.median / before.ours.median,
      title: `growth of ${title}`,
      note: `the bare count grows ${counts} times`,
    };
  });
}
