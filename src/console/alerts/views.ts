import { html } from 'hono/html';
import type {
  AlertBacklog,
  SearchForOperators,
  SearchMatch,
  WaitingAlertMail,
} from '../../../persistence/alerts/operator-reads.ts';
import { grouped, shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { scrolling, table } from '../table.ts';
import { span, timeTag } from '../time-texts.ts';

/** Ids, states and counts; neither names nor filters of searches, which say where a person looks for a home. */
export function queueView({
  backlog,
  mails,
  mostCounted,
  at,
}: {
  backlog: AlertBacklog;
  mails: readonly WaitingAlertMail[];
  mostCounted: number;
  at: number;
}): Html {
  const row = (what: string, n: number, since: Date | null) => ({ what, n, since });
  const waits = table({
    caption: 'What waits',
    columns: [
      ['What', ({ what }) => what],
      ['Count', ({ n }) => (n === mostCounted ? `${grouped(n)} or more` : grouped(n)), 'number'],
      ['Oldest', ({ since }) => (since === null ? '–' : span(at - since.getTime())), 'number'],
    ],
    rows: [
      row('Events that are not matched', backlog.events, backlog.eventsSince),
      row('Matches that are due for an alert', backlog.matches, backlog.matchesDueSince),
      row('Searches whose run is due', backlog.runs, backlog.runsDueSince),
      row('Mails that are due', backlog.mails, backlog.mailsDueSince),
    ],
  });
  return html`${scrolling('What waits', waits)}
  ${mails.length === 0 ? html`<p class="notice good">No mail of an alert waits.</p>` : scrolling('Mails', mailTable(mails))}`;
}

function mailTable(mails: readonly WaitingAlertMail[]): Html {
  return table({
    caption: 'Mails that wait, the longest due first',
    columns: [
      ['Alert', ({ alertId }) => html`<span class="mono">${shortId(alertId)}</span>`],
      ['Person', ({ userId }) => personLink(userId)],
      ['Search', ({ searchId }) => (searchId === null ? 'saved homes' : searchLink(searchId))],
      ['Homes', ({ homes }) => grouped(homes), 'number'],
      ['Made', ({ createdAt }) => timeTag(createdAt.getTime())],
      ['Tries', ({ attempts }) => grouped(attempts), 'number'],
      ['Next try', ({ nextAttemptAt }) => timeTag(nextAttemptAt.getTime())],
    ],
    rows: mails,
  });
}

interface SearchParts {
  search: SearchForOperators;
  matches: readonly SearchMatch[];
  /** Null: not asked; null reasons: no listing has this id. */
  asked: { propertyId: string; reasons: readonly string[] | null } | null;
  at: number;
}

export function searchView({ search, matches, asked, at }: SearchParts): Html {
  const { searchId, userId, cadence, channels, createdAt, nextRunAt, isFound, waiting, lastAlertAt } = search;
  const facts: [string, Html | string][] = [
    ['Person', personLink(userId)],
    ['Alerts', cadence],
    ['By', channels.join(', ')],
    ['Saved', timeTag(createdAt.getTime())],
    ['Next run', timeTag(nextRunAt?.getTime() ?? null)],
    ['Found by changes of homes', isFound === null ? '–' : isFound ? 'yes' : 'not yet'],
    ['Matches that wait', grouped(waiting)],
    ['Last alert', timeTag(lastAlertAt?.getTime() ?? null)],
  ];
  return html`<section class="panel" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
  </section>
  <section class="panel" aria-labelledby="why">
    <h2 id="why">Why no alert about a listing?</h2>
    <form class="search" action="/console/alerts/searches/${searchId}">
      <label for="listing">Id of the listing</label>
      <input id="listing" name="listing" size="40" maxlength="36" required spellcheck="false" autocomplete="off" value="${asked?.propertyId ?? ''}">
      <button type="submit">Explain</button>
    </form>
    ${asked === null ? '' : answer(asked.reasons)}
  </section>
  ${matches.length === 0 ? html`<p>No match in the last 30 days. Searches by the day or the week have none: each run asks the search again.</p>` : scrolling('Matches', matchTable(matches, at))}`;
}

function answer(reasons: readonly string[] | null): Html {
  if (reasons === null) return html`<p class="notice warn" role="alert">No listing has this id.</p>`;
  if (reasons.length === 0)
    return html`<p class="notice good" role="status">Nothing speaks against an alert: see the matches below.</p>`;
  return html`<ul role="status">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
}

function matchTable(matches: readonly SearchMatch[], at: number): Html {
  return table({
    caption: 'Last matches',
    columns: [
      [
        'Listing',
        ({ propertyId }) =>
          html`<a class="mono" href="/console/listings/${propertyId}">${shortId(propertyId)}</a>`,
      ],
      ['Event', ({ kind }) => kind],
      ['Matched', ({ createdAt }) => timeTag(createdAt.getTime())],
      ['What became of it', (match) => outcomeOf(match, at)],
    ],
    rows: matches,
  });
}

function outcomeOf({ alertId, mailWaits, dueAt }: SearchMatch, at: number): string {
  if (alertId !== null) return `alert ${shortId(alertId)}, ${mailWaits ? 'its mail waits' : 'no mail waits'}`;
  return dueAt.getTime() > at ? `waits ${span(dueAt.getTime() - at)} for other events` : 'due';
}

/** The saved searches of a person, for the person's page. */
export function searchesTable(searches: readonly SearchForOperators[]): Html {
  return scrolling(
    'Saved searches',
    table({
      caption: 'Saved searches, newest first',
      columns: [
        ['Search', ({ searchId }) => searchLink(searchId)],
        ['Alerts', ({ cadence }) => cadence],
        ['By', ({ channels }) => channels.join(', ')],
        ['Matches that wait', ({ waiting }) => grouped(waiting), 'number'],
        ['Last alert', ({ lastAlertAt }) => timeTag(lastAlertAt?.getTime() ?? null)],
        ['Next run', ({ nextRunAt }) => timeTag(nextRunAt?.getTime() ?? null)],
      ],
      rows: searches,
    }),
  );
}

const personLink = (id: string): Html =>
  html`<a class="mono" href="/console/people/${id}">${shortId(id)}</a>`;
const searchLink = (id: string): Html =>
  html`<a class="mono" href="/console/alerts/searches/${id}">${shortId(id)}</a>`;
