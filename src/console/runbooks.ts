import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleEnv } from './context.ts';
import { type Html, showPage } from './layout.ts';
import { scrolling } from './table.ts';

/** `/console/docs/runbooks`: the runbooks of this release, as they are written, for hosts that reach nothing else. */
const FOLDER = new URL('../../docs/runbooks/', import.meta.url);
const NAME = /^(?:alerts\/)?[\w-]+\.md$/;

/** @param path as in the repository, such as `docs/runbooks/mail-down.md` */
export const runbookLink = (path: string): Html => html`<a class="mono" href="/console/${path}">${path}</a>`;

export function runbookPages(): Hono<ConsoleEnv> {
  return new Hono<ConsoleEnv>().get('/:name{.+}', async (c) => {
    const name = c.req.param('name');
    const text = NAME.test(name) ? await readFile(new URL(name, FOLDER), 'utf8').catch(noFile) : null;
    if (text === null) return c.notFound();
    const [, title = name, rest = text] = /^# ([^\n]+)\n+(.*)$/s.exec(text) ?? [];
    return showPage(c, { title, section: 'ready', body: scrolling('Runbook', html`<pre>${rest}</pre>`) });
  });
}

function noFile(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
