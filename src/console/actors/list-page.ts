import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import type { ActorLine } from '../../../persistence/console/lists.ts';
import { shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { livePart } from '../live-part.ts';
import { span, timeTag } from '../time-texts.ts';
import { AGES, LINES_A_PAGE, type ListChoice, listAddress } from './list-filter.ts';

/** One list: which kind, its filters, its lines, and the way to the next ones. */
export function listBody(
  choice: ListChoice,
  { lines, states, at }: { lines: readonly ActorLine[]; states: readonly string[]; at: number },
): Html {
  const shown = lines.slice(0, LINES_A_PAGE);
  const last = shown.at(-1);
  const next = lines.length > LINES_A_PAGE && last !== undefined ? listAddress(choice, last) : null;
  return html`${kindTabs(choice.kind)}
  ${searchForm('')}
  ${filterForm(choice, states)}
  ${livePart({
    id: 'list',
    // Later pages stand still: what is new belongs on the first.
    url: choice.after === null ? listAddress(choice, null) : null,
    body: html`${shown.length === 0 ? emptyList(choice) : table(choice.kind, shown, at)}
    <p class="pages">
      ${choice.after === null ? '' : html`<a class="button" href="${listAddress(choice, null)}">Newest</a>`}
      ${next === null ? '' : html`<a class="button" rel="next" href="${next}">Older</a>`}
    </p>`,
  })}`;
}

/** Also stands alone on the page of the search. */
export function searchForm(text: string): Html {
  return html`<form class="search" method="get" action="/console/actors/search" role="search">
    <label for="q">Find by id</label>
    <input id="q" name="q" value="${text}" size="40" maxlength="300" spellcheck="false" autocomplete="off" placeholder="job, attempt, image, deletion, listing, prediction, object key">
    <button type="submit">Find</button>
  </form>`;
}

function kindTabs(present: ConsoleKind): Html {
  return html`<nav class="tabs" aria-label="Kinds of actors"><ul class="links">${(
    Object.keys(CONSOLE_KINDS) as ConsoleKind[]
  ).map(
    (kind) =>
      html`<li><a href="/console/actors/${kind}"${kind === present ? html` aria-current="page"` : ''}>${ACTOR_KINDS[kind].label.many}</a></li>`,
  )}<li><a href="/console/actors/startGate">${ACTOR_KINDS.startGate.label.one}</a></li></ul></nav>`;
}

function filterForm(choice: ListChoice, states: readonly string[]): Html {
  const { narrow, failed } = CONSOLE_KINDS[choice.kind];
  return html`<form class="filters" method="get" action="/console/actors/${choice.kind}" aria-label="Filters">
    <p><label for="state">State</label><select id="state" name="state">
      <option value="">any</option>
      ${states.map((state) => option(state, state, choice.state))}
    </select></p>
    <p><label for="older">Older than</label><select id="older" name="older">
      <option value="">any age</option>
      ${Object.entries(AGES).map(([age, minutes]) => option(age, span(minutes * 60_000), choice.olderThan))}
    </select></p>
    ${narrow.property === null ? '' : textField('property', 'Listing', choice.propertyId)}
    ${narrow.worker === null ? '' : textField('worker', 'Worker', choice.worker)}
    ${failed.length === 0 ? '' : checkbox('failed', 'Failed only', choice.failedOnly)}
    ${narrow.quarantined === null ? '' : checkbox('quarantined', 'Quarantined only', choice.quarantinedOnly)}
    <p><button type="submit">Filter</button> <a href="/console/actors/${choice.kind}">Clear</a></p>
  </form>`;
}

function option(value: string, label: string, chosen: string | null): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`;
}

function textField(name: string, label: string, value: string | null): Html {
  return html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value ?? ''}" size="18" maxlength="64" spellcheck="false" autocomplete="off"></p>`;
}

function checkbox(name: string, label: string, checked: boolean): Html {
  return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="yes"${checked ? html` checked` : ''}><label for="${name}">${label}</label></p>`;
}

function emptyList({ after }: ListChoice): Html {
  return html`<p class="notice">${after === null ? 'Nothing is like that now.' : 'Nothing older is like that.'}</p>`;
}

function table(kind: ConsoleKind, lines: readonly ActorLine[], at: number): Html {
  const { columns, narrow } = CONSOLE_KINDS[kind];
  const has = (column: string) => column !== 'NULL';
  const showsWorker = narrow.worker !== null;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${ACTOR_KINDS[kind].label.many}"><table class="lines">
    <caption class="quiet">${ACTOR_KINDS[kind].label.many}, newest first</caption>
    <thead><tr>
      <th scope="col">Id</th><th scope="col">State</th><th scope="col">Began</th><th scope="col" class="number">Age</th>
      ${has(columns.errorCode) ? html`<th scope="col">Error</th>` : ''}
      ${has(columns.jobId) ? html`<th scope="col">Job</th>` : ''}
      ${has(columns.propertyId) ? html`<th scope="col">Listing</th>` : ''}
      ${showsWorker ? html`<th scope="col">Worker</th>` : ''}
    </tr></thead>
    <tbody>${lines.map(
      (line) => html`<tr>
      <th scope="row"><a class="mono" href="/console/actors/${kind}/${line.id}">${shortId(line.id)}</a></th>
      <td>${stateBadge(kind, line)}</td>
      <td>${timeTag(line.createdAt)}</td>
      <td class="number">${span(at - line.createdAt)}</td>
      ${has(columns.errorCode) ? html`<td class="mono">${line.errorCode ?? ''}</td>` : ''}
      ${has(columns.jobId) ? html`<td>${line.jobId === null ? '' : html`<a class="mono" href="/console/actors/stagingJob/${line.jobId}">${shortId(line.jobId)}</a>`}</td>` : ''}
      ${has(columns.propertyId) ? html`<td>${line.propertyId === null ? '' : html`<a class="mono" href="/console/actors/${kind}?property=${line.propertyId}">${shortId(line.propertyId)}</a>`}</td>` : ''}
      ${showsWorker ? html`<td class="mono">${line.worker === null ? '' : shortId(line.worker)}</td>` : ''}
    </tr>`,
    )}</tbody>
  </table></div>`;
}

function stateBadge(kind: ConsoleKind, { state, quarantined }: ActorLine): Html {
  const failed = CONSOLE_KINDS[kind].failed.includes(state);
  return html`<span class="badge${failed ? ' bad' : ''}">${state}</span>${quarantined ? html` <span class="badge bad">quarantined</span>` : ''}`;
}
