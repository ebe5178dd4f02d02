import { Hono } from 'hono';
import { z } from 'zod';
import { type CostCursor, costsByDay, costsByJob } from '../../../persistence/console/cost-queries.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { showPage } from '../layout.ts';
import { DAY_MS, dayOf } from './day-chart.ts';
import { costsBody, JOBS_A_PAGE, noPricesBody, SHOWN_DAYS } from './pages.ts';

/**
 * What pictures are estimated to have cost (docs/contract.md#costs): for people to look at. Without
 * prices in the configuration nothing is shown, whatever the rows still hold from times when there were some.
 */
export function costPages({ config, database, clock }: ConsoleContext): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const { costMicrousd: prices, pricingVersion } = config;
  app.get('/', async (c) => {
    const page = { title: 'Estimated costs', section: 'costs' } as const;
    if (Object.keys(prices).length === 0) return showPage(c, { ...page, body: noPricesBody() });
    const now = clock.now();
    const firstDay = Date.parse(dayOf(now - (SHOWN_DAYS - 1) * DAY_MS));
    const days = await costsByDay(database.pool, firstDay);
    const jobs = await costsByJob(database.pool, {
      after: cursorOf(c.req.query('after')),
      limit: JOBS_A_PAGE + 1,
    });
    return showPage(c, { ...page, body: costsBody({ prices, pricingVersion, days, jobs, now }) });
  });
  return app;
}

const cursorText = z.string().regex(/^\d{1,15}_[0-9a-f-]{36}$/);
const cursorId = z.uuid();

/** What is no cursor of ours shows the first page. */
function cursorOf(text: string | undefined): CostCursor | null {
  const parsed = cursorText.safeParse(text);
  if (!parsed.success) return null;
  const [sentAt, jobId] = parsed.data.split('_');
  const id = cursorId.safeParse(jobId);
  return id.success && Number(sentAt) < 8.64e15 ? { sentAt: Number(sentAt), jobId: id.data } : null;
}
