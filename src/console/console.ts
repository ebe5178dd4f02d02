/**
 * The operators' pages on the worker's ops server (docs/contract.md#operations-server). It owns their access
 * control and nothing else. The pages hold no state, read rows, and make changes only through `src/operations`.
 * Without credentials in the configuration there is no console: no route, no page, no sign-in.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type OpsRoute, refuseUnknown } from '../telemetry/ops-server.ts';
import { actionPages } from './actions/routes.ts';
import { actorPages } from './actors/routes.ts';
import { assetPages } from './assets.ts';
import { chartPages } from './chart/routes.ts';
import type { ConsoleContext, ConsoleEnv } from './context.ts';
import { costPages } from './costs/routes.ts';
import { failurePage, foreignPage, unknownPage } from './failure-pages.ts';
import { overviewPages } from './overview/routes.ts';
import { queuePages } from './queue-routes.ts';
import { responseHeaders } from './response-headers.ts';
import { type ConsoleSignIn, createConsoleSignIn } from './sign-in/console-sign-in.ts';
import { isForeign } from './sign-in/same-site.ts';
import { signInPages, signOut } from './sign-in/sign-in.ts';

/** Forms contain a few ids and a reason. */
const MAX_BODY_BYTES = 256 * 1024;
const SIGN_IN = '/sign-in';
const PROTECTED_PATHS = ['/console', '/queues', '/sign-out'];

export function createConsole(context: ConsoleContext): OpsRoute[] {
  const { queueDashboard } = context.config;
  if (queueDashboard === null) return [];
  const consoleSignIn = createConsoleSignIn(context, queueDashboard);
  const signIn = new Hono<ConsoleEnv>().use(responseHeaders()).route('/', signInPages(consoleSignIn));
  const pages = protectedPages(context, consoleSignIn);
  const requireSignIn = async (request: IncomingMessage, response: ServerResponse) => {
    // Checked before the request is parsed, so that a malformed request gets the same answer as any other.
    const operator = await consoleSignIn.admit(request);
    if (operator === null) return refuseUnknown(response);
    // A sign-in name may be a mail address, which pages never show.
    return listenerOf(pages, operator.split('@')[0] ?? '')(request, response);
  };
  return [
    { path: SIGN_IN, handle: listenerOf(signIn, '') },
    ...PROTECTED_PATHS.map((path) => ({ path, handle: requireSignIn })),
  ];
}

/** All pages that require an operator's sign-in. */
export function protectedPages(context: ConsoleContext, consoleSignIn: ConsoleSignIn): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(responseHeaders());
  app.use((c, next) => (isForeign(c.env.incoming) ? Promise.resolve(foreignPage(c)) : next()));
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.post('/sign-out', (c) => signOut(c, consoleSignIn));
  app.route('/console/assets', assetPages());
  app.route('/console/actions', actionPages(context));
  app.route('/console/costs', costPages(context));
  app.route('/console/charts', chartPages(context));
  app.route('/console/actors', actorPages(context));
  app.route('/console', overviewPages(context));
  app.route('/queues', queuePages(context));
  app.notFound(unknownPage);
  app.onError((error, c) => failurePage(error, c, context));
  return app;
}

/** The global `Request` and `Response` are not replaced: other parts of the worker use HTTP too. */
function listenerOf(app: Hono<ConsoleEnv>, operator: string) {
  return getRequestListener((request, env) => app.fetch(request, { ...(env as HttpBindings), operator }), {
    overrideGlobalObjects: false,
  });
}
