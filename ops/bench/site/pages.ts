import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../../dev/chromium.ts';
import { buildSite } from '../../dev/site/build.ts';
import { alternate, quantile } from '../alternate.ts';
import type { Bench, BenchGround, Finding } from '../benchmark.ts';
import { makePhoto, storePhotos } from '../images/pictures.ts';
import { startBenchEnvironment } from '../load/bench-environment.ts';
import { type Generator, measureThroughput, startGenerator } from '../load/generator.ts';
import { type MeasuredServer, startFigures } from '../load/measured-server.ts';
import { startRepeating } from '../load/repeating-server.ts';
import { seedListings } from '../search/listings.ts';
import { FURTHER_FILTERS, PLACES, requestOf, type SearchArea } from '../search/questions.ts';
import { PAGE_HEADERS, pageOf, publicListings, requestOfPage } from './home-pages.ts';
import { askedByPage, drawnOnPhone, searchedByHand, type Visit } from './visits.ts';

const LISTINGS = { full: 21_613, quick: 1_000 };
const PAGES = { full: 10_000, quick: 200 };
const REPEATED_SECONDS = { full: 3, quick: 0.3 };
/** As many as are rendered at a time. */
const CONNECTIONS = 8;
const PHOTOS = 6;
const MOVES = { full: 60, quick: 4 };
const MEGABYTE = 1e6;
/** Its grain takes 49 kB at a phone’s size, as photos of homes do on average. */
const PHOTO = { width: 2_048, height: 1_536, blur: 2 };

/**
 * The site of a web role: what a visitor with a slow phone sees and when, how long a search takes in the browser,
 * how many pages one process renders, and what memory that takes.
 */
export const siteBench: Bench = {
  name: 'site',
  about: 'the site: a page on a slow phone, list and map in a browser, pages a second, memory',
  run: async (ground) => {
    await buildSite();
    const environment = await startBenchEnvironment({
      scratch: join(ground.scratch, 'stack'),
      durable: false,
    });
    const generator = startGenerator();
    const browser = await openBrowser();
    try {
      const size = ground.quick ? 'quick' : 'full';
      ground.print(`making ${LISTINGS[size].toLocaleString('en-US')} listings`);
      await seedListings(environment.pool, LISTINGS[size]);
      const ids = await publicListings(environment, PAGES[size]);
      const propertyId = ids[0] ?? '';
      await storePhotos(environment, { propertyId, photo: await makePhoto(PHOTO), count: PHOTOS });
      const web = await environment.startRole('web');
      const given = { environment, generator, browser, web, ids };
      return [
        ...(await startFigures('web', web)),
        ...(await onPhone(given, ground)),
        ...(await inBrowser(given, ground)),
        ...(await filtered(given, ground)),
        ...(await rendered(given, ground)),
        await repeated(given, ground),
      ];
    } finally {
      await browser.close();
      await generator.stop();
      await environment.stop();
    }
  },
};

interface SiteGround {
  readonly generator: Generator;
  readonly browser: Browser;
  readonly web: MeasuredServer;
  /** Homes with a public page; the first has photos. */
  readonly ids: readonly string[];
}

async function openBrowser(): Promise<Browser> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  return launchChromium(found.path);
}

/** The pages that a visitor sees first. */
const firstPages = (homeId: string): readonly (readonly [page: string, path: string])[] => [
  ['a home’s page', pageOf(homeId)],
  ['the first page', '/'],
  ['the search', '/search'],
];

async function onPhone({ browser, web, ids }: SiteGround, ground: BenchGround): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [page, path] of firstPages(ids[0] ?? '')) {
    ground.print(`${page} on a slow phone`);
    findings.push(...(await pageOnPhone({ browser, url: web.url + path, page }, ground)));
  }
  return findings;
}

interface PageOnPhone {
  readonly browser: Browser;
  readonly url: string;
  readonly page: string;
}

async function pageOnPhone({ browser, url, page }: PageOnPhone, { rounds }: BenchGround): Promise<Finding[]> {
  // The first visit makes the pictures' sizes; visitors after it find them.
  await drawnOnPhone(browser, url);
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round += 1) visits.push(await drawnOnPhone(browser, url));
  const median = (read: (visit: Visit) => number) => quantile(visits.map(read), 0.5);
  return [
    {
      kind: 'figure',
      title: `largest paint of ${page}, processor four times slower, Slow 4G`,
      unit: 'ms',
      value: median(({ largestPaintMs }) => largestPaintMs),
      goal: { atMost: 2_000 },
      note: `first paint ${Math.round(median(({ firstPaintMs }) => firstPaintMs))} ms; one home has ${PHOTOS} photos`,
    },
    {
      kind: 'figure',
      title: `layout shift of ${page} there, the worst visit`,
      unit: 'score',
      value: Math.max(...visits.map(({ layoutShift }) => layoutShift)),
      goal: { atMost: 0.02 },
    },
  ];
}

async function inBrowser({ browser, web }: SiteGround, { quick, print }: BenchGround): Promise<Finding[]> {
  const moves = quick ? MOVES.quick : MOVES.full;
  print(`${moves} moves of a map in a browser`);
  const { list, map } = await searchedByHand(browser, web.url, moves);
  const figure = (title: string, taken: readonly number[], atMost: number): Finding => ({
    kind: 'figure',
    title,
    unit: 'ms',
    value: quantile(taken, 0.95),
    goal: { atMost },
    note: `${taken.length} answers among ${LISTINGS.full.toLocaleString('en-US')} listings; median ${quantile(taken, 0.5).toPrecision(3)} ms`,
  });
  return [
    figure('search.list as the browser sees it, p95', list, 300),
    figure('search.map as the browser sees it, p95', map, 500),
  ];
}

/** Lists and maps of the areas that people look at, each moved a little, so that no answer is kept. */
async function filtered({ browser, web }: SiteGround, { quick, print }: BenchGround): Promise<Finding[]> {
  const moves = quick ? MOVES.quick : MOVES.full;
  const findings: Finding[] = [];
  for (const [name, filters] of Object.entries(FURTHER_FILTERS)) {
    print(`list and map of ${name}`);
    const paths = Array.from({ length: moves }, (_, move) => movedBy(move)).flatMap((areas) =>
      areas.flatMap((area) =>
        (['list', 'map'] as const).map((question) => requestOf(question, area, filters).path),
      ),
    );
    const taken = await askedByPage(browser, web.url, paths);
    findings.push({
      kind: 'figure',
      title: `search.list and search.map of ${name} as the browser sees them, p95`,
      unit: 'ms',
      value: quantile(taken, 0.95),
      goal: { atMost: 80 },
      note: `${taken.length} answers about a neighborhood, a city and a county; median ${quantile(taken, 0.5).toPrecision(3)} ms`,
    });
  }
  return findings;
}

const movedBy = (move: number): SearchArea[] =>
  PLACES.map(({ box, ...area }) => ({
    ...area,
    box: { ...box, west: box.west + move / 10_000, east: box.east + move / 10_000 },
  }));

/** Every page is of another home, so that none is kept. */
async function rendered({ generator, web, ids }: SiteGround, { print }: BenchGround): Promise<Finding[]> {
  print(`${ids.length} pages, each of another home`);
  const before = await web.usageAtRest();
  const load = {
    connections: CONNECTIONS,
    requests: ids.map(requestOfPage),
    until: 'each was asked',
    status: 200,
  } as const;
  const { perSecond, perCpuSecond, p50Ms, p99Ms } = await measureThroughput(generator, web, load);
  const after = await web.usageAtRest();
  return [
    {
      kind: 'figure',
      title: 'pages of homes rendered by one process',
      unit: '/s',
      value: perSecond,
      note: `${perCpuSecond.toPrecision(3)} for each second of its processor time; p50 ${p50Ms.toPrecision(3)} ms, p99 ${p99Ms.toPrecision(3)} ms with ${CONNECTIONS} readers; database and readers share the machine`,
    },
    {
      kind: 'figure',
      title: `memory of the web role after ${ids.length.toLocaleString('en-US')} pages`,
      unit: 'MB',
      value: after.rssBytes / MEGABYTE,
      note: `${(before.rssBytes / MEGABYTE).toPrecision(3)} MB before them`,
    },
  ];
}

/** One page again and again, as a listing that many people read: kept for five seconds, then rendered once. */
async function repeated(
  { generator, web, ids }: SiteGround,
  { rounds, quick, scratch, print }: BenchGround,
): Promise<Finding> {
  print('one page, again and again');
  const path = pageOf(ids[0] ?? '');
  const request = { method: 'GET', path, headers: PAGE_HEADERS } as const;
  const bare = await startRepeating([request], { url: web.url, scratch });
  try {
    const load = {
      connections: CONNECTIONS,
      requests: [requestOfPage(ids[0] ?? '')],
      until: { seconds: quick ? REPEATED_SECONDS.quick : REPEATED_SECONDS.full },
      status: 200,
    };
    const turn = async (server: MeasuredServer) =>
      (await measureThroughput(generator, server, load)).perCpuSecond;
    return await alternate(
      {
        title: 'a page that many read, for each second of processor time',
        unit: '/s',
        ours: { name: 'Proscenium', turn: () => turn(web) },
        peer: { name: 'bare uWebSockets.js', turn: () => turn(bare) },
      },
      rounds,
    );
  } finally {
    await bare.stop();
  }
}
