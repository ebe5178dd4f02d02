import { Hono } from 'hono';
import { costsByDay, costsByJob } from '../../../persistence/console/cost-queries.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { cursorOf } from '../cursor.ts';
import { showPage } from '../layout.ts';
import { DAY_MS, dayOf } from './day-chart.ts';
import { costsBody, JOBS_A_PAGE, noPricesBody, SHOWN_DAYS } from './pages.ts';

/**
 * The estimated costs of pictures (docs/contract.md#costs), for people only. Without prices in the configuration
 * nothing is shown, even if rows still contain estimates from an earlier configuration.
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
    const after = cursorOf(c.req.query('after'));
    const jobs = await costsByJob(database.pool, {
      after: after && { sentAt: after.at, jobId: after.id },
      limit: JOBS_A_PAGE + 1,
    });
    return showPage(c, { ...page, body: costsBody({ prices, pricingVersion, days, jobs, now }) });
  });
  return app;
}
