import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AgentForApproval } from '../../../persistence/accounts/agent-approvals.ts';
import {
  type AgentApprovals,
  APPROVE_AGENT,
  createAgentApprovals,
  formatApproval,
} from '../../operations/agent-approval.ts';
import { UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, layout } from '../layout.ts';
import { timeTag } from '../time-texts.ts';
import { fieldsOf } from './form-fields.ts';
import { reasonField } from './views.ts';

/** Who waits for an approval, one agent with the form, and what became of it. Names and addresses are not shown. */
const PATH = `/console/actions/${APPROVE_AGENT.name}`;

export function approvalPages(
  { database, clock, logger }: ConsoleContext,
  { scrub }: { scrub(text: string): string },
): Hono<ConsoleEnv> {
  const approvals = createAgentApprovals({ pool: database.pool, clock, scrub });
  const app = new Hono<ConsoleEnv>();
  app.get(`/${APPROVE_AGENT.name}`, async (c) => {
    const id = c.req.query('id')?.trim() ?? '';
    if (id === '') return show(c, waitingView(await approvals.waiting()));
    return showAgent(c, approvals, { id });
  });
  app.post(`/${APPROVE_AGENT.name}`, async (c) => {
    const { id = '', reason = '' } = await fieldsOf(c);
    try {
      const by = c.get('operator');
      const told = await approvals.approve(id, { by, reason });
      logger.info(
        { operation: APPROVE_AGENT.name, id, operator: by, outcome: told.outcome },
        'console: operation',
      );
      if (told.outcome !== 'applied')
        return showAgent(c, approvals, { id, reason, notice: 'Nothing was changed.' });
      return show(
        c,
        html`<p class="notice good" role="status">Done. ${formatApproval(told.agent)}</p>
        <ul><li><a href="${PATH}">${APPROVE_AGENT.title}: another one</a></li></ul>`,
      );
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return showAgent(c, approvals, { id, reason, notice: `Nothing was done: ${error.message}.` });
    }
  });
  return app;
}

async function showAgent(
  c: Context<ConsoleEnv>,
  approvals: AgentApprovals,
  { id, reason = '', notice }: { id: string; reason?: string; notice?: string },
): Promise<Response> {
  const agent = await approvals.look(id);
  const told = notice === undefined ? '' : html`<p class="notice warn" role="alert">${notice}</p>`;
  if (agent === null)
    return show(
      c,
      html`${told}<p class="notice bad">There is no agent of that id. <span class="mono">${id}</span></p>`,
      404,
    );
  return show(c, html`${told}${agentView(agent, reason)}`, notice === undefined ? 200 : 409);
}

function waitingView(waiting: readonly AgentForApproval[]): Html {
  return html`<p class="lead">${APPROVE_AGENT.sentence}</p>
  ${
    waiting.length === 0
      ? html`<p class="notice good">No agent waits for approval.</p>`
      : html`<div class="scroll"><table>
    <caption>Agents that are not approved, the longest waiting first</caption>
    <thead><tr><th scope="col">Id</th><th scope="col">Agent since</th><th scope="col">Licence</th><th scope="col">Office</th></tr></thead>
    <tbody>${waiting.map(
      (agent) => html`<tr>
        <th scope="row"><a class="mono" href="${PATH}?id=${agent.agentId}">${shortId(agent.agentId)}</a></th>
        <td>${timeTag(agent.agentSince)}</td>
        <td>${agent.licenseNumber ?? ''}</td>
        <td>${agent.officeName ?? ''}</td>
      </tr>`,
    )}</tbody>
  </table></div>`
  }
  <form method="get" action="${PATH}">
    <p><label for="id">Id of the agent</label>
    <input id="id" name="id" class="mono" required autocomplete="off" spellcheck="false"></p>
    <p><button type="submit">Show the agent</button></p>
  </form>`;
}

function agentView(agent: AgentForApproval, reason: string): Html {
  const { agentId, agentSince, licenseNumber, officeName, approval } = agent;
  return html`<section class="panel">
    <h2>Agent <span class="mono">${shortId(agentId)}</span></h2>
    <dl>
      <dt>Agent since</dt><dd>${timeTag(agentSince)}</dd>
      <dt>Licence</dt><dd>${licenseNumber ?? 'not told'}</dd>
      <dt>Office</dt><dd>${officeName ?? 'not told'}</dd>
      <dt>Approval</dt><dd>${formatApproval(agent)}</dd>
    </dl>
  </section>
  ${
    approval === null
      ? html`<form method="post" action="${PATH}">
    <input type="hidden" name="id" value="${agentId}">
    ${reasonField(reason)}
    <p><button type="submit">${APPROVE_AGENT.title}</button></p>
  </form>`
      : ''
  }`;
}

async function show(c: Context<ConsoleEnv>, body: Html, status: 200 | 404 | 409 = 200): Promise<Response> {
  const { title } = APPROVE_AGENT;
  return c.html(layout({ title, section: 'actions', operator: c.get('operator'), body }), status);
}
