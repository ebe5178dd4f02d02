import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { APPROVE_AGENT } from '../../operations/agent-approval.ts';
import type { OperationInfo, Outcome, Preview, StateLabel } from '../../operations/operation.ts';
import { REASON_LENGTH } from '../../operations/signature.ts';
import { shortId } from '../labels.ts';
import type { Html } from '../layout.ts';

/** The parts of the pages on which an operator does something: always first what it will do, then the reason. */
const PATH = '/console/actions';

export const pathOf = ({ name }: OperationInfo): string => `${PATH}/${name}`;

export function operationList(operations: readonly OperationInfo[]): Html {
  return html`<p class="lead">Each of these but the last is an event that the actor's own machine decides on. You see first what it will do; your name and reason stand in the journal, or in the row of the agent.</p>
  <div class="scroll"><table>
    <caption>Operations</caption>
    <thead><tr><th scope="col">Operation</th><th scope="col">What it does</th><th scope="col">For many</th></tr></thead>
    <tbody>${operations.map(
      (one) => html`<tr>
        <th scope="row"><a href="${pathOf(one)}">${one.title}</a></th>
        <td>${one.sentence}</td>
        <td>${formForMany(one)}</td>
      </tr>`,
    )}<tr>
        <th scope="row"><a href="${PATH}/${APPROVE_AGENT.name}">${APPROVE_AGENT.title}</a></th>
        <td>${APPROVE_AGENT.sentence}</td>
        <td>One at a time.</td>
      </tr></tbody>
  </table></div>`;
}

function formForMany(operation: OperationInfo): Html | string {
  if (operation.bulk !== null) return html`<a href="${pathOf(operation)}/all">${operation.bulk.sentence}</a>`;
  return operation.onlyId === null ? 'One at a time.' : 'There is only one.';
}

/** Asks for the id of the actor. */
export function idForm(operation: OperationInfo): Html {
  return html`<p class="lead">${operation.sentence}</p>
  <form method="get" action="${pathOf(operation)}">
    <p><label for="id">Id of the ${operation.kinds.map((kind) => ACTOR_KINDS[kind].label.one.toLowerCase()).join(' or ')}</label>
    <input id="id" name="id" class="mono" required autocomplete="off" spellcheck="false"></p>
    <p><button type="submit">Show what it will do</button></p>
  </form>
  ${operation.bulk === null ? '' : html`<p><a href="${pathOf(operation)}/all">For many at once: ${operation.bulk.sentence}</a></p>`}`;
}

export interface PreviewParts {
  operation: OperationInfo;
  preview: Preview;
  force: boolean;
  /** What was wrong with the form that was sent, or why nothing was done. */
  notice?: string | undefined;
  /** As it was entered, so that the operator need not enter it again. */
  reason?: string;
}

/** What it will do, and the form that does it when it would do anything. */
export function previewView({ operation, preview, force, notice, reason = '' }: PreviewParts): Html {
  const { outcome, id, version } = preview;
  return html`${notice === undefined ? '' : html`<p class="notice warn" role="alert">${notice}</p>`}
  <p class="lead">${operation.sentence}</p>
  ${previewBox(preview)}
  ${
    outcome === 'applies'
      ? html`<form method="post" action="${pathOf(operation)}">
    <input type="hidden" name="id" value="${id}">
    <input type="hidden" name="version" value="${version}">
    ${force ? html`<input type="hidden" name="force" value="yes">` : ''}
    ${reasonField(reason)}
    <p><button type="submit"${operation.name === 'cancel-job' ? html` class="danger"` : ''}>${operation.title}</button></p>
  </form>`
      : ''
  }
  ${outcome === 'ignored' && operation.forceMeans !== null && !force ? forceLink(operation, id) : ''}`;
}

export function reasonField(reason: string): Html {
  return html`<p><label for="reason">Reason (${REASON_LENGTH.min} to ${REASON_LENGTH.max} characters; no names of customers, no secrets)</label>
    <textarea id="reason" name="reason" rows="3" minlength="${REASON_LENGTH.min}" maxlength="${REASON_LENGTH.max}" required>${reason}</textarea></p>`;
}

function forceLink(operation: OperationInfo, id: string): Html {
  return html`<p><a class="button" href="${pathOf(operation)}?id=${encodeURIComponent(id)}&amp;force=yes">Show what force would do</a></p>
  <p class="muted">${operation.forceMeans}</p>`;
}

export function previewBox(preview: Preview): Html {
  const { outcome, id, kind, version, from, to, effects, why } = preview;
  if (outcome === 'missing') return html`<p class="notice bad">${why} <span class="mono">${id}</span></p>`;
  return html`<section class="panel">
    <h2>${outcome === 'applies' ? 'What it will do' : 'It would change nothing'}</h2>
    <dl>
      <dt>Actor</dt><dd>${actorLink(kind, id)}, version ${version}</dd>
      <dt>Now</dt><dd>${stateView(from)}</dd>
      ${to === null ? '' : html`<dt>Then</dt><dd>${to.state === from?.state ? html`<span class="mono">${to.state}</span>, as before.` : stateView(to)}</dd>`}
    </dl>
    ${effects.length === 0 ? '' : html`<ul>${effects.map((effect) => html`<li>${effect}</li>`)}</ul>`}
    ${why === null ? '' : html`<p>${why}</p>`}
  </section>`;
}

const stateView = (state: StateLabel | null): Html =>
  html`<span class="mono">${state?.state ?? ''}</span> ${state?.sentence ?? ''}`;

export function outcomeView(operation: OperationInfo, outcome: Outcome): Html {
  const { id, kind, state, version, why } = outcome;
  const applied = outcome.outcome === 'applied';
  return html`<p class="notice ${applied ? 'good' : 'warn'}" role="status">${
    applied
      ? html`Done. It is <span class="mono">${state}</span> at version ${version}.`
      : html`Nothing was changed. ${why}`
  }</p>
  <ul>
    ${kind === null ? '' : html`<li>${actorLink(kind, id)}</li>`}
    <li><a href="${pathOf(operation)}">${operation.title}: another one</a></li>
    <li><a href="${PATH}">All operations</a></li>
  </ul>`;
}

function actorLink(kind: Preview['kind'], id: string): Html {
  if (kind === null) return html`<span class="mono">${id}</span>`;
  return html`<a href="/console/actors/${kind}/${id}">${ACTOR_KINDS[kind].label.one} <span class="mono">${shortId(id)}</span></a>`;
}
