import { Hono } from 'hono';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { showPage } from '../layout.ts';
import { createTextScreen } from '../shown-text.ts';
import { overviewBody } from './page.ts';
import { readOverview } from './read-overview.ts';

/** `/console`. */
export function overviewPages(context: ConsoleContext): Hono<ConsoleEnv> {
  const screen = createTextScreen(context.config);
  return new Hono<ConsoleEnv>().get('/', async (c) => {
    const body = overviewBody(await readOverview(context), screen);
    return showPage(c, { title: 'Overview', section: 'overview', body });
  });
}
