import { html } from 'hono/html';
import type { JournalStep } from '../../../persistence/console/journal.ts';
import { shortActor } from '../labels.ts';
import type { Html } from '../layout.ts';
import { type ShowOptions, shownFields } from '../shown-text.ts';
import { span, timeTag } from '../time-texts.ts';
import type { History } from './history.ts';

const STEPS_A_PAGE = 50;

export interface TimelineView extends ShowOptions {
  history: History;
  /** The selected step. */
  step: number;
  createdAt: number | null;
  /** The address of the page that shows a step. */
  address: string;
  caption: string;
}

/** The journal as a table, in pages: time, time since the previous step, author, event, both states, reason. */
export function timeline(view: TimelineView): Html {
  const { history, step, caption, address } = view;
  const { entries } = history;
  if (entries.length === 0) return html`<p class="muted">Its journal is empty.</p>`;
  const page = Math.floor((Math.max(step, 1) - 1) / STEPS_A_PAGE);
  const begin = page * STEPS_A_PAGE;
  const shown = entries.slice(begin, begin + STEPS_A_PAGE);
  const end = begin + shown.length;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table class="timeline">
    <caption>${caption}${entries.length > STEPS_A_PAGE ? `, ${begin + 1} to ${end} of ${entries.length}` : ''}</caption>
    <thead><tr><th scope="col" class="number">Step</th><th scope="col">When</th><th scope="col" class="number">After</th><th scope="col">Event</th><th scope="col">From → to</th><th scope="col">Who</th><th scope="col">Told and why</th></tr></thead>
    <tbody>${shown.map((entry, index) => row(entry, begin + index + 1, view))}</tbody>
  </table></div>
  <p class="pages">
    ${begin === 0 ? '' : html`<a class="button" href="${address}?step=${begin}">Earlier</a>`}
    ${end === entries.length ? '' : html`<a class="button" href="${address}?step=${Math.min(end + STEPS_A_PAGE, entries.length)}">Later</a>`}
  </p>`;
}

function row(entry: JournalStep, number: number, view: TimelineView): Html {
  const { history, step, createdAt, address, screen, at } = view;
  const before = history.entries[number - 2]?.at ?? createdAt;
  const { event, from, to, by, leaseEpoch, note } = entry;
  const { type, at: _at, ...told } = event;
  const fields = shownFields(told, { screen, at });
  return html`<tr${number === step ? html` class="present" aria-current="step"` : ''}>
    <th scope="row" class="number"><a href="${address}?step=${number}">${number}</a></th>
    <td>${timeTag(entry.at)}</td>
    <td class="number">${before === null ? '–' : span(entry.at - before)}</td>
    <td class="mono">${type}</td>
    <td class="mono">${from === to ? html`<span class="muted">stays</span> ${to}` : html`${from ?? '–'} → ${to}`}</td>
    <td class="mono">${shortActor(screen(by))}${leaseEpoch === null ? '' : html`<span class="muted"> · epoch ${leaseEpoch}</span>`}</td>
    <td>${note === null ? '' : html`<strong>${screen(note)}</strong> `}${fields.map(({ name, value }) => html`<span class="told"><span class="muted">${name}</span> ${value}</span> `)}</td>
  </tr>`;
}
