import { html } from 'hono/html';
import { grouped } from '../labels.ts';
import type { Html } from '../layout.ts';
import { type Column, scrolling, table } from '../table.ts';
import type { Drawing, DrawnState, Move } from './drawing.ts';

/** How many actors are in each state, and the addresses of their lists. */
export interface LiveCounts {
  counts: ReadonlyMap<string, number>;
  href(state: string): string;
}

/** The states as a table, with the same data as the chart's tooltips. Each count links to its list. */
export function statesTable({ title, states }: Drawing, live: LiveCounts | null): Html {
  const nowColumn = ({ counts, href }: LiveCounts): Column<DrawnState> => [
    'Now',
    ({ name }) => html`<a href="${href(name)}">${grouped(counts.get(name) ?? 0)}</a>`,
    'number',
  ];
  const columns: Column<DrawnState>[] = [
    ['State', ({ name }) => name, 'mono'],
    ...(live === null ? [] : [nowColumn(live)]),
    ['Meaning', ({ sentence }) => sentence],
    ['What a worker does in it', activityCell],
  ];
  return scrolling(
    `States of the ${title.toLowerCase()}`,
    table({ caption: 'States', columns, rows: states }),
  );
}

function activityCell({ activity, final }: DrawnState): Html {
  if (activity !== null) return html`<code>${activity}</code>`;
  return html`<span class="muted">${final ? 'final' : 'nothing'}</span>`;
}

/** Rows of the machine's transition table. A table for one state can omit the source state. */
export function movesTable(moves: readonly Move[], caption: string, { from: showsFrom = true } = {}): Html {
  const fromColumn: Column<Move> = ['From', ({ from }) => from, 'mono'];
  const columns: Column<Move>[] = [
    ['Event', ({ event }) => event, 'mono'],
    ['If', ({ guard }) => (guard === '' || guard === 'otherwise' ? guard : html`<code>${guard}</code>`)],
    ...(showsFrom ? [fromColumn] : []),
    ['To', ({ from, to }) => (from === to ? html`<span class="muted">stays</span>` : to), 'mono'],
    ['Written with it', ({ effects }) => effects.join(', ')],
  ];
  return scrolling(caption, table({ caption, columns, rows: moves }));
}
