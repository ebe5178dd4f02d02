import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { CONSOLE_KIND_NAMES, CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import type { ActorLine } from '../../../persistence/console/lists.ts';
import { idLink, shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { livePart } from '../live-part.ts';
import { type Column, scrolling, table } from '../table.ts';
import { span, timeTag } from '../time-texts.ts';
import { AGES, LINES_A_PAGE, type ListChoice, listAddress } from './list-filter.ts';

/** One list: the kind, its filters, its rows, and the link to the next page. */
export function listBody(
  choice: ListChoice,
  { lines, states, at }: { lines: readonly ActorLine[]; states: readonly string[]; at: number },
): Html {
  const shown = lines.slice(0, LINES_A_PAGE);
  const last = shown.at(-1);
  const hasMore = lines.length > LINES_A_PAGE && last !== undefined;
  const next = hasMore ? listAddress(choice, { at: last.createdAt, id: last.id }) : null;
  return html`${kindTabs(choice.kind)}
  ${searchForm('')}
  ${filterForm(choice, states)}
  ${livePart({
    id: 'list',
    // Later pages do not refresh: new rows appear on the first.
    url: choice.after === null ? listAddress(choice, null) : null,
    body: html`${shown.length === 0 ? emptyList(choice) : lineTable(choice.kind, shown, at)}
    <p class="pages">
      ${choice.after === null ? '' : html`<a class="button" href="${listAddress(choice, null)}">Newest</a>`}
      ${next === null ? '' : html`<a class="button" rel="next" href="${next}">Older</a>`}
    </p>`,
  })}`;
}

/** Also used alone on the search page. */
export function searchForm(text: string): Html {
  return html`<form class="search" method="get" action="/console/actors/search" role="search">
    <label for="q">Find by id</label>
    <input id="q" name="q" value="${text}" size="40" maxlength="300" spellcheck="false" autocomplete="off" placeholder="job, attempt, image, deletion, listing, prediction, object key">
    <button type="submit">Find</button>
  </form>`;
}

function kindTabs(present: ConsoleKind): Html {
  return html`<nav class="tabs" aria-label="Kinds of actors"><ul class="links">${CONSOLE_KIND_NAMES.map(
    (kind) =>
      html`<li><a href="/console/actors/${kind}"${kind === present ? html` aria-current="page"` : ''}>${ACTOR_KINDS[kind].label.many}</a></li>`,
  )}<li><a href="/console/actors/startGate">${ACTOR_KINDS.startGate.label.one}</a></li></ul></nav>`;
}

function filterForm({ kind, filters }: ListChoice, states: readonly string[]): Html {
  const { narrow, failed } = CONSOLE_KINDS[kind];
  return html`<form class="filters" method="get" action="/console/actors/${kind}" aria-label="Filters">
    <p><label for="state">State</label><select id="state" name="state">
      <option value="">any</option>
      ${states.map((state) => option(state, state, filters.state))}
    </select></p>
    <p><label for="older">Older than</label><select id="older" name="older">
      <option value="">any age</option>
      ${Object.entries(AGES).map(([age, ms]) => option(age, span(ms), filters.older))}
    </select></p>
    ${narrow.property && textField('property', 'Listing', filters.property)}
    ${narrow.worker && textField('worker', 'Worker', filters.worker)}
    ${failed.length > 0 ? checkbox('failed', 'Failed only', filters.failed) : ''}
    ${narrow.quarantined && checkbox('quarantined', 'Quarantined only', filters.quarantined)}
    ${narrow.awaitsOperator && checkbox('operator', 'Waiting for an operator only', filters.operator)}
    ${narrow.roomDiffers && checkbox('rooms', 'One photo shown as two kinds of room only', filters.rooms)}
    <p><button type="submit">Filter</button> <a href="/console/actors/${kind}">Clear</a></p>
  </form>`;
}

function option(value: string, label: string, chosen: string | undefined): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`;
}

function textField(name: string, label: string, value: string | undefined): Html {
  return html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value ?? ''}" size="18" maxlength="64" spellcheck="false" autocomplete="off"></p>`;
}

function checkbox(name: string, label: string, said: string | undefined): Html {
  return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="yes"${said === 'yes' ? html` checked` : ''}><label for="${name}">${label}</label></p>`;
}

function emptyList({ after }: ListChoice): Html {
  return html`<p class="notice">${after === null ? 'Nothing is like that now.' : 'Nothing older is like that.'}</p>`;
}

function lineTable(kind: ConsoleKind, lines: readonly ActorLine[], at: number): Html {
  const { columns, narrow } = CONSOLE_KINDS[kind];
  const { many } = ACTOR_KINDS[kind].label;
  const shown: Column<ActorLine>[] = [
    ['Id', ({ id }) => idLink(`${kind}/${id}`, id)],
    ['State', (line) => stateBadge(kind, line)],
    ['Began', ({ createdAt }) => timeTag(createdAt)],
    ['Age', ({ createdAt }) => span(at - createdAt), 'number'],
    ...columnIf<ActorLine>(columns.errorCode, ['Error', ({ errorCode }) => errorCode ?? '', 'mono']),
    ...columnIf<ActorLine>(columns.jobId, [
      'Job',
      ({ jobId }) => (jobId === null ? '' : idLink(`stagingJob/${jobId}`, jobId)),
    ]),
    ...columnIf<ActorLine>(columns.propertyId, [
      'Listing',
      ({ propertyId }) => (propertyId === null ? '' : idLink(`${kind}?property=${propertyId}`, propertyId)),
    ]),
    ...columnIf<ActorLine>(narrow.worker, ['Worker', ({ worker }) => shortId(worker ?? ''), 'mono']),
  ];
  const caption = `${many}, newest first`;
  return scrolling(many, table({ caption, quiet: true, look: 'lines', columns: shown, rows: lines }));
}

const columnIf = <R>(known: unknown, column: Column<R>): Column<R>[] => (known === undefined ? [] : [column]);

function stateBadge(kind: ConsoleKind, { state, quarantined }: ActorLine): Html {
  const failed = CONSOLE_KINDS[kind].failed.includes(state);
  return html`<span class="badge${failed ? ' bad' : ''}">${state}</span>${quarantined ? html` <span class="badge bad">quarantined</span>` : ''}`;
}
