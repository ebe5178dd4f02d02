import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { requestHostCheck } from '../../../persistence/console/host-checks.ts';
import { spelledAddress } from '../../wire/mail-address.ts';
import { fieldsOf } from '../actions/form-fields.ts';
import { warning } from '../actions/views.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { counted } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { runbookLink } from '../runbooks.ts';
import { scrolling, table } from '../table.ts';
import { type Check, runChecks } from './checks.ts';

/** `/console/ready`: what an installation still needs, and the button that has a test mail sent. */
const TITLE = 'Is it ready?';
const address = z.string().trim().max(254).transform(spelledAddress).pipe(z.email());

export function readyPages(context: ConsoleContext): Hono<ConsoleEnv> {
  const { database, clock, logger } = context;
  const app = new Hono<ConsoleEnv>();
  const show = async (c: PageContext, notice: Html | '' = '', status: 200 | 409 = 200) =>
    showPage(
      c,
      { title: TITLE, section: 'ready', body: html`${notice}${view(await runChecks(context))}` },
      status,
    );
  app.get('/', (c) => show(c));
  app.post('/', async (c) => {
    const email = address.safeParse((await fieldsOf(c)).email);
    if (!email.success) return show(c, warning('Enter the mail address that gets the test mail.'), 409);
    if (!(await requestHostCheck(database.pool, { email: email.data, at: clock.now() })))
      return show(c, warning('There were ten test mails within an hour. Wait a little.'), 409);
    const act = { operation: 'send-test-mail', operator: c.env.operator };
    logger.info({ event: 'security.operator_act', ...act }, 'console: operation');
    return c.redirect('/console/ready', 303);
  });
  return app;
}

const STATES = { good: 'Good', look: 'Risk', missing: 'Missing' } as const;
const NOTICES = { good: 'good', look: 'warn', missing: 'bad' } as const;

function view(checks: readonly Check[]): Html {
  const count = checks.filter(({ state }) => state === 'missing').length;
  const list = table({
    caption: 'What was checked, what is missing first',
    columns: [
      ['Check', ({ name }) => name],
      ['State', ({ state }) => html`<span class="notice ${NOTICES[state]}">${STATES[state]}</span>`],
      ['What was found', ({ text }) => text],
      ['What to do', ({ runbook, state }) => (state === 'good' ? '' : runbookLink(runbook))],
    ],
    rows: checks,
  });
  return html`<p class="notice ${count === 0 ? 'good' : 'bad'}">${
    count === 0 ? 'Nothing is missing.' : `${counted(count, 'thing')} missing. Begin with the first.`
  }</p>
  ${scrolling('What was checked', list)}
  <section class="panel" aria-labelledby="mail">
    <h2 id="mail">Send a test mail</h2>
    <p>The API host mails this address and looks at the map’s background. The address is kept for a day.</p>
    <form method="post" action="/console/ready">
      <p><label for="email">Your mail address</label>
      <input id="email" name="email" type="email" maxlength="254" required autocomplete="email"></p>
      <p><button type="submit">Send the test mail</button></p>
    </form>
  </section>`;
}
