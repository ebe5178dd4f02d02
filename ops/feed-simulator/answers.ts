import type { FaultSwitches } from './faults.ts';
import type { FeedStore, Stored } from './feed-store.ts';
import { BadQuery, parseFilter } from './filter.ts';
import type { Body } from './listings.ts';
import { KEY } from './listings.ts';

/** Rules of vendors, beyond the standard. */
export const RULE_SETS = ['plain', 'mls-grid', 'bridge'] as const;
export type RuleSet = (typeof RULE_SETS)[number];

export interface FeedContext {
  readonly store: FeedStore;
  readonly faults: FaultSwitches;
  readonly rules: RuleSet;
  /** Rows of a page when the request does not say, and the most. */
  readonly page: number;
  readonly root: () => string;
  /** The page before, for the fault that repeats it. */
  readonly last: { page: Body | null };
}

export interface ODataAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const error = (status: number, code: string, message: string): ODataAnswer => ({
  status,
  body: { error: { code, message } },
});

/** The answer to a request below the service root; `path` begins after it. */
export function odataAnswer(
  context: FeedContext,
  path: string,
  query: URLSearchParams,
  prefer: string,
): ODataAnswer {
  try {
    const single = /^(\w+)\('((?:[^']|'')*)'\)$/.exec(path);
    if (single !== null)
      return oneRecord(context, single[1] as string, (single[2] as string).replaceAll("''", "'"), query);
    if (path === '$metadata')
      return { status: 200, body: METADATA, headers: { 'content-type': 'application/xml' } };
    return collection(context, path.replace(/\/replication$/, ''), query, prefer);
  } catch (problem) {
    if (problem instanceof BadQuery) return error(400, 'BadRequest', problem.message);
    throw problem;
  }
}

/** Only what a reader must find: the sets and their keys. */
const METADATA = `<?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="Simulator" xmlns="http://docs.oasis-open.org/odata/ns/edm">${Object.entries(
  KEY,
)
  .map(
    ([name, key]) =>
      `<EntityType Name="${name}"><Key><PropertyRef Name="${key}"/></Key><Property Name="${key}" Type="Edm.String" Nullable="false"/><Property Name="ModificationTimestamp" Type="Edm.DateTimeOffset"/></EntityType>`,
  )
  .join('')}</Schema></edmx:DataServices></edmx:Edmx>`;

function oneRecord(
  { store, faults }: FeedContext,
  resource: string,
  key: string,
  query: URLSearchParams,
): ODataAnswer {
  if (resource === 'Media') return onePicture(store, key);
  const record = store.get(resource, key);
  if (record !== undefined && faults.take('record-vanishes')) store.remove(record.resource, key);
  const found = store.get(resource, key);
  if (found === undefined) return error(404, 'NotFound', 'no such record');
  return { status: 200, body: store.body(found, query.get('$expand') === 'Media') };
}

function onePicture(store: FeedStore, key: string): ODataAnswer {
  const listing = store.get('Property', key.slice(0, key.lastIndexOf('-')));
  const media = listing === undefined ? [] : (store.body(listing, true).Media as Body[]);
  const found = media.find(({ MediaKey }) => MediaKey === key);
  return found === undefined ? error(404, 'NotFound', 'no such record') : { status: 200, body: found };
}

function collection(
  context: FeedContext,
  resource: string,
  query: URLSearchParams,
  prefer: string,
): ODataAnswer {
  const problem = ruleProblem(context, query);
  if (problem !== null) return error(400, 'BadRequest', problem);
  const text = query.get('$filter');
  const filter = text === null ? null : parseFilter(text);
  const skip = numberIn(query, '$skip') ?? 0;
  if (context.faults.isOn('moving-skip') && skip > 0 && context.faults.take('moving-skip'))
    move(context, resource);
  const rows = rowsOf(context, resource, query.get('$orderby') ?? '', filter);
  const page = pageOf(context, query, prefer, rows.length - skip);
  const taken = rows.slice(skip, skip + page.size);
  const body: Body = {
    '@odata.context': `${context.root()}/$metadata#${resource}`,
    ...(query.get('$count') === 'true' && { '@odata.count': rows.length }),
    value: selected(
      query,
      taken.map((row) => row(query.get('$expand') === 'Media')),
    ),
  };
  if (page.links && skip + taken.length < rows.length)
    body['@odata.nextLink'] = nextLink(context, resource, query, skip + taken.length);
  return { status: 200, body: faulty(context, query, body) };
}

type Row = (expand: boolean) => Body;

function rowsOf(
  { store, faults }: FeedContext,
  resource: string,
  orderBy: string,
  filter: ReturnType<typeof parseFilter> | null,
): Row[] {
  if (faults.isOn('empty-feed') && faults.take('empty-feed')) return [];
  if (resource === 'EntityEvent')
    return store.events().flatMap(({ seq, resource: name, key }) => {
      const event: Body = { EntityEventSequence: seq, ResourceName: name, ResourceRecordKey: key };
      return filter === null || filter((field) => event[field]) ? [() => event] : [];
    });
  if (resource === 'Lookup') return [];
  if (resource === 'Media') return [];
  const unreadable = faults.isOn('unreadable-text') ? { PrivateRemarks: '\u0000 and \ud800.' } : {};
  return store
    .rows(resource, orderBy, filter)
    .map((record: Stored) => (expand) => ({ ...store.body(record, expand), ...unreadable }));
}

function selected(query: URLSearchParams, rows: Body[]): Body[] {
  const names = query.get('$select')?.split(',');
  if (names === undefined) return rows;
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

/** `$top` is the whole of an answer; without it, or by the rules of some vendors, pages have links. */
function pageOf({ page, rules, faults }: FeedContext, query: URLSearchParams, prefer: string, left: number) {
  const top = numberIn(query, '$top');
  const wanted = top ?? Number(/odata\.maxpagesize=(\d+)/.exec(prefer)?.[1] ?? page);
  // Pages of keys may be larger.
  const most =
    query.has('$select') || query.get('$filter')?.includes('EntityEventSequence') ? 1_000_000 : page;
  const size = Math.min(wanted, most);
  const isSmall = size > 2 && left > size / 3 && faults.take('small-pages');
  return { size: isSmall ? Math.floor(size / 3) : size, links: top === null || rules !== 'plain' };
}

function nextLink(
  { root, faults }: FeedContext,
  resource: string,
  query: URLSearchParams,
  skip: number,
): string {
  const next = new URLSearchParams(query);
  next.set('$skip', faults.take('looping-links') ? '0' : String(skip));
  const link = `${resource}?${next.toString().replaceAll('+', '%20').replaceAll('%24', '$')}`;
  if (faults.take('foreign-links')) return `https://elsewhere.example.org/${link}`;
  return faults.take('relative-links') ? link : `${root()}/${link}`;
}

function faulty({ faults, last }: FeedContext, query: URLSearchParams, body: Body): Body {
  const isKeys = query.has('$select');
  if (isKeys && (body.value as Body[]).length > 0 && faults.take('short-list'))
    return { ...body, value: [], '@odata.nextLink': undefined };
  const before = last.page;
  last.page = body;
  return before !== null && faults.take('page-repeats')
    ? { ...before, '@odata.nextLink': body['@odata.nextLink'] }
    : body;
}

/** A record that was on an earlier page changes, and another one leaves. */
function move({ store }: FeedContext, resource: string): void {
  if (resource !== 'Property') return;
  const [first, second] = store.rows(resource, 'ModificationTimestamp asc', null);
  if (first !== undefined) store.set('Property', first.key, { PublicRemarks: 'It has moved.' });
  if (second !== undefined) store.remove('Property', second.key);
}

function ruleProblem({ rules }: FeedContext, query: URLSearchParams): string | null {
  const filter = query.get('$filter') ?? '';
  if (rules === 'mls-grid') {
    if ((filter.match(/OriginatingSystemName eq '/g) ?? []).length !== 1)
      return 'the filter must have exactly one OriginatingSystemName';
    if ((filter.match(/ or /g) ?? []).length > 5) return 'the filter has more than five or';
    if (query.has('$orderby')) return 'no order';
  }
  if (rules === 'bridge' && (query.has('$orderby') || query.has('$count'))) return 'neither order nor count';
  return null;
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw new BadQuery(`${name} is no number`);
  return Number(text);
}
