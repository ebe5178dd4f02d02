import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Its title, and what stands in it of a row; `number` cells stand on the right, with their title. */
export type Column<R> = readonly [
  title: string,
  cell: (row: R) => Html | string | number,
  look?: 'mono' | 'number',
];

export interface Table<R> {
  caption: string;
  /** For a caption that only repeats what a heading says. */
  quiet?: boolean;
  look?: 'lines' | 'panel';
  /** The first one names the row. */
  columns: readonly Column<NoInfer<R>>[];
  rows: readonly R[];
}

/** A table of facts, with the heading cells that a screen reader needs. */
export function table<R>({ caption, quiet, look, columns, rows }: Table<R>): Html {
  return html`<table${classOf(look)}>
    <caption${classOf(quiet && 'quiet')}>${caption}</caption>
    <thead><tr>${columns.map(([title, , kind]) => html`<th scope="col"${classOf(kind === 'number' && kind)}>${title}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr>
      ${columns.map(([, cell, kind], at) =>
        at === 0
          ? html`<th scope="row"${classOf(kind)}>${cell(row)}</th>`
          : html`<td${classOf(kind)}>${cell(row)}</td>`,
      )}
    </tr>`,
    )}</tbody>
  </table>`;
}

const classOf = (name: string | false | undefined): Html | '' => (name ? html` class="${name}"` : '');

/** What may be wider than a small screen; reached by keyboard as well. */
export function scrolling(label: string, content: Html): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${content}</div>`;
}
