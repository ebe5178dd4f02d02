import { createBullBoard } from '@bull-board/api';
import { HonoAdapter } from '@bull-board/hono';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { siteName } from '../../i18n/translator.ts';
import type { ObservedQueueName } from '../queues/observed-queues.ts';
import type { ConsoleContext, ConsoleEnv } from './context.ts';
import { IdsOnlyAdapter } from './ids-only-adapter.ts';

/**
 * The queue dashboard (bull-board) at `/queues`, behind the console's sign-in. Read-only: a request that would
 * change a queue gets 405 before the dashboard sees it. Operators act through the operations, which are journalled;
 * a queue may be wrong while the rows are right.
 */
const BASE_PATH = '/queues';

const DESCRIPTIONS: Record<ObservedQueueName, string> = {
  staging: 'Staging jobs that wait for a worker and for the start rate; entries are hints, the rows decide',
  descriptions: 'Description jobs, and messages that the release before v2 left behind',
  search: 'Search documents to rebuild',
  storage: 'The drain of the deletion outbox, every minute',
};

/**
 * The strictest policy under which the dashboard works: its script creates some styles and sets inline ones.
 * Nothing may be loaded from, or sent to, another host.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The dashboard's page loads its fonts from another host; without them it uses those of the system. */
const FOREIGN_LINKS = /<link\b[^>]*\bhref="https?:[^>]*>/g;

export function queuePages({ observedQueues }: ConsoleContext): Hono<ConsoleEnv> {
  const serverAdapter = new HonoAdapter(serveStatic).setBasePath(BASE_PATH);
  createBullBoard({
    queues: observedQueues.all.map(({ name, queue }) => new IdsOnlyAdapter(queue, DESCRIPTIONS[name])),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: `${siteName()} queues`,
        miscLinks: [{ text: 'Console', url: '/console' }],
        hideDocsLink: true,
        // Both list all clients of the store.
        hideRedisDetails: true,
        showWorkers: false,
      },
    },
  });
  const app = new Hono<ConsoleEnv>();
  app.use(async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
      return c.json({ error: { code: 'METHOD_NOT_ALLOWED' } }, 405, { allow: 'GET, HEAD' });
    await next();
    c.header('content-security-policy', CONTENT_SECURITY_POLICY);
    if (!c.res.headers.get('content-type')?.startsWith('text/html')) return;
    const page = await c.res.text();
    c.res = new Response(page.replaceAll(FOREIGN_LINKS, ''), c.res);
  });
  app.route('/', serverAdapter.registerPlugin());
  return app;
}
