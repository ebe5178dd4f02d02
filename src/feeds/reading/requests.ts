import { KEY_FIELDS } from '../profiles/profile-schema.ts';
import { FeedError, type FeedSource } from './feed-reading.ts';

/** A request as it is planned: pure data, without the token. */
export interface PlannedRequest {
  readonly url: URL;
  /** Records of a page, as a header. */
  readonly maxPage?: number;
  /** One record by its key: 404 is an answer. */
  readonly single?: true;
  /** The address is a link of the feed: a refusal means that it has expired. */
  readonly isLink?: true;
}

export const TIME_FIELD = 'ModificationTimestamp';

export interface Query {
  readonly filters?: readonly (string | null)[];
  readonly select?: readonly string[];
  readonly orderBy?: readonly string[];
  readonly top?: number;
  readonly skip?: number;
  readonly count?: boolean;
  readonly expand?: boolean;
}

/** A string in an expression. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The key's field of a resource. @throws FeedError for a resource that is not read */
export function keyField(resource: string): string {
  const field = (KEY_FIELDS as Readonly<Record<string, string>>)[resource];
  if (field === undefined) throw new FeedError('BROKEN_ANSWER', 'a record of a resource that is not read');
  return field;
}

/** The address of a resource's rows. Spaces as `%20`, which every server understands. */
export function rowsUrl(source: FeedSource, resource: string, query: Query): URL {
  const { path } = source.profile.replication;
  // Events and media have no address of their own for replication.
  const own = resource === 'EntityEvent' || resource === 'Media' ? '{resource}' : path;
  const url = new URL(own.replaceAll('{resource}', resource), rootOf(source));
  const parts: [string, string][] = [];
  const filters = [source.filter, ...(query.filters ?? [])].filter((part) => part !== null && part !== '');
  // Events have no field of the feed's filter.
  const used = resource === 'EntityEvent' ? (query.filters ?? []).filter((part) => part !== null) : filters;
  if (used.length === 1) parts.push(['$filter', used[0] as string]);
  if (used.length > 1) parts.push(['$filter', used.map((part) => `(${part})`).join(' and ')]);
  if (query.select !== undefined) parts.push(['$select', query.select.join(',')]);
  if (query.orderBy !== undefined && query.orderBy.length > 0)
    parts.push(['$orderby', query.orderBy.join(',')]);
  if (query.top !== undefined) parts.push(['$top', String(query.top)]);
  if (query.skip !== undefined && query.skip > 0) parts.push(['$skip', String(query.skip)]);
  if (query.count === true) parts.push(['$count', 'true']);
  if (query.expand === true && expands(source, resource)) parts.push(['$expand', 'Media']);
  url.search = parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return url;
}

/** The address of one record. */
export function recordUrl(source: FeedSource, resource: string, key: string): URL {
  const url = new URL(`${resource}(${encodeURIComponent(literal(key))})`, rootOf(source));
  if (expands(source, resource)) url.search = '$expand=Media';
  return url;
}

/**
 * The address that a link means. It stays below the feed's root: the token is sent with it.
 * @throws FeedError for a link that leads elsewhere
 */
export function linkUrl(source: FeedSource, link: string, from: URL): URL {
  const url = URL.parse(link, from.href);
  const root = rootOf(source);
  const isBelow = url !== null && url.origin === root.origin && url.pathname.startsWith(root.pathname);
  if (!isBelow || url.href.length > MOST_LINK || url.username !== '')
    throw new FeedError('BROKEN_ANSWER', 'the link to the next page leads out of the feed');
  url.hash = '';
  return url;
}

const MOST_LINK = 4_000;

/** The service root, with a slash at its end. */
export function rootOf(source: FeedSource): URL {
  const url = URL.parse(source.baseUrl);
  if (url === null) throw new FeedError('REFUSED', 'the base address of the feed is no address');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

const expands = ({ profile }: FeedSource, resource: string): boolean =>
  resource === 'Property' && profile.media.expands;
