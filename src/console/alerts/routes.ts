import { Hono } from 'hono';
import {
  alertBacklog,
  filtersOfSearch,
  lastMatches,
  listingInSearch,
  searchForOperators,
  waitingAlertMails,
} from '../../../persistence/alerts/operator-reads.ts';
import { isUuid } from '../../../persistence/console/search.ts';
import { storedCriteria } from '../../search/criteria.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { queueView, searchView } from './views.ts';
import { whyNot } from './why-not.ts';

/** The queue of alerts, and a saved search: its last matches, and why it has none of a listing. */
const MOST_COUNTED = 1_000;
const MAILS = 100;
const MATCHES = 50;
const EVENTS = 20;

export function alertPages({ database, clock, config }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (c) => {
    const at = clock.now();
    const [backlog, mails] = await Promise.all([
      alertBacklog(pool, { at, limit: MOST_COUNTED }),
      waitingAlertMails(pool, MAILS),
    ]);
    return show(c, 'Alerts', queueView({ backlog, mails, mostCounted: MOST_COUNTED, at }));
  });
  app.get('/searches/:id', async (c) => {
    const id = c.req.param('id');
    const search = isUuid(id) ? await searchForOperators(pool, id) : null;
    if (search === null) return c.notFound();
    const { searchId } = search;
    const matches = await lastMatches(pool, searchId, MATCHES);
    const propertyId = (c.req.query('listing') ?? '').trim();
    const asked = propertyId === '' ? null : { propertyId, reasons: await reasonsFor(search, propertyId) };
    return show(c, `Search ${shortId(searchId)}`, searchView({ search, matches, asked, at: clock.now() }));
  });

  /** Null for a listing that does not exist. */
  async function reasonsFor(
    search: NonNullable<Awaited<ReturnType<typeof searchForOperators>>>,
    propertyId: string,
  ): Promise<string[] | null> {
    if (!isUuid(propertyId)) return null;
    const filters = await filtersOfSearch(pool, search.searchId);
    const criteria = await storedCriteria(pool, filters, { at: clock.now(), site: config.site });
    const listing = await listingInSearch(pool, search, { propertyId, criteria, limit: EVENTS });
    return listing === null ? null : whyNot(search, listing);
  }
  return app;
}

const show = (c: PageContext, title: string, body: Html) => showPage(c, { title, section: 'people', body });
