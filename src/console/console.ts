/**
 * The operators' pages on the worker's ops server (docs/contract.md#operations-server). It owns their access
 * control and nothing else. The pages hold no state, read rows, and make changes only through `src/operations`.
 * Without operators in the configuration there is no console: no route, no page, no sign-in.
 */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type OpsEnv, refuseUnknown } from '../telemetry/ops-server.ts';
import { actionPages } from './actions/routes.ts';
import { actorPages } from './actors/routes.ts';
import { alertPages } from './alerts/routes.ts';
import { assetPages } from './assets.ts';
import { chartPages } from './chart/routes.ts';
import type { ConsoleContext, ConsoleEnv } from './context.ts';
import { costPages } from './costs/routes.ts';
import { failurePage, foreignPage, unknownPage } from './failure-pages.ts';
import { messagePages } from './messages/routes.ts';
import { overviewPages } from './overview/routes.ts';
import { listingPages, peoplePages } from './people/routes.ts';
import { photoPages } from './photos/routes.ts';
import { queuePages } from './queue-routes.ts';
import { readyPages } from './ready/routes.ts';
import { dataReportPages } from './reports/routes.ts';
import { responseHeaders } from './response-headers.ts';
import { runbookPages } from './runbooks.ts';
import { type ConsoleSignIn, createConsoleSignIn } from './sign-in/console-sign-in.ts';
import { createOperators, PASSWORD_LENGTH, readOperators } from './sign-in/operators.ts';
import { isForeign } from './sign-in/same-site.ts';
import { signInPages, signOut } from './sign-in/sign-in.ts';

/** Forms contain a few ids and a reason. */
const MAX_BODY_BYTES = 256 * 1024;
const PROTECTED_PATHS = ['/console/*', '/queues/*'];
const SIGN_OUT_PATH = '/sign-out/*';

export function createConsole(context: ConsoleContext): Hono<OpsEnv> | undefined {
  const { queueDashboard, operatorsFile } = context.config;
  if (queueDashboard === null && operatorsFile === null) return;
  if (queueDashboard !== null && queueDashboard.password.length < PASSWORD_LENGTH)
    context.logger.warn(`QUEUE_DASHBOARD_PASSWORD has fewer than ${PASSWORD_LENGTH} characters`);
  const entries = operatorsFile === null ? [] : readOperators(operatorsFile);
  const consoleSignIn = createConsoleSignIn(context, createOperators(entries, queueDashboard));
  const pages = protectedPages(context, consoleSignIn);
  const requireSignIn = (admit: ConsoleSignIn['admit']) => async (c: Context<OpsEnv>) => {
    const operator = await admit(c.env.incoming);
    if (operator === null) return refuseUnknown();
    // A sign-in name may be a mail address, which pages never show.
    return pages.fetch(c.req.raw, { ...c.env, operator: operator.split('@')[0] ?? '' });
  };
  const app = new Hono<OpsEnv>();
  app.route('/', signInPages(consoleSignIn));
  app.on('ALL', PROTECTED_PATHS, requireSignIn(consoleSignIn.admit));
  app.on('ALL', SIGN_OUT_PATH, requireSignIn(consoleSignIn.admitToSignOut));
  return app;
}

/** All pages that require an operator's sign-in. */
export function protectedPages(context: ConsoleContext, consoleSignIn: ConsoleSignIn): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(responseHeaders());
  app.use((c, next) => (isForeign(c.env.incoming) ? Promise.resolve(foreignPage(c)) : next()));
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  app.post('/sign-out', (c) => signOut(c, consoleSignIn));
  app.route('/console/assets', assetPages(context.config.site));
  app.route('/console/actions', actionPages(context));
  app.route('/console/costs', costPages(context));
  app.route('/console/charts', chartPages(context));
  app.route('/console/actors', actorPages(context));
  app.route('/console/alerts', alertPages(context));
  app.route('/console/people', peoplePages(context));
  app.route('/console/listings', listingPages(context));
  app.route('/console/messages', messagePages(context));
  app.route('/console/reports', dataReportPages(context));
  app.route('/console/photos', photoPages(context));
  app.route('/console/ready', readyPages(context));
  app.route('/console/docs/runbooks', runbookPages());
  app.route('/console', overviewPages(context));
  app.route('/queues', queuePages(context));
  app.notFound(unknownPage);
  app.onError((error, c) => failurePage(error, c, context));
  return app;
}
