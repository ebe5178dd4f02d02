import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  createAgentInvitations,
  type EnteredInvitation,
  formatInvited,
  INVITE_AGENT,
} from '../../operations/agent-invitations.ts';
import { REASON_LENGTH, UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { fieldsOf } from './form-fields.ts';
import { pathOf, warning } from './views.ts';

/** The form that invites an agent. The address is not shown again, and appears in no log. */
const PATH = pathOf(INVITE_AGENT);

export function invitationPages(
  { database, clock, logger }: ConsoleContext,
  scrub: (text: string) => string,
): Hono<ConsoleEnv> {
  const invitations = createAgentInvitations({ pool: database.pool, clock, scrub });
  const app = new Hono<ConsoleEnv>();
  app.get(`/${INVITE_AGENT.name}`, (c) => show(c, form()));
  app.post(`/${INVITE_AGENT.name}`, async (c) => {
    const { email = '', officeName = '', locale = '', reason = '' } = await fieldsOf(c);
    const entered = { email, officeName, locale };
    const again = (problem: string) =>
      show(c, html`${warning(`Nothing was done: ${problem}.`)}${form({ ...entered, reason })}`, 409);
    try {
      const by = c.env.operator;
      const done = await invitations.invite(entered, { by, reason });
      if ('problems' in done) return again(done.problems.join(', '));
      const act = { operation: INVITE_AGENT.name, operator: by, outcome: done.outcome };
      logger.info({ event: 'security.operator_act', ...act }, 'console: operation');
      return show(
        c,
        html`<p class="notice ${done.outcome === 'invited' ? 'good' : 'warn'}" role="status">${formatInvited(done)}</p>
        <ul><li><a href="${PATH}">${INVITE_AGENT.title}: another one</a></li></ul>`,
      );
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return again(error.message);
    }
  });
  return app;
}

const EMPTY = { email: '', officeName: '', locale: 'en', reason: '' };

function form({ email, officeName, locale, reason }: EnteredInvitation & { reason: string } = EMPTY): Html {
  return html`<p class="lead">${INVITE_AGENT.sentence}</p>
  <form method="post" action="${PATH}">
    <p><label for="email">Mail address</label>
    <input id="email" name="email" type="email" maxlength="254" required autocomplete="off" value="${email}"></p>
    <p><label for="officeName">Office that the agent joins</label>
    <input id="officeName" name="officeName" maxlength="120" required autocomplete="off" value="${officeName}"></p>
    <p><label for="locale">Language of the mail, when no account has the address</label>
    <select id="locale" name="locale">
      <option value="en">English</option>
      <option value="es"${locale === 'es' ? html` selected` : ''}>Spanish</option>
    </select></p>
    <p><label for="reason">Reason</label>
    <input id="reason" name="reason" required minlength="${REASON_LENGTH.min}" maxlength="${REASON_LENGTH.max}" autocomplete="off" value="${reason}"></p>
    <p><button type="submit">${INVITE_AGENT.title}</button></p>
  </form>`;
}

function show(c: PageContext, body: Html, status: 200 | 409 = 200) {
  return showPage(c, { title: INVITE_AGENT.title, section: 'actions', body }, status);
}
