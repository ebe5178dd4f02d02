import { html } from 'hono/html';
import type { Drawing } from '../chart/drawing.ts';
import { chartLegend, chartSvg, type Stay } from '../chart/svg.ts';
import { shortActor } from '../labels.ts';
import type { Html } from '../layout.ts';
import { type ShowOptions, shownFields, shownValue } from '../shown-text.ts';
import { timeTag } from '../time-texts.ts';
import { changedAt, type History, lastStep } from './history.ts';

export interface HistoryView extends ShowOptions {
  history: History;
  step: number;
  drawing: Drawing;
  /** The address of the actor's page without a step. */
  address: string;
}

/** The chart at a step, the stepper, and the details of the step. */
export function historyView(view: HistoryView): Html {
  const { history, step, drawing } = view;
  const path = pathTo(history, step);
  return html`<section aria-labelledby="chart">
    <h2 id="chart">Chart</h2>
    ${stepper(view)}
    ${stepWords(view)}
    ${chartSvg(drawing, { present: history.states[step] ?? null, path })}
    ${chartLegend({ actor: true })}
  </section>`;
}

/** States in the order of their stays. An event that does not change the state begins no new stay. */
export function pathTo({ states }: History, step: number): Stay[] {
  return states
    .slice(0, step + 1)
    .map((state, at) => ({ state, step: at }))
    .filter(({ state }, at) => state !== states[at - 1]);
}

/**
 * A slider with scripts, links without. The slider requests the page at its step and morphs this part into it, so
 * the slider keeps the focus and works by keyboard. Choosing a step cancels a refresh under way: its answer would
 * come later and show the step before.
 */
function stepper({ history, step, address }: HistoryView): Html {
  const last = lastStep(history);
  if (last === 0) return html`<p class="muted">Nothing has happened to it yet.</p>`;
  const entry = history.entries[step - 1];
  const words =
    entry === undefined ? 'its birth' : `${entry.event.type}, ${entry.from ?? 'nowhere'} to ${entry.to}`;
  const showStep = html`hx-target="#actor" hx-select="#actor" hx-swap="outerMorph" hx-sync="#actor:replace"`;
  const go = (to: number, label: string, rel: string) => {
    const href = `${address}?step=${to}`;
    return to === step || to < 0 || to > last
      ? html`<span class="button off" id="step-${rel}">${label}</span>`
      : html`<a class="button" id="step-${rel}" href="${href}" hx-get="${href}" ${showStep}>${label}</a>`;
  };
  return html`<form class="stepper" method="get" action="${address}">
    <label class="step-count" for="step">Step <output>${step}</output> of ${last}</label>
    <input type="range" id="step" name="step" min="0" max="${last}" value="${step}" step="1" aria-valuetext="Step ${step} of ${last}: ${words}"
      hx-get="${address}" hx-trigger="input" hx-include="this" ${showStep}>
    <noscript><button type="submit">Show</button></noscript>
    <span class="ways">${go(0, 'First', 'first')} ${go(step - 1, 'Back', 'back')} ${go(step + 1, 'Forward', 'forward')} ${go(last, 'Now', 'now')}</span>
  </form>`;
}

function stepWords({ history, step, screen, at }: HistoryView): Html {
  const entry = history.entries[step - 1];
  const changed = changedAt(history, step);
  const what =
    entry === undefined
      ? html`Born as <span class="badge">${history.states[0]}</span>`
      : html`<span class="mono">${entry.event.type}</span> by ${shortActor(screen(entry.by))} at ${timeTag(entry.at)}: ${entry.from ?? 'nowhere'} → <span class="badge">${entry.to}</span>`;
  return html`<div class="step" aria-live="polite"><p>${what}</p>
    ${entry?.note ? html`<p>Because: ${screen(entry.note)}</p>` : ''}
    ${changed.length === 0 ? '' : html`<ul class="changes" aria-label="What it changed">${changed.map((one) => changeLine(one, { screen, at }))}</ul>`}
    ${remembered(history.contexts[step], { screen, at })}
    ${history.gap === null ? '' : html`<p class="notice">${history.gap}</p>`}
  </div>`;
}

function changeLine(
  { name, before, after }: { name: string; before: unknown; after: unknown },
  options: ShowOptions,
): Html {
  return html`<li><span class="mono muted">${name}</span> ${shownValue(name, before, options)} → <strong>${shownValue(name, after, options)}</strong></li>`;
}

function remembered(context: Readonly<Record<string, unknown>> | undefined, options: ShowOptions): Html | '' {
  if (context === undefined) return '';
  const fields = shownFields(context, options);
  return html`<details id="remembered"><summary>All that it remembered then</summary>
    <dl class="facts">${fields.map(({ name, value }) => html`<dt class="mono">${name}</dt><dd>${value}</dd>`)}</dl>
  </details>`;
}
