import { html } from 'hono/html';
import { routePath } from 'hono/route';
import { isOutage } from '../errors/outage.ts';
import type { ConsoleContext } from './context.ts';
import { type PageContext, showPage } from './layout.ts';

/** The page for an address that does not exist, behind the sign-in. */
export function unknownPage(c: PageContext): Response | Promise<Response> {
  const body = html`<p class="lead">There is no such page, or nothing with this id any more.</p>
  <ul>
    <li>Look for the id <a href="/console/actors/search">in the search</a>: it also finds what is gone but for its journal.</li>
    <li>A staged image that was rejected, or whose original was deleted, has no row any more.</li>
    <li>The journal is pruned by age; what is older can only be found in a backup.</li>
  </ul>`;
  return showPage(c, { title: 'Not found', section: 'overview', body }, 404);
}

/** The page for a request that another site made the operator's browser send. */
export function foreignPage(c: PageContext): Response | Promise<Response> {
  const body = html`<p class="lead">Nothing was changed: the request did not come from a page of this console. Open the page here and try again.</p>`;
  return showPage(c, { title: 'Refused', section: 'overview', body }, 403);
}

/**
 * The page for a thrown error: 503 while the database or a store is unavailable, 500 for a fault of ours. Only the
 * log has details.
 */
export function failurePage(
  error: Error,
  c: PageContext,
  { logger, crashReports }: Pick<ConsoleContext, 'logger' | 'crashReports'>,
): Response | Promise<Response> {
  const path = c.req.path;
  if (isOutage(error)) {
    logger.warn({ err: error, path }, 'console: a page waits for the database or a store');
    c.header('retry-after', '5');
    const body = html`<p class="lead">The database, or a store that this page needs, does not answer.</p>
    <ul>
      <li>Nothing is lost: jobs wait, and go on by themselves when it is back.</li>
      <li><a href="/readyz">/readyz</a> of this worker says which part is away.</li>
      <li>Reload this page in a moment.</li>
    </ul>`;
    return showPage(c, { title: 'Away', section: 'overview', body }, 503);
  }
  logger.error({ err: error, path }, 'console: a page failed');
  crashReports.capture(error, {
    method: c.req.method,
    route: routePath(c),
    headers: { get: (name) => c.req.header(name) },
  });
  const body = html`<p class="lead">This page failed, and nothing was changed. The worker's log has the error.</p>`;
  return showPage(c, { title: 'Failed', section: 'overview', body }, 500);
}
