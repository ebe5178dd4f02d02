import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { stream } from 'hono/streaming';
import { candidatePages, lookAtCandidates, runInBulk } from '../../operations/bulk.ts';
import type { Operations } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { parseSelection } from '../../operations/selection.ts';
import { originOf, UnsignedError } from '../../operations/signature.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { type Html, layout, type PageContext, showPage } from '../layout.ts';
import {
  type BulkRequest,
  type ChoosingParts,
  type Chosen,
  choosingView,
  lookView,
  progressLine,
  reportView,
} from './bulk-views.ts';
import { fieldsOf } from './form-fields.ts';

/**
 * One operation on many actors: choose them, see their number and the first few, confirm, and follow the progress
 * while the page is sent. The run lasts as long as its page loads. When the browser stops loading, the run stops,
 * and the operator starts it again for the rest.
 */
interface BulkParts {
  operations: Operations;
  scrub(text: string): string;
}
const SHOWN = 3;
const FAILED = html`<p class="notice bad" role="alert">It failed in between; the worker's log has the error. What is left can be asked for again.</p>`;
/** The place of the streamed part in a page. */
const GAP = '<!-- progress -->';

export function bulkPages(context: ConsoleContext, { operations, scrub }: BulkParts): Hono<ConsoleEnv> {
  const { database, clock } = context;
  const { pool } = database;
  const app = new Hono<ConsoleEnv>();

  const look = async (asked: BulkRequest, reason: string): Promise<Html> => {
    const { operation, bulk, selection, force, at } = asked;
    const { count, firstIds } = await lookAtCandidates(pool, bulk.sourceOf(selection, at), { first: SHOWN });
    const previews = await Promise.all(firstIds.map((id) => operation.preview(id, { force })));
    return lookView({ ...asked, count, previews, reason });
  };
  const found = (c: PageContext): Chosen | null => {
    const operation = operations.find(c.req.param('operation') ?? '');
    return operation?.bulk ? { operation, bulk: operation.bulk } : null;
  };

  app.get('/:operation/all', async (c) => {
    const which = found(c);
    if (which === null) return c.notFound();
    const said = c.req.query();
    const asked = askedOf(which, said, clock.now());
    if (said.look !== 'yes') return show(c, which.operation, choosingView({ ...which, said, problems: [] }));
    if ('problems' in asked) return showProblems(c, which, { said, ...asked });
    return show(c, which.operation, await look(asked, ''));
  });

  app.post('/:operation/all', async (c) => {
    const which = found(c);
    if (which === null) return c.notFound();
    const said = await fieldsOf(c);
    const asked = askedOf(which, said, clock.now());
    if ('problems' in asked) return showProblems(c, which, { said, ...asked });
    const asking = { by: c.env.operator, reason: said.reason ?? '', force: asked.force };
    try {
      originOf(asking, scrub);
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return show(c, which.operation, await look(asked, asking.reason), 409);
    }
    return run(c, context, { ...asked, asking, scrub });
  });
  return app;
}

/** `at` is a field of the form, so that the run covers the actors that were counted. */
function askedOf(
  which: Chosen,
  said: Readonly<Record<string, string | undefined>>,
  now: number,
): BulkRequest | { problems: string[] } {
  const parsed = parseSelection(which.bulk, said);
  if ('problems' in parsed) return parsed;
  const told = said.at === undefined ? now : Number(said.at);
  const at = Number.isSafeInteger(told) && told > 0 ? Math.min(told, now) : now;
  return { ...which, ...parsed, force: said.force === 'yes', at };
}

/** The page is sent in parts: its head, a line after each batch of candidates, the report. */
async function run(
  c: PageContext,
  { database, logger }: ConsoleContext,
  asked: BulkRequest & Pick<BulkParts, 'scrub'> & { asking: { by: string; reason: string; force: boolean } },
): Promise<Response> {
  const { operation, bulk, selection, at, asking, scrub } = asked;
  const source = bulk.sourceOf(selection, at);
  const { count } = await lookAtCandidates(database.pool, source, { first: 1 });
  const operator = c.env.operator;
  const page = await layout(c, { title: operation.title, section: 'actions', body: raw(GAP) });
  const [head = '', tail = ''] = String(page).split(GAP);
  c.header('content-type', 'text/html; charset=UTF-8');
  return stream(c, async (out) => {
    const stopping = new AbortController();
    out.onAbort(() => stopping.abort());
    await out.write(`${head}<p class="lead">Stop loading this page to stop it.</p><ol class="progress">`);
    const ended = await runInBulk(operation, {
      asking,
      scrub,
      signal: stopping.signal,
      ids: candidatePages(database.pool, source),
      onProgress: async (so) => void (await out.write(String(await progressLine(so, count)))),
    }).then(
      ({ told, ...counts }) => {
        logger.info({ operation: operation.name, operator, ...counts }, 'console: bulk operation');
        return reportView(operation, { told, ...counts });
      },
      // The page has begun, so the error cannot have a page of its own.
      (error: unknown) => {
        logger.error({ err: error, operation: operation.name, operator }, 'console: bulk operation failed');
        return FAILED;
      },
    );
    await out.write(`</ol>${await ended}${tail}`);
  });
}

function showProblems(c: PageContext, which: Chosen, form: Pick<ChoosingParts, 'said' | 'problems'>) {
  return show(c, which.operation, choosingView({ ...which, ...form }), 409);
}

function show(c: PageContext, { title }: Operation, body: Html, status: 200 | 409 = 200) {
  return showPage(c, { title, section: 'actions', body }, status);
}
