import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ConsoleContext, ConsoleEnv } from '../../../src/console/context.ts';
import { DAY_MS, dayOf, lastDays } from '../../../src/console/costs/day-chart.ts';
import { formatMicrousd } from '../../../src/console/costs/microusd.ts';
import { costPages } from '../../../src/console/costs/routes.ts';

const NOW = Date.UTC(2026, 7, 15, 12);
const DAY = { day: '2026-08-14', bought: 3, lost: 1, unpriced: 0, microusd: '141000' };
const JOB = {
  jobId: '8a1c2e9e-1111-4222-8333-444455556666',
  status: 'SUCCESS',
  quality: 'medium',
  bought: 2,
  lost: 1,
  unpriced: 0,
  microusd: '94000',
  kinds: ['estimate:<script>alert(1)</script>'],
  sentAt: new Date(NOW - DAY_MS),
};

/** The pages over given rows; `asked` holds the values of each query. */
function pages(
  config: { costMicrousd: Record<string, number>; pricingVersion: string | null },
  { days = [DAY], jobs = [JOB] }: { days?: object[]; jobs?: object[] } = {},
) {
  const asked: unknown[][] = [];
  const query = async (sql: string, values: unknown[]) => {
    asked.push(values);
    return { rows: sql.includes('GROUP BY 1') ? days : jobs };
  };
  const context = { config, database: { pool: { query } }, clock: { now: () => NOW } };
  const app = new Hono<ConsoleEnv>();
  app.route('/console/costs', costPages(context as unknown as ConsoleContext));
  const get = async (query = '') =>
    (await app.request(`/console/costs${query}`, {}, { operator: 'ops' })).text();
  return { get, asked };
}
const PRICED = { costMicrousd: { medium: 47_000 }, pricingVersion: '2026-08-13' };

test.for([
  [0, '$0.00'],
  [1, '$0.000001'],
  [47_000, '$0.047'],
  [190_000, '$0.19'],
  [1_234_567, '$1.23'],
  [999_999_999_999, '$1,000,000.00'],
] as const)('%d micro-dollars are %s', ([microusd, text]) => {
  expect(formatMicrousd(microusd)).toBe(text);
});

test('without prices no cost is shown, whatever the rows contain', async () => {
  const { get, asked } = pages({ costMicrousd: {}, pricingVersion: '2026-08-13' });
  const page = await get();
  expect(page).toContain('No prices are set');
  expect(page).not.toMatch(/\$|estimate:/);
  expect(asked).toEqual([]);
});

test('shows that it is an estimate and the prices used, with totals, days and jobs', async () => {
  const page = await pages(PRICED).get();
  expect(page).toContain('Estimate, pricing version 2026-08-13.');
  expect(page).toContain('2026-08-14: $0.141, 3 bought');
  expect(page.match(/<rect /g)).toHaveLength(30);
  expect(page).toMatch(
    /Last 7 days<\/th><td class="number">3<\/td><td class="number">1<\/td><td class="number">\$0\.141/,
  );
  expect(page).toMatch(/Today<\/th><td class="number">0<\/td>/);
  expect(page).toContain(JOB.jobId);
  expect(page).toContain('$0.094');
  expect(page).not.toContain('<script>alert');
  const unversioned = await pages({ ...PRICED, pricingVersion: null }).get();
  expect(unversioned).toContain('pricing version not stated');
});

test('purchases without a price are reported and do not count as free', async () => {
  const days = [{ ...DAY, unpriced: 2 }];
  const jobs = [{ ...JOB, microusd: '0', unpriced: 2 }];
  const page = await pages(PRICED, { days, jobs }).get();
  expect(page).toContain('$0.141 + 2 without a price');
  expect(page).toContain('no price');
});

test('without purchases the page is empty and its chart has no bars', async () => {
  const page = await pages(PRICED, { days: [], jobs: [] }).get();
  expect(page).toContain('No picture was bought yet.');
  expect(page).not.toContain('NaN');
});

test('a page ends with a link to older jobs, which continues after its last row', async () => {
  const jobs = Array.from({ length: 51 }, () => JOB);
  const { get, asked } = pages(PRICED, { jobs });
  const older = /href="\/console\/costs(\?after=[^"]+)"/.exec(await get())?.[1] ?? '';
  await get(older);
  expect(asked.at(-1)).toEqual([JOB.sentAt, JOB.jobId, 51]);
});

test.for(['?after=', '?after=1_2', "?after=1';--", `?after=${'9'.repeat(15)}_${JOB.jobId}`, '?after=-1_x'])(
  'an invalid position shows the first page: %s',
  async (query) => {
    const { get, asked } = pages(PRICED);
    expect(await get(query)).toContain(JOB.jobId);
    if (!query.includes('9999')) expect(asked.at(-1)?.slice(0, 2)).toEqual([null, null]);
  },
);

test('the list of days up to today is complete, ordered and without gaps', () => {
  const days = lastDays([{ ...DAY, microusd: 1 }], NOW, 3);
  expect(days.map(({ day }) => day)).toEqual(['2026-08-13', '2026-08-14', '2026-08-15']);
  expect(days.map(({ microusd }) => microusd)).toEqual([0, 1, 0]);
  expect(dayOf(NOW)).toBe('2026-08-15');
});
