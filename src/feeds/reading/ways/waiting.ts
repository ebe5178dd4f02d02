import { keyOf, newestOf, type Row, sortRows } from '../answers.ts';
import type { FeedKey, FeedRecord } from '../feed-reading.ts';
import { keyField, literal, type PlannedRequest, recordUrl, rowsUrl } from '../requests.ts';
import type { Look, WayAnswer } from './way.ts';

/**
 * Records that are read by their keys, many in a request. One that is not in the answer is requested by itself: only
 * 404 means that it has left, never an answer that lacks it.
 */
interface Waiting {
  readonly waiting: readonly FeedKey[];
  readonly missing: readonly FeedKey[];
}
export interface Fetched extends Waiting {
  readonly records: readonly FeedRecord[];
  readonly gone: readonly FeedKey[];
  readonly newest: string | null;
}

const same = (one: FeedKey) => (other: FeedKey) => one.resource === other.resource && one.key === other.key;

/** The request for the next of them; null when none waits. */
export function planWaiting({ source }: Look, { waiting, missing }: Waiting): PlannedRequest | null {
  const [single] = missing;
  if (single !== undefined) return { url: recordUrl(source, single.resource, single.key), single: true };
  const batch = nextBatch(source.profile.page.inList, waiting);
  const [first] = batch;
  if (first === undefined) return null;
  const list = batch.map(({ key }) => literal(key)).join(',');
  const filters = [`${keyField(first.resource)} in (${list})`];
  return { url: rowsUrl(source, first.resource, { filters, top: batch.length, expand: true }) };
}

function nextBatch(size: number, waiting: readonly FeedKey[]): readonly FeedKey[] {
  const [first] = waiting;
  return waiting.filter(({ resource }) => resource === first?.resource).slice(0, size);
}

export function advanceWaiting(look: Look, at: Waiting, answer: WayAnswer): Fetched {
  const [single] = at.missing;
  if (single === undefined) return takeBatch(look, at, answer);
  const rest = { waiting: at.waiting, missing: at.missing.slice(1) };
  if (answer.refused) return { ...rest, records: [], gone: [single], newest: null };
  const [row] = answer.rows;
  if (row === undefined) return { ...rest, records: [], gone: [], newest: null };
  if (single.resource === 'Media') return { ...withParent(rest, row), records: [], gone: [], newest: null };
  // It exists, but the feed's filter does not want it: the list of keys decides whether it leaves.
  if (look.source.filter !== null) return { ...rest, records: [], gone: [], newest: null };
  const rows = [row];
  return { ...rest, ...sortRows(look.source, single.resource, rows), newest: newestOf(rows, null) };
}

/** The listing of a picture that changed is read with all its pictures. */
function withParent(rest: Waiting, { ResourceName, ResourceRecordKey: key }: Row): Waiting {
  if (ResourceName !== 'Property' || typeof key !== 'string') return rest;
  const parent = { resource: 'Property', key };
  return rest.waiting.some(same(parent)) ? rest : { ...rest, waiting: [...rest.waiting, parent] };
}

function takeBatch({ source }: Look, { waiting }: Waiting, { rows, next }: WayAnswer): Fetched {
  const batch = nextBatch(source.profile.page.inList, waiting);
  const resource = batch[0]?.resource ?? 'Property';
  const byKey = new Map(rows.map((row) => [keyOf(resource, row), row]));
  const found = batch.filter(({ key }) => byKey.has(key));
  const lost = batch.filter(({ key }) => !byKey.has(key));
  const rest = waiting.filter((one) => !batch.includes(one));
  // The server gave a part of the list: the others are requested again.
  const isPart = next !== null && found.length > 0;
  const wanted = found.map(({ key }) => byKey.get(key) as Row);
  return {
    ...sortRows(source, resource, wanted),
    newest: newestOf(wanted, null),
    waiting: isPart ? [...lost, ...rest] : rest,
    missing: isPart ? [] : lost,
  };
}
