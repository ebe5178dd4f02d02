import { Hono } from 'hono';
import { html } from 'hono/html';
import { type DataReport, latestDataReports } from '../../../persistence/listings/data-reports.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, showPage } from '../layout.ts';
import { createTextScreen, type TextScreen } from '../shown-text.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';

const SHOWN = 100;

/** What people say is wrong about listings (docs/contract.md#attribution). Addresses are left out as on all pages. */
export function dataReportPages({ database, config }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  const screen = createTextScreen(config);
  return new Hono<ConsoleEnv>().get('/', async (c) => {
    const body = list(await latestDataReports(pool, SHOWN), screen);
    return showPage(c, { title: 'Reported data', section: 'overview', body });
  });
}

function list(reports: readonly DataReport[], screen: TextScreen): Html {
  if (reports.length === 0) return html`<p class="notice good">None.</p>`;
  const rows = table<DataReport>({
    caption: 'The latest report first',
    columns: [
      ['Reported', ({ createdAt }) => timeTag(createdAt.getTime())],
      [
        'Listing',
        ({ propertyId }) =>
          html`<a class="mono" href="/console/listings/${propertyId}">${shortId(propertyId)}</a>`,
      ],
      ['About', ({ subject }) => subject],
      ['Note', ({ note }) => screen(note)],
    ],
    rows: reports,
  });
  return scrolling('Reports', rows);
}
