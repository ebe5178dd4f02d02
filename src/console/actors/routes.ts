import { Hono } from 'hono';
import { html } from 'hono/html';
import { ACTOR_KINDS, type ActorKind } from '../../../persistence/actors/actor-kinds.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { CONSOLE_KINDS, isListed } from '../../../persistence/console/kinds.ts';
import { listActors } from '../../../persistence/console/lists.ts';
import { findById, isUuid, jobsOfOriginal } from '../../../persistence/console/search.ts';
import { readDrawings } from '../chart/drawings.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { actorBody } from './actor-page.ts';
import { choiceOf, filterOf } from './list-filter.ts';
import { listBody } from './list-page.ts';
import { createViewReader } from './read-view.ts';
import { addressOfFound, searchBody } from './search-page.ts';

const MAX_SEARCH = 300;
const JOBS_OF_ORIGINAL = 100;

/** `/console/actors`: lists of a kind, the search by id, and each actor's page. */
export function actorPages(context: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = context.database;
  const drawings = readDrawings();
  const views = createViewReader(context, drawings);
  const app = new Hono<ConsoleEnv>();

  app.get('/', (c) => c.redirect('/console/actors/stagingJob'));
  app.get('/search', async (c) => {
    const text = (c.req.query('q') ?? '').trim().slice(0, MAX_SEARCH);
    const found = text === '' ? [] : await findById(pool, text);
    const [only] = found;
    if (found.length === 1 && only !== undefined && only.what !== 'original')
      return c.redirect(addressOfFound(only), 303);
    const original = found.find(({ what }) => what === 'original');
    const jobs = original === undefined ? [] : await jobsOfOriginal(pool, original.id, JOBS_OF_ORIGINAL);
    const body = searchBody({ text, found, jobs });
    return show(c, 'Find', body, found.length === 0 && text !== '' ? 404 : 200);
  });
  app.get('/startGate', (c) => c.redirect(`/console/actors/startGate/${PAUSE_SWITCH_ID}`));
  app.get('/:kind', async (c) => {
    const kind = c.req.param('kind');
    if (!isListed(kind)) return c.notFound();
    const choice = choiceOf(kind, c.req.query());
    const at = context.clock.now();
    const lines = await listActors(pool, filterOf(choice, at));
    const states = drawings.get(kind)?.states.map(({ name }) => name) ?? [];
    const shown = states.filter((state) =>
      CONSOLE_KINDS[kind].status.values.includes(state.split('.')[0] ?? ''),
    );
    const body = listBody(choice, { lines, states: shown, at });
    return show(c, ACTOR_KINDS[kind].label.many, body);
  });
  app.get('/:kind/:id', async (c) => {
    const { kind, id } = c.req.param();
    if (!isKind(kind) || !isUuid(id)) return c.notFound();
    const view = await views.read(kind, id.toLowerCase(), c.req.query('step'));
    if (view === null) return show(c, 'Not found', goneBody(kind, id), 404);
    return show(c, `${ACTOR_KINDS[kind].label.one} ${shortId(view.id)}`, actorBody(view));
  });
  return app;
}

const isKind = (kind: string): kind is ActorKind => Object.hasOwn(ACTOR_KINDS, kind);

function show(c: PageContext, title: string, body: Html, status: 200 | 404 = 200) {
  return showPage(c, { title, section: 'actors', body }, status);
}

function goneBody(kind: ActorKind, id: string): Html {
  return html`<p class="lead">No ${ACTOR_KINDS[kind].label.one.toLowerCase()} has the id <code>${id}</code>, and no journal speaks of it.</p>
  <ul>
    <li><a href="/console/actors/search?q=${id}">Find it</a> among all other ids: it may be of another kind.</li>
    <li>It may be of another installation: compare the address of this page with where the id came from.</li>
    <li>A listing that was deleted takes its images along; their journals stay until they are pruned.</li>
  </ul>`;
}
