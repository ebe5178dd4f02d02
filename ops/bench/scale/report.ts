import type { ScaleReport } from './measure-scale.ts';
import type { Percentiles } from './percentiles.ts';
import type { Amounts, ScalePlan } from './plan.ts';

/** The report as text, in tables that a terminal and a Markdown page show alike. */

const GIGABYTE = 1e9;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const ms = (value: number): string => value.toPrecision(3);
const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;

/** What will be loaded, and what the disk does not hold. */
export function formatPlan({ loaded, wanted, bytes, free }: ScalePlan): string {
  const short = loaded.listings < wanted.listings;
  const room = `about ${gigabytes(bytes)} of ${gigabytes(free)} free`;
  return [
    `Loading ${amounts(loaded)}: ${room}.`,
    ...(short ? [`The disk has no room for ${amounts(wanted)}; sizes for those are computed.`] : []),
    '',
  ].join('\n');
}

export function formatReport({ listings, jobs, tables }: ScaleReport, plan: ScalePlan): string {
  return [
    table(
      ['milliseconds', ...listings.map(({ count }) => `among ${whole(count)}: p50, p95, p99`)],
      (listings[0]?.asked ?? []).map(({ what }, row) => [
        what,
        ...listings.map(({ asked }) => formatPercentiles(asked[row])),
      ]),
    ),
    table(
      ['jobs', 'without a history', `beside ${amounts(plan.loaded)}`],
      [
        ['a second, 16 under way', jobs.before.perSecond.toFixed(1), jobs.after.perSecond.toFixed(1)],
        ['one alone, p50 in milliseconds', ms(jobs.before.aloneMs), ms(jobs.after.aloneMs)],
        [jobs.journal.what, '', formatPercentiles(jobs.journal)],
      ],
    ),
    table(
      ['table with its indexes', 'rows', 'size', 'bytes a row', `computed for ${amounts(plan.wanted)}`],
      tables.map(({ table: name, rows, bytes }) => [
        name,
        whole(rows),
        gigabytes(bytes),
        whole(bytes / rows),
        gigabytes(bytes * growth(name, plan)),
      ]),
    ),
  ].join('\n');
}

/** How many times larger a table is with what was wanted than with what was loaded. */
function growth(table: string, { wanted, loaded }: ScalePlan): number {
  const ofListings = ['properties', 'search_listings', 'property_price_events'].includes(table);
  return ofListings ? wanted.listings / loaded.listings : wanted.jobs / loaded.jobs;
}

function amounts({ listings, jobs, journal }: Amounts): string {
  return `${whole(listings)} listings, ${whole(jobs)} finished jobs and ${whole(journal)} more journal rows`;
}

function formatPercentiles(taken: Percentiles | undefined): string {
  return taken === undefined ? '' : `${ms(taken.p50)}, ${ms(taken.p95)}, ${ms(taken.p99)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}
