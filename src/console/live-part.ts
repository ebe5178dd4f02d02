import { html } from 'hono/html';
import type { Html } from './layout.ts';

const EVERY = '2s';

/**
 * A part of a page that keeps itself up to date: every two seconds its page is asked for again and this part is morphed
 * into what came, so that focus, selection and scrolling stay. `console.js` holds it while the page is not seen, and a
 * part with `url` null does not ask any more. Without scripts it is as it was when the page came.
 * @param id of the part, unique on its page
 */
export function livePart({ id, url, body }: { id: string; url: string | null; body: Html }): Html {
  const polling =
    url === null
      ? ''
      : html` hx-get="${url}" hx-trigger="every ${EVERY}" hx-select="#${id}" hx-swap="outerMorph" hx-sync="this:drop"`;
  return html`<div id="${id}" class="live"${polling}>${body}</div>`;
}
