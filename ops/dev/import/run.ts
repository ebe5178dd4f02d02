import type { Pool } from 'pg';
import {
  addRegisterAgent,
  type ImportedHouse,
  type ImportTerms,
  importListings,
  personByEmail,
} from '../../../persistence/listings/listing-import.ts';
import {
  citiesOfPostalCodes,
  cityAround,
  type ImportedPlace,
  importPlaces,
} from '../../../persistence/listings/place-import.ts';
import type { ImportRequest } from './arguments.ts';
import { KING_COUNTY_SALES, readSales } from './king-county-sales.ts';
import { readNeighborhoods, toNeighborhoodPlaces } from './neighborhoods.ts';
import { readPlaces, SOURCE_RANKS } from './place-tables.ts';
import type { Problems } from './problems.ts';
import { count, createProgressBar, type Screen } from './screen.ts';
import {
  FileProblem,
  type NeighborhoodSource,
  openSource,
  type SourceFile,
  type TableSource,
} from './source-file.ts';

/** The dependencies of an import. */
export interface ImportContext {
  pool: Pool;
  screen: Screen;
  problems: Problems;
  /** The currency in which the site takes prices. */
  siteCurrency: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Large enough that a commit costs little, small enough that a stop loses little and no lock is held for long. */
const BATCH = 500;
/** Batches of sales at a time: one is sent while the server writes another. Each has houses of its own. */
const SALES_LANES = 2;
const REGISTER = { name: 'County Records', email: 'county-records@register.invalid' };
const KING_COUNTY = {
  originatingSystemName: KING_COUNTY_SALES,
  propertyType: 'Residential',
  countyOrParish: 'King',
  stateOrProvince: 'WA',
  country: 'US',
  currency: 'USD',
  propertyTimeZoneName: 'America/Los_Angeles',
} as const;

/**
 * Opens every file before anything is written, so that a wrong file name imports nothing.
 * @throws FileProblem
 */
export function openSources(paths: readonly string[], screen: Screen): SourceFile[] {
  const sources = paths.map((path) => openSource(path));
  for (const { name, title } of sources) screen.write(`${name}: ${title}\n`);
  // Neighborhoods and houses look up their city by postal codes, which are therefore imported first.
  const order = (source: SourceFile) =>
    source.kind === 'king-county-sales' ? 2 : source.kind === 'neighborhoods' ? 1 : 0;
  return sources.toSorted((a, b) => order(a) - order(b));
}

/**
 * Imports the files in sequence; rows that cannot be read are recorded and left out.
 * @throws FileProblem when a file cannot be imported with the present data, the driver's error when the database
 *   fails
 */
export async function importSources(
  sources: readonly SourceFile[],
  request: ImportRequest,
  context: ImportContext,
): Promise<void> {
  const sales = sources.find(({ kind }) => kind === 'king-county-sales');
  if (sales !== undefined && context.siteCurrency !== KING_COUNTY.currency) {
    throw new FileProblem(
      `${sales.name} has prices in ${KING_COUNTY.currency}, and prices on this site are in ${context.siteCurrency}` +
        ' (currency in site.json). Nothing was imported.',
    );
  }
  const owner = sales !== undefined ? await ownerOf(request, context) : null;
  for (const source of sources) {
    if (source.kind === 'king-county-sales')
      await importSales(source, { request, owner: owner ?? '' }, context);
    else await importPlacesOf(source, request, context);
  }
}

async function ownerOf({ agentEmail }: ImportRequest, { pool, now }: ImportContext): Promise<string> {
  const email = agentEmail ?? REGISTER.email;
  const person = await personByEmail(pool, email);
  if (person?.role === 'agent') return person.id;
  if (person !== null) throw new FileProblem(`${email} is a customer, and only agents own listings.`);
  if (agentEmail === undefined) return addRegisterAgent(pool, { ...REGISTER, at: now() });
  throw new FileProblem(`No agent has the address ${email}. Sign in with it and become an agent first.`);
}

async function importSales(
  source: TableSource,
  { request, owner }: { request: ImportRequest; owner: string },
  context: ImportContext,
): Promise<void> {
  const { pool, screen, problems, now } = context;
  const startedAt = now();
  const cities = await citiesOfPostalCodes(pool, KING_COUNTY);
  const { houses, rows, repeated } = readSales(source, {
    problems,
    today: new Date(startedAt).toISOString().slice(0, 10),
    cityOf: (postalCode) => cities.get(postalCode) ?? null,
  });
  const terms: ImportTerms = {
    ...KING_COUNTY,
    ownerAgentId: owner,
    standardStatus: request.standardStatus,
    refresh: request.refresh,
    at: startedAt,
  };
  const total = { created: 0, refreshed: 0, sales: 0 };
  const sizeOf = (batch: readonly ImportedHouse[]) => batch.reduce((sum, { sales }) => sum + sales.length, 0);
  await inBatches(
    { items: houses, sizeOf, label: source.name, startedAt, lanes: SALES_LANES },
    context,
    async (batch) => {
      const done = await importListings(pool, terms, batch);
      total.created += done.created;
      total.refreshed += done.refreshed;
      total.sales += done.sales;
    },
  );
  const known = houses.length - total.created;
  screen.write(
    report(source.name, { rows, startedAt, now: now() }, [
      `${count(houses.length)} houses: ${count(total.created)} new, ${count(known)} were there` +
        (request.refresh ? `, ${count(total.refreshed)} of them refreshed` : ''),
      `${count(total.sales)} sales added to the price history`,
      ...(repeated > 0 ? [`${count(repeated)} rows repeat another one and count once`] : []),
      ...(total.created + total.refreshed + total.sales === 0 ? ['nothing has changed'] : []),
    ]),
  );
  const homeless = houses.filter(({ city }) => city === 'King County').length;
  if (homeless > 0) {
    screen.write(
      `  ${count(homeless)} houses are in "King County", since nothing says which city their postal codes belong to:` +
        ` import a file of postal codes, then this one again with --refresh\n`,
    );
  }
}

async function importPlacesOf(
  source: Exclude<SourceFile, { kind: 'king-county-sales' }> | TableSource,
  request: ImportRequest,
  context: ImportContext,
): Promise<void> {
  const { pool, screen, problems, now } = context;
  const startedAt = now();
  const { places, rows, unplaced } =
    source.kind === 'neighborhoods'
      ? await neighborhoodPlaces(source, request, context)
      : readPlaces(source, problems);
  const batch = { source: source.name, rank: SOURCE_RANKS[source.kind as keyof typeof SOURCE_RANKS] };
  const total = { created: 0, changed: 0 };
  const sizeOf = (items: readonly ImportedPlace[]) => items.length;
  await inBatches(
    { items: places, sizeOf, label: source.name, startedAt, lanes: 1 },
    context,
    async (items) => {
      const done = await importPlaces(pool, { ...batch, places: items });
      total.created += done.created;
      total.changed += done.changed;
    },
  );
  screen.write(
    report(source.name, { rows, startedAt, now: now() }, [
      `${count(total.created)} new places, ${count(total.changed)} known better now`,
      ...(unplaced > 0
        ? [`${count(unplaced)} rows share a point with two other cities or more: kept without a position`]
        : []),
      ...(total.created + total.changed === 0 ? ['nothing has changed'] : []),
    ]),
  );
}

async function neighborhoodPlaces(
  source: NeighborhoodSource,
  request: ImportRequest,
  context: ImportContext,
) {
  const { neighborhoods, rows } = readNeighborhoods(source, context.problems);
  const centres = neighborhoods.map(({ centre }) => centre);
  const city = request.city ?? (await cityAround(context.pool, centres));
  if (city === null) {
    throw new FileProblem(
      `${source.name} does not say which city its neighborhoods are in. Name it with --city "Seattle, WA", or import` +
        ` the postal codes of the city first.`,
    );
  }
  return { places: toNeighborhoodPlaces(neighborhoods, city), rows, unplaced: 0 };
}

/** @param work `lanes`: how many batches are written at a time; above 1 only where no two batches share a row */
async function inBatches<T>(
  work: {
    items: readonly T[];
    sizeOf(items: readonly T[]): number;
    label: string;
    startedAt: number;
    lanes: number;
  },
  { screen, now }: ImportContext,
  write: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  const { items, sizeOf, label, startedAt, lanes } = work;
  const bar = createProgressBar(screen, { label, total: sizeOf(items), startedAt });
  let from = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (from < items.length) {
      const batch = items.slice(from, from + BATCH);
      from += batch.length;
      await write(batch);
      done += sizeOf(batch);
      bar.show(done, now());
    }
  };
  const stopOthers = (error: unknown) => {
    from = items.length;
    throw error;
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, () => lane().catch(stopOthers)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  bar.end();
}

function report(
  name: string,
  { rows, startedAt, now }: { rows: number; startedAt: number; now: number },
  lines: string[],
): string {
  const seconds = Math.max(0.001, (now - startedAt) / 1000);
  const speed = `${count(rows)} rows in ${seconds.toFixed(1)} s, ${count(Math.round(rows / seconds))} rows/s`;
  return `${name}: ${speed}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
