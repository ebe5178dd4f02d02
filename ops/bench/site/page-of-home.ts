import { join } from 'node:path';
import { buildSite } from '../../dev/site/build.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { startBenchEnvironment } from '../load/bench-environment.ts';
import { type Generator, measureThroughput, startGenerator } from '../load/generator.ts';
import type { MeasuredServer } from '../load/measured-server.ts';
import { seedListings } from '../search/listings.ts';
import { publicListings, requestOfPage } from './home-pages.ts';

const LISTINGS = { full: 1_000_000, quick: 1_000 };
/** Each round has homes of its own: a page is kept for seconds. */
const ALONE = { full: 100, quick: 10 };
const TOGETHER = { full: 400, quick: 40 };
/** As many as are rendered at a time. */
const CONNECTIONS = 8;
const GOALS = { alone: { atMost: 6 }, together: { atLeast: 300 } } as const;

/** The page of a home among a million, each time another one: how long the server takes, and how many it makes. */
export const pageBench: Bench = {
  name: 'page',
  about: 'the page of a home among 1,000,000 listings: server time, and pages a second of processor time',
  run: async (ground) => {
    await buildSite();
    const environment = await startBenchEnvironment({
      scratch: join(ground.scratch, 'stack'),
      durable: false,
    });
    const generator = startGenerator();
    try {
      const size = ground.quick ? 'quick' : 'full';
      ground.print(`making ${LISTINGS[size].toLocaleString('en-US')} listings`);
      await seedListings(environment.pool, LISTINGS[size]);
      const homes = await publicListings(environment, (ALONE[size] + TOGETHER[size]) * (ground.rounds + 1));
      const web = await environment.startRole('web');
      return await measure({ generator, web, homes, size }, ground);
    } finally {
      await generator.stop();
      await environment.stop();
    }
  },
};

interface PageGround {
  readonly generator: Generator;
  readonly web: MeasuredServer;
  readonly homes: readonly string[];
  readonly size: 'full' | 'quick';
}

async function measure(
  { generator, web, homes, size }: PageGround,
  { rounds, print }: BenchGround,
): Promise<Finding[]> {
  const rest = [...homes];
  const visit = (pages: number, connections: number) =>
    measureThroughput(generator, web, {
      connections,
      requests: rest.splice(0, pages).map(requestOfPage),
      until: 'each was asked',
      status: 200,
    });
  const turns: { p50: number; p99: number; perCpuSecond: number; perSecond: number }[] = [];
  // The first turn warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    print(`pages of homes, turn ${round}`);
    const alone = await visit(ALONE[size], 1);
    const { perCpuSecond, perSecond } = await visit(TOGETHER[size], CONNECTIONS);
    if (round > 0) turns.push({ p50: alone.p50Ms, p99: alone.p99Ms, perCpuSecond, perSecond });
  }
  const median = (read: (turn: (typeof turns)[number]) => number) =>
    turns.map(read).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)] ?? Number.NaN;
  return [
    {
      kind: 'figure',
      title: `a home’s page among ${LISTINGS[size].toLocaleString('en-US')} listings, server time, p50`,
      unit: 'ms',
      value: median(({ p50 }) => p50),
      goal: GOALS.alone,
      note: `p99 ${median(({ p99 }) => p99).toPrecision(3)} ms; one reader, each page of another home`,
    },
    {
      kind: 'figure',
      title: 'pages of homes there, for each second of the process’s processor time',
      unit: '/s',
      value: median(({ perCpuSecond }) => perCpuSecond),
      goal: GOALS.together,
      note: `${median(({ perSecond }) => perSecond).toPrecision(3)} a second with ${CONNECTIONS} readers; database and readers share the machine`,
    },
  ];
}
