import { Hono } from 'hono';
import { html } from 'hono/html';
import type { AgentForApproval } from '../../../persistence/accounts/agent-approvals.ts';
import {
  APPROVE_AGENT,
  createAgentApprovals,
  formatApproval,
  formatLicense,
} from '../../operations/agent-approval.ts';
import { UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { table } from '../table.ts';
import { timeTag } from '../time-texts.ts';
import { fieldsOf } from './form-fields.ts';
import { idForm, pathOf, reasonForm, warning } from './views.ts';

/** The agents waiting for approval, one agent with the form, and the result. Names and addresses are not shown. */
const PATH = pathOf(APPROVE_AGENT);

export function approvalPages(
  { database, clock, logger }: ConsoleContext,
  scrub: (text: string) => string,
): Hono<ConsoleEnv> {
  const approvals = createAgentApprovals({ pool: database.pool, clock, scrub });
  const app = new Hono<ConsoleEnv>();

  const showAgent = async (c: PageContext, { id, reason, notice }: AgentForm) => {
    const agent = await approvals.look(id);
    const told = notice === undefined ? '' : warning(notice);
    const missing = html`<p class="notice bad">There is no agent of that id. <span class="mono">${id}</span></p>`;
    if (agent === null) return show(c, html`${told}${missing}`, 404);
    return show(c, html`${told}${agentView(agent, reason)}`, notice === undefined ? 200 : 409);
  };

  app.get(`/${APPROVE_AGENT.name}`, async (c) => {
    const id = c.req.query('id')?.trim() ?? '';
    if (id === '') return show(c, waitingView(await approvals.waiting()));
    return showAgent(c, { id, reason: '' });
  });
  app.post(`/${APPROVE_AGENT.name}`, async (c) => {
    const { id = '', reason = '' } = await fieldsOf(c);
    try {
      const by = c.env.operator;
      const told = await approvals.approve(id, { by, reason });
      logger.info(
        {
          event: 'security.operator_act',
          operation: APPROVE_AGENT.name,
          id,
          operator: by,
          outcome: told.outcome,
        },
        'console: operation',
      );
      if (told.outcome !== 'applied') return showAgent(c, { id, reason, notice: 'Nothing was changed.' });
      return show(
        c,
        html`<p class="notice good" role="status">Done. ${formatApproval(told.agent)}</p>
        <ul><li><a href="${PATH}">${APPROVE_AGENT.title}: another one</a></li></ul>`,
      );
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return showAgent(c, { id, reason, notice: `Nothing was done: ${error.message}.` });
    }
  });
  return app;
}

interface AgentForm {
  id: string;
  reason: string;
  notice?: string;
}

function waitingView(waiting: readonly AgentForApproval[]): Html {
  return html`<p class="lead">${APPROVE_AGENT.sentence}</p>
  ${
    waiting.length === 0
      ? html`<p class="notice good">No agent waits for approval.</p>`
      : html`<div class="scroll">${waitingTable(waiting)}</div>`
  }
  ${idForm(APPROVE_AGENT, { of: 'agent', submit: 'Show the agent' })}`;
}

function waitingTable(waiting: readonly AgentForApproval[]): Html {
  return table({
    caption: 'Agents that are not approved, the longest waiting first',
    columns: [
      ['Id', ({ agentId }) => html`<a class="mono" href="${PATH}?id=${agentId}">${shortId(agentId)}</a>`],
      ['Agent since', ({ agentSince }) => timeTag(agentSince)],
      ['License', ({ licenseNumber }) => licenseNumber ?? ''],
      ['Office', ({ officeName }) => officeName ?? ''],
    ],
    rows: waiting,
  });
}

function agentView(agent: AgentForApproval, reason: string): Html {
  const { agentId, agentSince, officeName, approval } = agent;
  const form = { action: PATH, hidden: { id: agentId }, reason, submit: APPROVE_AGENT.title };
  return html`<section class="panel">
    <h2>Agent <span class="mono">${shortId(agentId)}</span></h2>
    <dl>
      <dt>Agent since</dt><dd>${timeTag(agentSince)}</dd>
      <dt>License</dt><dd>${formatLicense(agent)}</dd>
      <dt>Office</dt><dd>${officeName ?? 'not given'}</dd>
      <dt>Approval</dt><dd>${formatApproval(agent)}</dd>
    </dl>
  </section>
  ${approval === null ? reasonForm(form) : ''}`;
}

function show(c: PageContext, body: Html, status: 200 | 404 | 409 = 200) {
  return showPage(c, { title: APPROVE_AGENT.title, section: 'actions', body }, status);
}
