import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { APPROVE_AGENT } from '../../operations/agent-approval.ts';
import { INVITE_AGENT } from '../../operations/agent-invitations.ts';
import { ADD_CLIENT } from '../../operations/api-clients.ts';
import {
  NOT_YET_DURABLE,
  type OperationInfo,
  type Outcome,
  type Preview,
  type StateLabel,
  type SubjectKind,
} from '../../operations/operation.ts';
import { REASON_LENGTH } from '../../operations/signature.ts';
import { shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { table } from '../table.ts';

/** Parts of the pages for operations: first the effect of the operation, then the form for the reason. */
const PATH = '/console/actions';

export const pathOf = ({ name }: { name: string }): string => `${PATH}/${name}`;

export function operationList(operations: readonly OperationInfo[]): Html {
  const rows = [
    ...operations.map((one) => ({ ...one, forMany: formForMany(one) })),
    { ...APPROVE_AGENT, forMany: 'One at a time.' },
    { ...INVITE_AGENT, forMany: 'One at a time.' },
    { ...ADD_CLIENT, forMany: 'One at a time.' },
  ];
  return html`<p class="lead">You see first what each will do. Those on actors are events that the actor's own machine decides on. Your name and reason are kept in the journal, or with the account or listing.</p>
  <div class="scroll">${table({
    caption: 'Operations',
    columns: [
      ['Operation', (one) => html`<a href="${pathOf(one)}">${one.title}</a>`],
      ['What it does', ({ sentence }) => sentence],
      ['For many', ({ forMany }) => forMany],
    ],
    rows,
  })}</div>`;
}

function formForMany(operation: OperationInfo): Html | string {
  if (operation.bulk !== null) return html`<a href="${pathOf(operation)}/all">${operation.bulk.sentence}</a>`;
  return operation.onlyId === null ? 'One at a time.' : 'There is only one.';
}

/** The form for the id of an operation's actor. */
export function operationForm(operation: OperationInfo): Html {
  const kinds = operation.kinds.map((kind) => wordOf(kind).toLowerCase());
  return html`<p class="lead">${operation.sentence}</p>
  ${idForm(operation, { of: kinds.join(' or '), submit: 'Show what it will do' })}
  ${operation.bulk === null ? '' : html`<p><a href="${pathOf(operation)}/all">For many at once: ${operation.bulk.sentence}</a></p>`}`;
}

export function idForm(operation: { name: string }, { of, submit }: { of: string; submit: string }): Html {
  return html`<form method="get" action="${pathOf(operation)}">
    <p><label for="id">Id of the ${of}</label>
    <input id="id" name="id" class="mono" required autocomplete="off" spellcheck="false"></p>
    <p><button type="submit">${submit}</button></p>
  </form>`;
}

export const warning = (text: string): Html => html`<p class="notice warn" role="alert">${text}</p>`;

export interface PreviewParts {
  operation: OperationInfo;
  preview: Preview;
  force: boolean;
  /** An error in the submitted form, or why nothing was done. */
  notice?: string | undefined;
  /** The reason as entered, so that the operator need not enter it again. */
  reason?: string;
}

const DANGEROUS: ReadonlySet<string> = new Set([
  'cancel-job',
  'suspend-account',
  'take-down-listing',
  'refuse-photo',
  'withdraw-invitation',
]);

/** The effect of the operation, and the form to run it when there is an effect. */
export function previewView({ operation, preview, force, notice, reason = '' }: PreviewParts): Html {
  const { outcome, id, version } = preview;
  return html`${notice === undefined ? '' : warning(notice)}
  <p class="lead">${operation.sentence}</p>
  ${previewBox(preview)}
  ${
    outcome === 'applies'
      ? reasonForm({
          action: pathOf(operation),
          hidden: { id, version, ...(force ? { force: 'yes' } : {}) },
          reason,
          submit: operation.title,
          danger: DANGEROUS.has(operation.name),
        })
      : ''
  }
  ${outcome === 'ignored' && operation.forceMeans !== null && !force ? forceLink(operation, id) : ''}`;
}

/** The form that runs the shown operation, with a reason. */
export function reasonForm(form: {
  action: string;
  hidden: Readonly<Record<string, string | number | null>>;
  reason: string;
  submit: string;
  danger?: boolean;
}): Html {
  const { min, max } = REASON_LENGTH;
  return html`<form method="post" action="${form.action}">
    ${hiddenFields(form.hidden)}
    <p><label for="reason">Reason (${min} to ${max} characters; no names of customers, no secrets)</label>
    <textarea id="reason" name="reason" rows="3" minlength="${min}" maxlength="${max}" required autofocus>${form.reason}</textarea></p>
    <p><button type="submit"${form.danger ? html` class="danger"` : ''}>${form.submit}</button></p>
  </form>`;
}

const hiddenFields = (hidden: Readonly<Record<string, string | number | null>>): Html[] =>
  Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

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
      <dt>${isActKind(kind) ? 'Subject' : 'Actor'}</dt><dd>${subjectLink(kind, id)}, version ${version}</dd>
      <dt>Now</dt><dd>${stateView(from)}</dd>
      ${to === null ? '' : html`<dt>Then</dt><dd>${to.state === from?.state ? html`<span class="mono">${to.state}</span>, as before.` : stateView(to)}</dd>`}
    </dl>
    ${effects.length === 0 ? '' : html`<ul>${effects.map((effect) => html`<li>${effect}</li>`)}</ul>`}
    ${why === null ? '' : html`<p>${why}</p>`}
  </section>`;
}

const stateView = (state: StateLabel | null): Html =>
  html`<span class="mono">${state?.state ?? ''}</span> ${state?.sentence ?? ''}`;

/** @param reason as entered, for the same operation once more when no standby has it yet */
export function outcomeView(operation: OperationInfo, outcome: Outcome, reason: string): Html {
  const { id, kind, state, version, why, isDurable } = outcome;
  const applied = outcome.outcome === 'applied';
  return html`<p class="notice ${applied ? 'good' : 'warn'}" role="status">${
    applied
      ? html`Done. It is <span class="mono">${state}</span> at version ${version}.`
      : html`Nothing was changed. ${why}`
  }</p>
  ${isDurable ? '' : confirmForm(pathOf(operation), { id, version, reason })}
  <ul>
    ${kind === null ? '' : html`<li>${subjectLink(kind, id)}</li>`}
    <li><a href="${pathOf(operation)}">${operation.title}: another one</a></li>
    <li><a href="${PATH}">All operations</a></li>
  </ul>`;
}

/** The same operation once more: it changes nothing, and is answered when a standby has what was decided. */
const confirmForm = (action: string, hidden: Record<string, string | number | null>): Html =>
  html`<form method="post" action="${action}">
    <p class="notice bad">${NOT_YET_DURABLE}</p>
    ${hiddenFields(hidden)}
    <p><button type="submit">Repeat</button></p>
  </form>`;

const WORDS = { account: 'Account', listing: 'Listing', photo: 'Photo', invitation: 'Invitation' } as const;
const isActKind = (kind: SubjectKind | null): kind is keyof typeof WORDS => kind !== null && kind in WORDS;
const wordOf = (kind: SubjectKind): string => (isActKind(kind) ? WORDS[kind] : ACTOR_KINDS[kind].label.one);
const PAGES = {
  account: '/console/people',
  listing: '/console/listings',
  photo: '/console/photos',
  /** None: its row is on the page that invites. */
  invitation: null,
} as const;
const pageOf = (kind: SubjectKind): string | null =>
  isActKind(kind) ? PAGES[kind] : `/console/actors/${kind}`;

function subjectLink(kind: Preview['kind'], id: string): Html {
  if (kind === null) return html`<span class="mono">${id}</span>`;
  const page = pageOf(kind);
  const subject = html`${wordOf(kind)} <span class="mono">${shortId(id)}</span>`;
  return page === null ? subject : html`<a href="${page}/${id}">${subject}</a>`;
}
