import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  type InvitationForOperators,
  openInvitations,
} from '../../../persistence/accounts/agent-invitations.ts';
import {
  createAgentInvitations,
  type EnteredInvitation,
  formatInvited,
  INVITE_AGENT,
} from '../../operations/agent-invitations.ts';
import { REASON_LENGTH, UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';
import { fieldsOf } from './form-fields.ts';
import { pathOf, warning } from './views.ts';

/** The form that invites an agent, and the open invitations. An address is not shown again, and appears in no log. */
const PATH = pathOf(INVITE_AGENT);
const MOST_SHOWN = 100;

export function invitationPages(
  { database, clock, logger }: ConsoleContext,
  scrub: (text: string) => string,
): Hono<ConsoleEnv> {
  const invitations = createAgentInvitations({ pool: database.pool, clock, scrub });
  const app = new Hono<ConsoleEnv>();
  app.get(`/${INVITE_AGENT.name}`, async (c) => {
    const open = await openInvitations(database.pool, { at: clock.now(), limit: MOST_SHOWN });
    return show(c, html`${form()}${open.length === 0 ? '' : openTable(open)}`);
  });
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

const openTable = (open: readonly InvitationForOperators[]): Html =>
  scrolling(
    'Open invitations',
    table({
      caption: `Open invitations, the newest first${open.length < MOST_SHOWN ? '' : `; only the first ${MOST_SHOWN}`}`,
      columns: [
        ['Id', ({ invitationId }) => shortId(invitationId), 'mono'],
        ['Office', ({ officeName }) => officeName],
        ['Made by', madeBy],
        ['Made', ({ createdAt }) => timeTag(createdAt.getTime())],
        ['Ends', ({ expiresAt }) => timeTag(expiresAt.getTime())],
        [
          'Action',
          ({ invitationId }) =>
            html`<a class="button" href="${pathOf({ name: 'withdraw-invitation' })}?id=${invitationId}" aria-label="Withdraw ${shortId(invitationId)}">Withdraw</a>`,
        ],
      ],
      rows: open,
    }),
  );

const madeBy = ({ by, invitedById }: InvitationForOperators): Html | string =>
  invitedById === null
    ? (by ?? '').replace('operator:', '')
    : html`<a href="/console/people/${invitedById}">Agent <span class="mono">${shortId(invitedById)}</span></a>`;

function show(c: PageContext, body: Html, status: 200 | 409 = 200) {
  return showPage(c, { title: INVITE_AGENT.title, section: 'actions', body }, status);
}
