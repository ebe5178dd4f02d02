import { html } from 'hono/html';
import { ACTOR_KINDS, type ActorKind } from '../../../persistence/actors/actor-kinds.ts';
import type { SeenActor } from '../../../persistence/console/actors.ts';
import type { Drawing } from '../chart/drawing.ts';
import { movesTable } from '../chart/states-table.ts';
import { chartLegend, chartSvg } from '../chart/svg.ts';
import type { Html } from '../layout.ts';
import { livePart } from '../live-part.ts';
import type { ShowOptions } from '../shown-text.ts';
import type { Fact } from './facts.ts';
import { type History, lastStep } from './history.ts';
import { historyView, pathTo } from './history-view.ts';
import { timeline } from './timeline.ts';
import type { Explanation } from './wait-context.ts';

/** The data of an actor's page. */
export interface ActorView extends ShowOptions {
  kind: ActorKind;
  id: string;
  /** Null when only the journal is left. */
  seen: SeenActor | null;
  final: boolean;
  wait: Explanation | null;
  facts: readonly Fact[];
  actions: readonly { href: string; title: string }[];
  history: History;
  step: number;
  drawing: Drawing;
  attempts: readonly AttemptPart[];
}
/** A purchase of a job, with its history. */
export interface AttemptPart {
  id: string;
  attemptNumber: number;
  state: string;
  final: boolean;
  history: History;
  drawing: Drawing;
}

export function actorBody(view: ActorView): Html {
  const { kind, id, history, step, final, seen } = view;
  const address = addressOf(kind, id);
  const stands = step === lastStep(history);
  // The page does not refresh while an earlier step is selected, or when the actor is final and cannot change.
  const url = final && seen !== null ? null : stands ? address : `${address}?step=${step}`;
  return livePart({
    id: 'actor',
    url: seen === null ? null : url,
    body: html`${headline(view)}
    ${actions(view)}
    ${historyView({ ...view, address })}
    <div class="columns">
      ${facts(view)}
      ${acceptedEvents(view)}
    </div>
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      ${timeline({ ...view, createdAt: seen?.createdAt ?? null, address, caption: `Journal of the ${ACTOR_KINDS[kind].label.one.toLowerCase()}` })}
    </section>
    ${view.attempts.map((attempt) => attemptSection(view, attempt))}`,
  });
}

const addressOf = (kind: string, id: string): string => `/console/actors/${kind}/${id}`;

/** The state and the reason for waiting, which operators look for first. */
function headline({ id, seen, history, wait, final, at }: ActorView): Html {
  const state = seen?.actor.state ?? history.states.at(-1) ?? 'unknown';
  return html`<p class="lead"><span class="badge large${final ? ' final' : ''}">${state}</span> <code id="actor-id">${id}</code></p>
  ${
    wait === null
      ? html`<p class="notice${final ? '' : ' good'}" id="wait">${seen === null ? 'Its row is gone; this is what its journal tells.' : final ? 'It is over: nothing is waited for.' : 'Nothing is waited for.'}</p>`
      : html`<p class="notice ${wait.person ? 'bad' : 'warn'}" id="wait"><strong>${wait.sentence}</strong></p>`
  }
  <p class="muted quiet">As of ${new Date(at).toISOString().slice(11, 19)} UTC</p>`;
}

function actions({ actions: offered }: ActorView): Html | '' {
  if (offered.length === 0) return '';
  return html`<nav class="actions" aria-label="Actions">${offered.map(({ href, title }) => html`<a class="button" href="${href}">${title}</a>`)}</nav>`;
}

function facts({ facts: known }: ActorView): Html {
  return html`<section class="panel" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">${known.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
  </section>`;
}

/** The events that the machine accepts in the state of the selected step. */
function acceptedEvents({ drawing, history, step }: ActorView): Html {
  const state = history.states[step];
  const moves = drawing.moves.filter(({ from }) => from === state);
  const when = step === lastStep(history) ? 'now' : `at step ${step}`;
  return html`<section class="panel" aria-labelledby="accepts">
    <h2 id="accepts">Events accepted ${when}</h2>
    ${
      moves.length === 0
        ? html`<p>Nothing: no event can move it from <span class="mono">${state}</span>.</p>`
        : movesTable(moves, 'The first whose condition holds is taken', { from: false })
    }
  </section>`;
}

function attemptSection(view: ActorView, attempt: AttemptPart): Html {
  const { id, attemptNumber, state, final, history, drawing } = attempt;
  const { at, screen } = view;
  const path = pathTo(history, lastStep(history));
  const heading = `attempt-${attemptNumber}`;
  return html`<section aria-labelledby="${heading}">
    <h2 id="${heading}">Attempt ${attemptNumber} <a class="mono" href="${addressOf('providerAttempt', id)}">${id}</a></h2>
    <p><span class="badge${final ? ' final' : ''}">${state}</span></p>
    ${timeline({ history, step: lastStep(history), createdAt: null, address: addressOf('providerAttempt', id), caption: `Journal of attempt ${attemptNumber}`, screen, at })}
    <details id="${heading}-chart"${final ? '' : html` open`}><summary>Chart of attempt ${attemptNumber}</summary>
      ${chartSvg(drawing, { present: state, path })}
      ${chartLegend({ actor: true })}
    </details>
  </section>`;
}
