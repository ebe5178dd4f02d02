import { html } from 'hono/html';
import { grouped } from '../labels.ts';
import type { Html } from '../layout.ts';
import type { Drawing, Move } from './drawing.ts';

/** The states as a table: what the chart shows in its tooltips. Each count links to its list. */
export function statesTable(
  { title, states }: Drawing,
  live: { counts: ReadonlyMap<string, number>; href(state: string): string } | null,
): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="States of the ${title.toLowerCase()}"><table>
    <caption>States</caption>
    <thead><tr><th scope="col">State</th>${live && html`<th scope="col" class="number">Now</th>`}<th scope="col">Meaning</th><th scope="col">What a worker does in it</th></tr></thead>
    <tbody>${states.map(
      ({ name, sentence, activity, final }) => html`<tr>
      <th scope="row" class="mono">${name}</th>
      ${live && html`<td class="number"><a href="${live.href(name)}">${grouped(live.counts.get(name) ?? 0)}</a></td>`}
      <td>${sentence}</td>
      <td>${activity === null ? html`<span class="muted">${final ? 'final' : 'nothing'}</span>` : html`<code>${activity}</code>`}</td>
    </tr>`,
    )}</tbody>
  </table></div>`;
}

/** Rows of the machine's table of transitions; of one state alone they need not say whence. */
export function movesTable(moves: readonly Move[], caption: string, { from: showsFrom = true } = {}): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table>
    <caption>${caption}</caption>
    <thead><tr><th scope="col">Event</th><th scope="col">If</th>${showsFrom ? html`<th scope="col">From</th>` : ''}<th scope="col">To</th><th scope="col">Written with it</th></tr></thead>
    <tbody>${moves.map(
      ({ event, guard, from, to, effects }) => html`<tr>
      <th scope="row" class="mono">${event}</th>
      <td>${guard === '' || guard === 'otherwise' ? guard : html`<code>${guard}</code>`}</td>
      ${showsFrom ? html`<td class="mono">${from}</td>` : ''}
      <td class="mono">${from === to ? html`<span class="muted">stays</span>` : to}</td>
      <td>${effects.join(', ')}</td>
    </tr>`,
    )}</tbody>
  </table></div>`;
}
