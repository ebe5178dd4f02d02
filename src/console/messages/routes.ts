import { Hono } from 'hono';
import { html } from 'hono/html';
import { latestMessageReports, type MessageReport } from '../../../persistence/messages/message-reports.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, showPage } from '../layout.ts';
import { createTextScreen, type TextScreen } from '../shown-text.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';

const SHOWN = 100;

/**
 * Threads that people have reported (docs/contract.md#questions), with the last messages of the other side: without them
 * an operator could not decide. Addresses in them are left out as on all pages.
 */
export function messagePages({ database, config }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  const screen = createTextScreen(config);
  return new Hono<ConsoleEnv>().get('/', async (c) => {
    const body = list(await latestMessageReports(pool, SHOWN), screen);
    return showPage(c, { title: 'Reported messages', section: 'overview', body });
  });
}

function list(reports: readonly MessageReport[], screen: TextScreen): Html {
  if (reports.length === 0) return html`<p class="notice good">None.</p>`;
  const rows = table<MessageReport>({
    caption: 'The latest report first',
    columns: [
      ['Reported', ({ createdAt }) => timeTag(createdAt.getTime())],
      ['By', ({ reporterId, side }) => html`${side} ${personLink(reporterId)}`],
      [
        'Listing',
        ({ propertyId }) =>
          html`<a class="mono" href="/console/listings/${propertyId}">${shortId(propertyId)}</a>`,
      ],
      ['Note', ({ note }) => (note === null ? '' : screen(note))],
      [
        'Messages of the other side',
        ({ messages }) =>
          html`${messages.map(({ authorId, text }) => html`<p>${personLink(authorId)} ${screen(text)}</p>`)}`,
      ],
    ],
    rows: reports,
  });
  return scrolling('Reports', rows);
}

const personLink = (id: string): Html =>
  html`<a class="mono" href="/console/people/${id}">${shortId(id)}</a>`;
