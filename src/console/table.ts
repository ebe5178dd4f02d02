import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Its title, and its cell for a row; `number` cells and their title are aligned right. */
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
  /** The first column names the row. */
  columns: readonly Column<NoInfer<R>>[];
  rows: readonly R[];
}

/** A table of data, with the header cells that a screen reader needs. */
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

/** Content that may be wider than a small screen; also scrollable by keyboard. */
export function scrolling(label: string, content: Html): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${content}</div>`;
}
