import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  ADD_CLIENT,
  type Adding,
  clientState,
  createApiClients,
  DEFAULT_DAYS,
  DEFAULT_RATE,
  type EnteredClient,
  formatAdded,
  REVOKE_CLIENT,
  REVOKED,
} from '../../operations/api-clients.ts';
import { REASON_LENGTH, UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';
import { fieldsOf } from './form-fields.ts';
import { pathOf, warning } from './views.ts';

/** The clients of the feed, and the forms that add and revoke one. A secret is on one page, once, and in no log. */
type Client = Awaited<ReturnType<ReturnType<typeof createApiClients>['list']>>[number];

export function clientPages(
  { database, clock, chance, logger }: ConsoleContext,
  scrub: (text: string) => string,
): Hono<ConsoleEnv> {
  const clients = createApiClients({ pool: database.pool, clock, chance, scrub });
  const app = new Hono<ConsoleEnv>();
  const page = async (c: PageContext, notice: Html | string, status: 200 | 409 = 200) => {
    const list = clientTable(await clients.list(), clock.now());
    const body = html`${notice}<p class="lead">${ADD_CLIENT.sentence}</p>${addForm()}${list}`;
    return showPage(c, { title: 'Clients of the feed', section: 'actions', body }, status);
  };
  const noted = (operation: string, operator: string, outcome: string) =>
    logger.info({ event: 'security.operator_act', operation, operator, outcome }, 'console: operation');
  const signed = async (c: PageContext, act: () => Promise<Html | null>, problem: () => string) => {
    try {
      const done = await act();
      return done === null
        ? await page(c, warning(`Nothing was done: ${problem()}`), 409)
        : await page(c, done);
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return page(c, warning(`Nothing was done: ${error.message}.`), 409);
    }
  };
  app.get(`/${ADD_CLIENT.name}`, (c) => page(c, ''));
  app.post(`/${ADD_CLIENT.name}`, async (c) => {
    const { name = '', perMinute = '', days = '', reason = '' } = await fieldsOf(c);
    const entered: EnteredClient = { name, perMinute, days };
    let problem = '';
    const act = async () => {
      const done: Adding = await clients.add(entered, { by: c.env.operator, reason });
      if ('problems' in done) problem = `${done.problems.join(', ')}.`;
      else if (done.outcome === 'taken') problem = 'a client has this name.';
      else {
        noted(ADD_CLIENT.name, c.env.operator, done.outcome);
        return html`<pre class="notice good" role="status">${formatAdded(done)}</pre>`;
      }
      return null;
    };
    return signed(c, act, () => problem);
  });
  app.post(`/${REVOKE_CLIENT.name}`, async (c) => {
    const { id = '', reason = '' } = await fieldsOf(c);
    let problem = '';
    const act = async () => {
      const { outcome } = await clients.revoke(id, { by: c.env.operator, reason });
      problem = REVOKED[outcome];
      if (outcome !== 'revoked') return null;
      noted(REVOKE_CLIENT.name, c.env.operator, outcome);
      return html`<p class="notice good" role="status">${REVOKED.revoked}</p>`;
    };
    return signed(c, act, () => problem);
  });
  return app;
}

const reasonField = (id: string): Html => html`<p><label for="${id}">Reason</label>
  <input id="${id}" name="reason" minlength="${REASON_LENGTH.min}" maxlength="${REASON_LENGTH.max}" required autocomplete="off"></p>`;

function addForm(): Html {
  return html`<form method="post" action="${pathOf(ADD_CLIENT)}">
    <p><label for="name">Name</label>
    <input id="name" name="name" maxlength="60" required autocomplete="off"></p>
    <p><label for="perMinute">Requests a minute</label>
    <input id="perMinute" name="perMinute" inputmode="numeric" required autocomplete="off" value="${String(DEFAULT_RATE)}"></p>
    <p><label for="days">Days until it ends</label>
    <input id="days" name="days" inputmode="numeric" required autocomplete="off" value="${String(DEFAULT_DAYS)}"></p>
    ${reasonField('reason')}
    <p><button type="submit">${ADD_CLIENT.title}</button></p>
  </form>`;
}

function clientTable(clients: readonly Client[], at: number): Html {
  if (clients.length === 0) return html`<p>There is no client of the feed.</p>`;
  return scrolling(
    'Clients of the feed',
    table<Client>({
      caption: 'Clients of the feed, the newest first',
      columns: [
        ['Name', ({ name }) => name],
        ['Id', ({ clientId }) => html`<code>${clientId}</code>`],
        ['State', (client) => clientState(client, at)],
        ['Requests a minute', ({ perMinute }) => String(perMinute)],
        ['Ends', ({ expiresAt }) => timeTag(expiresAt)],
        ['Revoke', (client) => (clientState(client, at) === 'ACTIVE' ? revokeForm(client) : '')],
      ],
      rows: clients,
    }),
  );
}

function revokeForm({ clientId, name }: Client): Html {
  return html`<form method="post" action="${pathOf(REVOKE_CLIENT)}">
    <input type="hidden" name="id" value="${clientId}">
    ${reasonField(`reason-${clientId}`)}
    <p><button type="submit">Revoke ${name}</button></p>
  </form>`;
}
