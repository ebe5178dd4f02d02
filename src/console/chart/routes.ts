import { Hono } from 'hono';
import { html } from 'hono/html';
import { isListed } from '../../../persistence/console/kinds.ts';
import { countStates } from '../../../persistence/console/lists.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { counted } from '../labels.ts';
import { type Html, showPage } from '../layout.ts';
import { livePart } from '../live-part.ts';
import type { Drawing } from './drawing.ts';
import { readDrawings } from './drawings.ts';
import { movesTable, statesTable } from './states-table.ts';
import { chartLegend, chartSvg } from './svg.ts';

/** `/console/charts` and `/console/charts/:machine`: every machine, with how many actors are in each state now. */
export function chartPages(context: ConsoleContext): Hono<ConsoleEnv> {
  const drawings = readDrawings();
  const app = new Hono<ConsoleEnv>();
  app.get('/', (c) => {
    const body = indexBody([...drawings.values()]);
    return showPage(c, { title: 'Charts', section: 'charts', body });
  });
  app.get('/:kind', async (c) => {
    const drawing = drawings.get(c.req.param('kind'));
    if (drawing === undefined) return c.notFound();
    const { kind, title } = drawing;
    const counts = isListed(kind) ? await countStates(context.database.pool, kind) : null;
    return showPage(c, { title, section: 'charts', body: machineBody(drawing, counts) });
  });
  return app;
}

function indexBody(drawings: readonly Drawing[]): Html {
  return html`<p class="lead">What the platform does is written down as state machines. A machine's state is the status of a row.</p>
  <ul class="cards">${drawings.map(
    ({ kind, title, row, states, moves }) => html`<li class="panel">
    <h2><a href="/console/charts/${kind}">${title}</a></h2>
    <p>${counted(states.length, 'state')}, ${counted(moves.length, 'transition')}</p>
    <p class="muted">kept in <code>${row}</code></p>
  </li>`,
  )}</ul>`;
}

function machineBody(drawing: Drawing, counts: ReadonlyMap<string, number> | null): Html {
  const { kind, row, source, moves } = drawing;
  const href = (state: string) => `/console/actors/${kind}?state=${encodeURIComponent(state)}`;
  const live = counts === null ? null : { counts, href };
  return html`<p class="lead">Its state is kept in <code>${row}</code>; its rules are in <code>${source}</code>.</p>
  ${livePart({
    id: 'machine',
    url: `/console/charts/${kind}`,
    body: html`${chartSvg(drawing, live ?? {})} ${chartLegend({ actor: false })} ${statesTable(drawing, live)}`,
  })}
  <details><summary>All ${counted(moves.length, 'transition')}</summary>
    <p class="muted">The first row whose condition holds is taken; an event without a row is ignored.</p>
    ${movesTable(moves, 'Transitions')}
  </details>`;
}
