import { isBodyFault, numberOption, wireBody } from './faults/fault-catalogue.ts';
import { problem, sendBytes, sendJson } from './http-answers.ts';
import type { Prediction } from './prediction.ts';
import { viewPolled } from './prediction-view.ts';
import { type Exchange, requireToken, viewContext } from './simulator-context.ts';

/** Where a page begins: predictions accepted before (`older`) or after (`newer`) a seq. */
interface Cursor {
  direction: 'older' | 'newer';
  seq: number;
}

/**
 * `GET /v1/predictions`: newest first, `next` and `previous` absolute
 * (docs/provider.md#replicates-predictions-api). `created_after` is inclusive, `created_before` exclusive; both are
 * repeated in the pages' URLs. `source` can only be `web`, and no prediction here has that source.
 */
export async function listPredictions(exchange: Exchange): Promise<void> {
  const { res, url, context } = exchange;
  requireToken(exchange);
  const fault = context.rules.takeFirst('list', { attemptId: null, prompt: '' });
  const filtered = filterByQuery(context.store.all(), url.searchParams);
  const page = pageOf(filtered, readCursor(url.searchParams), context.settings.pageSize);
  const view = viewContext(context);
  const address = (cursor: Cursor | null) => cursor && pageAddress(view.publicUrl, url.searchParams, cursor);
  const body = {
    previous: address(page.previous),
    next: address(page.next),
    results: page.results.map((prediction) => viewPolled(prediction, view)),
  };
  const failed = fault?.name === 'list-5xx' ? numberOption(fault, 'status', 502) : null;
  await context.ledger.append({
    kind: 'list',
    at: context.clock.now(),
    firstPage: !url.searchParams.has('cursor'),
    httpStatus: failed ?? 200,
    results: body.results.length,
    fault: fault?.name ?? null,
  });
  if (failed !== null)
    return sendJson(res, { status: failed, body: { detail: 'Bad gateway', status: failed } });
  const whole = wireBody(body, isBodyFault(fault) ? fault : undefined);
  const half = { ...whole, bytes: whole.bytes.subarray(0, Math.floor(whole.bytes.length / 2)) };
  sendBytes(res, { status: 200, ...(fault?.name === 'list-truncated' ? half : whole) });
}

function filterByQuery(all: readonly Prediction[], query: URLSearchParams): Prediction[] {
  const source = query.get('source');
  if (source !== null && source !== 'web') throw problem(400, 'Bad request', 'source must be "web".');
  if (source === 'web') return [];
  const after = readTime(query, 'created_after') ?? Number.NEGATIVE_INFINITY;
  const before = readTime(query, 'created_before') ?? Number.POSITIVE_INFINITY;
  return all.filter((prediction) => prediction.createdAtMs >= after && prediction.createdAtMs < before);
}

/** One page of `oldestFirst`, newest first, with the cursors of the pages before and after it. */
function pageOf(
  oldestFirst: Prediction[],
  cursor: Cursor | null,
  size: number,
): { results: Prediction[]; next: Cursor | null; previous: Cursor | null } {
  const results = selectPage(oldestFirst, cursor, size).reverse();
  const newest = results.at(0);
  const oldest = results.at(-1);
  const hasOlder = oldest !== undefined && oldestFirst.some((prediction) => prediction.seq < oldest.seq);
  const hasNewer = newest !== undefined && oldestFirst.some((prediction) => prediction.seq > newest.seq);
  return {
    results,
    next: hasOlder ? { direction: 'older', seq: oldest.seq } : null,
    previous: hasNewer ? { direction: 'newer', seq: newest.seq } : null,
  };
}

function selectPage(oldestFirst: Prediction[], cursor: Cursor | null, size: number): Prediction[] {
  if (cursor === null) return oldestFirst.slice(-size);
  if (cursor.direction === 'older') return oldestFirst.filter((item) => item.seq < cursor.seq).slice(-size);
  return oldestFirst.filter((item) => item.seq > cursor.seq).slice(0, size);
}

function pageAddress(publicUrl: string, query: URLSearchParams, cursor: Cursor): string {
  const url = new URL(`${publicUrl}/v1/predictions`);
  for (const [key, value] of query) url.searchParams.set(key, value);
  url.searchParams.set('cursor', Buffer.from(`${cursor.direction}:${cursor.seq}`).toString('base64url'));
  return url.href;
}

function readCursor(query: URLSearchParams): Cursor | null {
  const text = query.get('cursor');
  if (text === null) return null;
  const match = /^(older|newer):(\d+)$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (!match) throw problem(400, 'Bad request', 'Invalid cursor.');
  return { direction: match[1] as Cursor['direction'], seq: Number(match[2]) };
}

function readTime(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw problem(400, 'Bad request', `${name} must be an ISO 8601 date-time.`);
  return ms;
}
