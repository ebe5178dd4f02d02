import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { siteName } from '../../i18n/translator.ts';
import type { ConsoleEnv } from './context.ts';

/** The result of a `hono/html` template: every value in it is escaped, unless the value is such a result itself. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const SECTIONS = [
  { section: 'overview', label: 'Overview', href: '/console' },
  { section: 'charts', label: 'Charts', href: '/console/charts' },
  { section: 'actors', label: 'Actors', href: '/console/actors' },
  { section: 'people', label: 'People', href: '/console/people' },
  { section: 'actions', label: 'Actions', href: '/console/actions' },
  { section: 'queues', label: 'Queues', href: '/queues' },
  { section: 'costs', label: 'Costs', href: '/console/costs' },
  { section: 'ready', label: 'Is it ready?', href: '/console/ready' },
] as const;
type Section = (typeof SECTIONS)[number]['section'];

/** The style sheets, in the order of the cascade. */
export const STYLE_SHEETS = ['console.css', 'tables-and-forms.css', 'charts.css'];
/** An error response is not swapped into the page. Parts that a person has opened stay open when the page refreshes. */
const HTMX_CONFIG = JSON.stringify({
  morphIgnore: ['data-htmx-powered', 'open'],
  noSwap: [204, 304, '4xx', '5xx'],
  includeIndicatorCSS: false,
});

interface Page {
  /** Heading of the page, also used in the window's title. */
  title: string;
  section: Section;
  /**
   * Below the heading. Plain semantic HTML is styled by itself (`section`, `table` with `caption`, `dl`, `form` with
   * `label`, `button`); in addition there are the classes `panel` (a box), `columns` (boxes side by side),
   * `notice` with `good`, `warn` or `bad`, `lead` (first sentence), `muted`, `mono`, `number` (right-aligned cells),
   * `scroll` (a box for wide tables), `button` (a link that looks like one) and `danger`.
   */
  body: Html;
}

export type PageContext = Context<ConsoleEnv>;

/** Answers with a page of the console. */
export function showPage(
  c: PageContext,
  page: Page,
  status: 200 | 403 | 404 | 409 | 500 | 503 = 200,
): Response | Promise<Response> {
  return c.html(layout(c, page), status);
}

/**
 * A whole page of the console. No inline scripts or styles: the answer's Content-Security-Policy forbids both.
 * Boolean attributes are written as `${cond ? 'checked' : ''}`, lists of parts as arrays.
 */
export function layout(c: PageContext, { title, section, body }: Page): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <meta name="htmx-config" content='${raw(HTMX_CONFIG)}'>
    <title>${title} · ${siteName()} console</title>
    <link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml">
    ${STYLE_SHEETS.map((name) => html`<link rel="stylesheet" href="/console/assets/${name}">`)}
    <script src="/console/assets/console.js" defer></script>
    <script src="/console/assets/htmx.js" defer></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header class="bar">
      <a class="brand" href="/console">${siteName()}</a>
      <nav aria-label="Console">
        <ul class="links">
          ${SECTIONS.map(
            (one) =>
              html`<li><a href="${one.href}"${one.section === section ? html` aria-current="page"` : ''}>${one.label}</a></li>`,
          )}
        </ul>
      </nav>
      <form class="who" method="post" action="/sign-out">
        <span>${c.env.operator}</span>
        <button type="submit" class="quiet">Sign out</button>
      </form>
    </header>
    <p id="contact" class="notice bad" role="status" hidden></p>
    <main id="content" tabindex="-1">
      <h1>${title}</h1>
      ${body}
    </main>
  </body>
</html>`;
}
