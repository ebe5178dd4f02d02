import { html } from 'hono/html';
import type { DayOfCosts, JobCosts } from '../../../persistence/console/cost-queries.ts';
import { cursorText } from '../cursor.ts';
import type { Html } from '../layout.ts';
import { type Column, scrolling, table } from '../table.ts';
import { dayChart, lastDays } from './day-chart.ts';
import { formatMicrousd } from './microusd.ts';

export const SHOWN_DAYS = 30;
export const JOBS_A_PAGE = 50;

export interface CostsView {
  /** Micro-US-dollars per picture, by quality in lower case. */
  prices: Readonly<Record<string, number>>;
  pricingVersion: string | null;
  /** The shown days that have purchases. */
  days: readonly DayOfCosts[];
  /** One more than a page shows, when there is another page. */
  jobs: readonly JobCosts[];
  /** Milliseconds since 1970. */
  now: number;
}

export function noPricesBody(): Html {
  return html`<p class="notice">
    No prices are set, so no costs are estimated. Set <code>AI_STAGING_COST_MICROUSD_MEDIUM</code> (and
    <code>_LOW</code>, <code>_HIGH</code>, <code>_AUTO</code>) of the worker to micro-US-dollars a picture, and
    <code>AI_STAGING_PRICING_VERSION</code> to the date and source of the prices.
  </p>`;
}

export function costsBody({ prices, pricingVersion, days, jobs, now }: CostsView): Html {
  const shown = lastDays(days, now, SHOWN_DAYS);
  return html`
    <p class="notice warn">
      <strong>Estimate, pricing version ${pricingVersion ?? 'not stated'}.</strong>
      Pictures bought times the price of their quality; not the provider's bill. A purchase whose answer was lost counts,
      because it counts as bought. Texts are not estimated. Nothing is ever decided by these numbers.
    </p>
    <div class="columns">
      ${scrolling('Totals', totalsTable(shown))}
      ${pricesTable(prices)}
    </div>
    <section class="panel">
      <h2>By day, UTC</h2>
      ${scrolling('Chart of the days', dayChart(shown))}
      <details>
        <summary>The days as a table</summary>
        ${scrolling('Estimated costs by day', daysTable(shown))}
      </details>
    </section>
    <section>
      <h2>Jobs, latest purchase first</h2>
      ${scrolling('Estimated costs by job', jobsTable(jobs.slice(0, JOBS_A_PAGE)))}
      ${nextPage(jobs)}
    </section>`;
}

function totalsTable(days: readonly DayOfCosts[]): Html {
  const rows = [
    ['Today', 1],
    ['Last 7 days', 7],
    [`Last ${SHOWN_DAYS} days`, SHOWN_DAYS],
  ] as const;
  return table({
    caption: 'Totals, days of UTC',
    look: 'panel',
    columns: [['Time', ({ label }) => label], ...COUNT_COLUMNS],
    rows: rows.map(([label, count]) => ({ label, ...totalOf(days.slice(-count)) })),
  });
}

type Counts = Pick<DayOfCosts, 'bought' | 'lost' | 'unpriced' | 'microusd'>;

function totalOf(days: readonly DayOfCosts[]): Counts {
  const sum = (field: keyof Counts) => days.reduce((total, day) => total + day[field], 0);
  return {
    bought: sum('bought'),
    lost: sum('lost'),
    unpriced: sum('unpriced'),
    microusd: sum('microusd'),
  };
}

const COUNT_COLUMNS: readonly Column<Counts>[] = [
  ['Bought', ({ bought }) => bought, 'number'],
  ['Of these lost', ({ lost }) => lost, 'number'],
  ['Estimate', estimateOf, 'number'],
];

/** Names the number of pictures without a price, so that a low sum is not mistaken for a low cost. */
function estimateOf({ bought, unpriced, microusd }: Counts): string {
  if (bought > 0 && unpriced === bought) return 'no price';
  return unpriced > 0
    ? `${formatMicrousd(microusd)} + ${unpriced} without a price`
    : formatMicrousd(microusd);
}

function pricesTable(prices: CostsView['prices']): Html {
  return table({
    caption: 'Prices a picture',
    look: 'panel',
    columns: [
      ['Quality', ([quality]) => quality],
      ['Estimate', ([, microusd]) => formatMicrousd(microusd), 'number'],
    ],
    rows: Object.entries(prices),
  });
}

function daysTable(days: readonly DayOfCosts[]): Html {
  return table({
    caption: 'Estimated costs by day',
    columns: [['Day', ({ day }) => day], ...COUNT_COLUMNS],
    rows: days.toReversed(),
  });
}

function jobsTable(jobs: readonly JobCosts[]): Html {
  if (jobs.length === 0) return html`<p class="muted">No picture was bought yet.</p>`;
  const instant = (at: number) => new Date(at).toISOString();
  return table({
    caption: 'Estimated costs by job',
    columns: [
      ['Job', ({ jobId }) => html`<a class="mono" href="/console/actors/stagingJob/${jobId}">${jobId}</a>`],
      ['Status', ({ status }) => status],
      ['Quality', ({ quality }) => quality ?? 'unknown'],
      [
        'Latest purchase',
        ({ sentAt }) => html`<time datetime="${instant(sentAt)}">${instant(sentAt)}</time>`,
      ],
      ...COUNT_COLUMNS,
      ['Rests on', ({ kinds }) => kinds.join(', ')],
    ],
    rows: jobs,
  });
}

function nextPage(jobs: readonly JobCosts[]): Html | '' {
  const last = jobs[JOBS_A_PAGE - 1];
  if (jobs.length <= JOBS_A_PAGE || last === undefined) return '';
  return html`<p><a class="button" href="/console/costs?after=${cursorText({ at: last.sentAt, id: last.jobId })}">Older</a></p>`;
}
