import { html } from 'hono/html';
import type { AgentForApproval } from '../../../persistence/accounts/agent-approvals.ts';
import type { Account } from '../../../persistence/accounts/suspensions.ts';
import type { SearchForOperators } from '../../../persistence/alerts/operator-reads.ts';
import type { OperatorAct } from '../../../persistence/console/operator-acts.ts';
import type { Millis } from '../../../persistence/database/instants.ts';
import type { ListingForOperators } from '../../../persistence/listings/take-downs.ts';
import { stateOfAccount, stateOfListing } from '../../operations/acts.ts';
import { formatApproval } from '../../operations/agent-approval.ts';
import type { StateLabel } from '../../operations/operation.ts';
import { searchesTable } from '../alerts/views.ts';
import { grouped, shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';

/** Ids, states and counts; no names, addresses or texts of people. */
type Acts = readonly Millis<OperatorAct>[];
type Actions = readonly { href: string; title: string }[];

export function findView(problem: string | null): Html {
  return html`${problem === null ? '' : html`<p class="notice warn" role="alert">${problem}</p>`}
  <form class="search" method="post" action="/console/people" role="search">
    <label for="who">Find a person by id or mail address</label>
    <input id="who" name="who" size="40" maxlength="320" required autofocus spellcheck="false" autocomplete="off">
    <button type="submit">Find</button>
  </form>
  <p class="muted">The address is looked up and not kept. The page of a listing links to its owner.</p>
  <p><a href="/console/alerts">Alerts about homes that wait</a></p>`;
}

interface PersonParts {
  account: Account;
  agent: AgentForApproval | null;
  listings: readonly ListingForOperators[];
  searches: readonly SearchForOperators[];
  acts: Acts;
  actions: Actions;
}

export function personView({ account, agent, listings, searches, acts, actions }: PersonParts): Html {
  const { personId, suspendedAt, sessions, openTours, unboughtJobs } = account;
  const rows: Facts = [
    ['Role', agent === null ? 'Customer' : 'Agent'],
    ...(agent === null ? [] : [['Agent since', timeTag(agent.agentSince)] as const, approvalOf(agent)]),
    ['Suspended', timeTag(suspendedAt === null ? null : suspendedAt.getTime())],
    ['Sessions', grouped(sessions)],
    ['Listings', grouped(account.listings)],
    ['Open tours', grouped(openTours)],
    ['Jobs with nothing bought', grouped(unboughtJobs)],
  ];
  return html`${headline(stateOfAccount(account), personId)}
  ${actionBar(actions)}
  <div class="columns">${factBox(rows)}${trail(acts)}</div>
  ${listings.length === 0 ? '' : listingTable(listings)}
  ${searches.length === 0 ? '' : searchesTable(searches)}`;
}

const approvalOf = (agent: AgentForApproval) => ['Approval', formatApproval(agent)] as const;

export function listingView({
  listing,
  acts,
  actions,
}: {
  listing: ListingForOperators;
  acts: Acts;
  actions: Actions;
}): Html {
  const { propertyId, ownerAgentId, standardStatus, photos, stagedPictures, openTours } = listing;
  const rows: Facts = [
    ['Owner', personLink(ownerAgentId)],
    ['Status', standardStatus],
    ['Hidden', hiddenText(listing)],
    ['Photos', grouped(photos)],
    ['Staged pictures', grouped(stagedPictures)],
    ['Open tours', grouped(openTours)],
    ['Staging jobs', html`<a href="/console/actors/stagingJob?property=${propertyId}">Newest first</a>`],
    ['Search', html`<a href="/console/actors/searchDocument/${propertyId}">Its document</a>`],
  ];
  return html`${headline(stateOfListing(listing), propertyId)}
  ${actionBar(actions)}
  <div class="columns">${factBox(rows)}${trail(acts)}</div>`;
}

type Facts = readonly (readonly [string, Html | string])[];

function headline({ state, sentence }: StateLabel, id: string): Html {
  const look = state === 'ACTIVE' || state === 'SHOWN' ? 'good' : 'bad';
  return html`<p class="lead"><span class="badge large">${state}</span> <code>${id}</code></p>
  <p class="notice ${look}">${sentence}</p>`;
}

/** The first action has the focus, so that Enter opens it. */
function actionBar(actions: Actions): Html | '' {
  if (actions.length === 0) return '';
  return html`<nav class="actions" aria-label="Actions">${actions.map(({ href, title }, at) => html`<a class="button" href="${href}"${at === 0 ? html` autofocus` : ''}>${title}</a>`)}</nav>`;
}

function factBox(facts: Facts): Html {
  return html`<section class="panel" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
  </section>`;
}

/** Who did what, and why. Reasons were checked for addresses and secrets when they were given. */
function trail(acts: Acts): Html {
  return html`<section class="panel" aria-labelledby="trail">
    <h2 id="trail">What operators did</h2>
    ${
      acts.length === 0
        ? html`<p>Nothing yet.</p>`
        : html`<ul>${acts.map(({ act, by, reason, at }) => html`<li>${timeTag(at)} <span class="mono">${act}</span> by ${by.replace('operator:', '')}: ${reason}</li>`)}</ul>`
    }
  </section>`;
}

function listingTable(listings: readonly ListingForOperators[]): Html {
  return scrolling(
    'Listings',
    table({
      caption: `Listings, newest first`,
      columns: [
        ['Listing', ({ propertyId }) => listingLink(propertyId)],
        ['Status', ({ standardStatus }) => standardStatus],
        ['Hidden', hiddenText],
        ['Photos', ({ photos }) => grouped(photos), 'number'],
        ['Open tours', ({ openTours }) => grouped(openTours), 'number'],
      ],
      rows: listings,
    }),
  );
}

const HIDING = {
  TAKEN_DOWN: 'taken down',
  OWNER_SUSPENDED: 'owner suspended',
  AWAITS_APPROVAL: 'owner awaits approval',
  FEED_RULE: 'rule of its feed',
  FEED_TOO_OLD: 'its feed is too old',
} as const;
const hiddenText = ({ hiddenFor }: ListingForOperators): string =>
  hiddenFor.length === 0 ? 'no' : hiddenFor.map((reason) => HIDING[reason]).join(', ');
const personLink = (id: string): Html =>
  html`<a class="mono" href="/console/people/${id}">${shortId(id)}</a>`;
const listingLink = (id: string): Html =>
  html`<a class="mono" href="/console/listings/${id}">${shortId(id)}</a>`;
