import { Hono } from 'hono';
import { html } from 'hono/html';
import { openPhotoCases, type PhotoCase, photoCase } from '../../../persistence/console/photo-cases.ts';
import { isUuid } from '../../../persistence/console/search.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, showPage } from '../layout.ts';
import { scrolling, table } from '../table.ts';
import { timeTag } from '../time-texts.ts';

/** Photos that look like staged pictures of ours, until an operator has decided (docs/contract.md#intake). */
const SHOWN = 100;

export function photoPages({ database }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (c) => {
    const cases = await openPhotoCases(pool, SHOWN);
    return showPage(c, {
      title: 'Photos that look like staged pictures',
      section: 'overview',
      body: list(cases),
    });
  });
  app.get('/:id', async (c) => {
    const id = c.req.param('id');
    const found = isUuid(id) ? await photoCase(pool, id) : null;
    if (found === null) return c.notFound();
    return showPage(c, {
      title: `Photo ${shortId(found.imageId)}`,
      section: 'overview',
      body: list([found]),
    });
  });
  return app;
}

function list(cases: readonly PhotoCase[]): Html {
  if (cases.length === 0) return html`<p class="notice good">None.</p>`;
  const rows = table<PhotoCase>({
    caption: 'The oldest find first',
    columns: [
      [
        'Photo',
        ({ imageId }) => html`<a class="mono" href="/console/photos/${imageId}">${shortId(imageId)}</a>`,
      ],
      [
        'Listing',
        ({ propertyId }) =>
          html`<a class="mono" href="/console/listings/${propertyId}">${shortId(propertyId)}</a>`,
      ],
      [
        'State',
        ({ state, answeredBy }) => (answeredBy === null ? state : `${state}, by ${answeredBy.toLowerCase()}`),
      ],
      [
        'Staged picture',
        ({ nearestId }) =>
          html`<a class="mono" href="/console/actors/imageReview/${nearestId}">${shortId(nearestId)}</a>`,
      ],
      ['Like it', ({ likeStaged }) => likeStaged.toFixed(2), 'number'],
      ['Like its photo', ({ likePhoto }) => likePhoto.toFixed(2), 'number'],
      ['Found', ({ checkedAt }) => timeTag(checkedAt.getTime())],
      [
        'Decide',
        ({ imageId }) => html`<a class="button" href="/console/actions/accept-photo?id=${imageId}">Accept</a>
          <a class="button" href="/console/actions/refuse-photo?id=${imageId}">Refuse</a>`,
      ],
    ],
    rows: cases,
  });
  return scrolling('Photos', rows);
}
