import { html } from 'hono/html';
import type { Html } from './layout.ts';

const EVERY = '2s';

/**
 * A part of a page that refreshes itself: every two seconds the page is requested again and this part is morphed
 * into the new one, so that focus, selection and scroll position stay. `console.js` pauses it while the page is
 * hidden. A part with `url` null does not refresh. Without scripts it stays as loaded.
 * @param id of the part, unique on its page
 */
export function livePart({ id, url, body }: { id: string; url: string | null; body: Html }): Html {
  const polling =
    url === null
      ? ''
      : html` hx-get="${url}" hx-trigger="every ${EVERY}" hx-select="#${id}" hx-swap="outerMorph" hx-sync="this:drop"`;
  return html`<div id="${id}" class="live"${polling}>${body}</div>`;
}
