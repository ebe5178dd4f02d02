import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { CONSOLE_KIND_NAMES, CONSOLE_KINDS, type ConsoleKind } from '../../../persistence/console/kinds.ts';
import { COUNTED_UP_TO } from '../../../persistence/console/lists.ts';
import type { NodeSeen } from '../../../persistence/console/overview.ts';
import { searchForm } from '../actors/list-page.ts';
import { counted, grouped, shortActor, shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import { livePart } from '../live-part.ts';
import { runbookLink } from '../runbooks.ts';
import type { TextScreen } from '../shown-text.ts';
import { type Column, scrolling, table } from '../table.ts';
import { clockTime, span, timeTag } from '../time-texts.ts';
import type { Overview } from './read-overview.ts';

const STALE_SHOWN = 10;

/** First what needs a person, then the counts, then the processes. */
export function overviewBody(overview: Overview, screen: TextScreen): Html {
  return html`${searchForm('')}
  ${livePart({
    id: 'overview',
    url: '/console',
    body: html`<div class="columns">
      ${attention(overview)}
      ${starting(overview, screen)}
    </div>
    ${population(overview)}
    ${nodes(overview)}
    <p class="muted">As of ${clockTime(overview.at, overview.at)} UTC, by node <span class="mono">${shortId(overview.node)}</span>.</p>`,
  })}`;
}

/** The decisions that a failover may have lost, until an operator closes the gap. */
const gapNotice = ({ from, until }: { from: number; until: number }): Html =>
  html`<p class="notice bad">The database server changed or was down. Decisions between ${timeTag(from)} and
    ${timeTag(until)} may be lost: withdrawals, rejections, deletions, hidden listings, unassigned agents, ended
    sessions. <a href="/console/actors/startGate/${PAUSE_SWITCH_ID}">Check them, then close the gap</a>.</p>`;

const OWNER_NOTICE = html`<p class="notice warn">The database login of this process can change tables. An
  intruder in this process could remove the rules that keep staged pictures private: see ${runbookLink('docs/runbooks/database-roles.md')}.</p>`;

function attention(overview: Overview): Html {
  const { pauseSwitch, counts, quarantined, objections, contests, roomDifferences } = overview;
  const { photoCases, messageReports, dataReports, stale, canChangeTables } = overview;
  const failed = counts.get('deletionItem')?.get('FAILED') ?? 0;
  const lost = counts.get('providerAttempt')?.get('LOST') ?? 0;
  const items = [
    ...(['stagingJob', 'descriptionJob'] as const).map((kind) => ({
      n: quarantined[kind],
      what: ACTOR_KINDS[kind].label.one.toLowerCase(),
      tail: 'quarantined',
      list: `actors/${kind}?quarantined=yes`,
    })),
    {
      n: objections,
      what: 'picture',
      tail: 'to which buyers objected',
      list: 'actors/imageReview?operator=yes',
    },
    { n: contests, what: 'no-show', tail: 'contested', list: 'actors/tour?operator=yes' },
    {
      n: roomDifferences,
      what: 'picture',
      tail: 'with a photo that is shown as two kinds of room',
      list: 'actors/imageReview?rooms=yes',
    },
    { n: messageReports, what: 'report', tail: 'of messages in the last 7 days', list: 'messages' },
    { n: dataReports, what: 'report', tail: 'of wrong data in the last 7 days', list: 'reports' },
    { n: photoCases, what: 'photo', tail: 'like a staged picture', list: 'photos' },
    { n: failed, what: 'deletion', tail: 'failed for good', list: 'actors/deletionItem?state=FAILED' },
    { n: lost, what: 'purchase', tail: 'lost', list: 'actors/providerAttempt?state=LOST' },
  ].filter(({ n }) => n > 0);
  const { gap } = pauseSwitch;
  const calm = items.length === 0 && stale.length === 0 && gap === null && !canChangeTables;
  return html`<section class="panel" aria-labelledby="attention">
    <h2 id="attention">Needs a person</h2>
    ${calm ? html`<p class="notice good">Nothing.</p>` : ''}
    ${gap === null ? '' : gapNotice(gap)}
    ${canChangeTables ? OWNER_NOTICE : ''}
    ${items.length > 0 ? html`<ul class="plain">${items.map(({ n, what, tail, list }) => html`<li class="notice bad"><a href="/console/${list}">${upTo(n, what)} ${tail}</a></li>`)}</ul>` : ''}
    ${stale.length > 0 ? silent(stale) : ''}
  </section>`;
}

const upTo = (count: number, one: string): string =>
  count > COUNTED_UP_TO ? `more than ${grouped(COUNTED_UP_TO)} ${one}s` : counted(count, one);

function silent(stale: Overview['stale']): Html {
  const longest = stale.toSorted((a, b) => b.silentMs - a.silentMs).slice(0, STALE_SHOWN);
  return html`<h3>${counted(stale.length, 'job')} silent for too long</h3>
  <ul class="plain">${longest.map(
    ({ kind, jobId, status, silentMs }) =>
      html`<li class="notice warn"><a class="mono" href="/console/actors/${kind}/${jobId}">${shortId(jobId)}</a> ${status}, silent for ${span(silentMs)}</li>`,
  )}</ul>`;
}

function starting({ enabled, pauseSwitch, startsPerMinute }: Overview, screen: TextScreen): Html {
  const isOn = enabled && pauseSwitch.open;
  const by = pauseSwitch.by === null ? '' : ` by ${shortActor(pauseSwitch.by)}`;
  const why = pauseSwitch.reason === null ? '' : `: ${pauseSwitch.reason}`;
  return html`<section class="panel" aria-labelledby="starting">
    <h2 id="starting">Starting</h2>
    <p class="notice ${isOn ? 'good' : 'warn'}">${
      isOn
        ? `On: at most ${startsPerMinute} purchases a minute begin.`
        : enabled
          ? screen(`Paused${by}${why}. What was bought continues.`)
          : 'Off by AI_ROOM_STAGING_ENABLED. What was bought continues.'
    }</p>
    <dl class="facts">
      <dt>Flag of this worker</dt><dd><code>AI_ROOM_STAGING_ENABLED</code> is ${enabled ? 'true' : 'not true'}</dd>
      <dt>Pause switch</dt><dd><a href="/console/actors/startGate">${pauseSwitch.open ? 'open' : 'closed'}</a></dd>
    </dl>
  </section>`;
}

/** Every kind with its states that contain actors. */
function population({ counts }: Overview): Html {
  const kinds = table({
    caption: `Actors in each state, counted up to ${grouped(COUNTED_UP_TO)}`,
    quiet: true,
    columns: [
      ['Kind', (kind) => html`<a href="/console/charts/${kind}">${ACTOR_KINDS[kind].label.many}</a>`],
      ['States', (kind) => stateCounts(kind, [...(counts.get(kind) ?? [])])],
    ],
    rows: CONSOLE_KIND_NAMES,
  });
  return html`<section aria-labelledby="population">
    <h2 id="population">What there is</h2>
    ${scrolling('What there is', kinds)}
  </section>`;
}

function stateCounts(kind: ConsoleKind, states: readonly [string, number][]): Html {
  if (states.length === 0) return html`<span class="muted">none</span>`;
  return html`<ul class="state-counts">${states.map(([state, count]) => stateCount(kind, state, count))}</ul>`;
}

function stateCount(kind: ConsoleKind, state: string, count: number): Html {
  const { failed } = CONSOLE_KINDS[kind];
  const shown = count > COUNTED_UP_TO ? `${grouped(COUNTED_UP_TO)}+` : grouped(count);
  return html`<li><a class="state-count${failed.includes(state) ? ' bad' : ''}" href="/console/actors/${kind}?state=${encodeURIComponent(state)}"><span class="mono">${state}</span> <strong>${shown}</strong></a></li>`;
}

function nodes({ nodes: seen, at, node }: Overview): Html {
  const columns: Column<NodeSeen>[] = [
    ['Node', ({ nodeId }) => `${shortId(nodeId)}${nodeId === node ? ' (this one)' : ''}`, 'mono'],
    ['Role', ({ role }) => role ?? html`<span class="muted">unknown</span>`],
    ['Started', ({ startedAt }) => timeTag(startedAt)],
    ['Jobs held', heldJobs, 'number'],
    ['Longest lease until', ({ heldUntil }) => leaseEnd(heldUntil, at)],
    ['Settings', settings],
  ];
  const caption = 'Who holds jobs now, and who started in the last week';
  return html`<section aria-labelledby="nodes">
    <h2 id="nodes">Processes seen</h2>
    ${scrolling('Processes seen', table({ caption, quiet: true, columns, rows: seen }))}
  </section>`;
}

function heldJobs({ jobs, nodeId }: NodeSeen): Html | string {
  if (jobs === 0) return '0';
  return html`<a href="/console/actors/stagingJob?worker=${encodeURIComponent(nodeId)}">${grouped(jobs)}</a>`;
}

function leaseEnd(heldUntil: number | null, at: number): string {
  if (heldUntil === null) return '–';
  return `${clockTime(heldUntil, at)}${heldUntil <= at ? ' (ran out)' : ''}`;
}

function settings({ sameSettings }: NodeSeen): Html | string {
  if (sameSettings === null) return '–';
  return sameSettings ? 'agree' : html`<strong>differ</strong>`;
}
