import { resourcesOf } from '../../persistence/reso/resources/all.ts';
import type { PublicCaller, PublicReads } from '../api/services.ts';
import { found } from '../errors/found.ts';
import type { HttpHeader, HttpRequest, HttpResponse, Route } from '../http/message.ts';
import type { FeedAccess } from './access.ts';
import { odata, odataError, odataText, readFault, refusal } from './answers.ts';
import {
  type Feed,
  keyCondition,
  type Loaded,
  loadCollection,
  loadCount,
  loadRecord,
  type Preferences,
} from './feed.ts';
import { metadataOf } from './metadata.ts';

/**
 * `GET /reso/odata` (docs/feeds.md): listings that were made here, for RESO's clients. It only reads. Pages come from a standby where
 * there is one; a single record always from the primary, because a consumer that fetches what an event named must never
 * see an older state of it.
 */
export interface FeedRoutesOptions {
  readonly access: FeedAccess;
  readonly publicBaseUrl: string;
  readonly siteName: string;
  publicReads(caller: PublicCaller): Promise<PublicReads>;
  primaryReads(caller: PublicCaller): PublicReads;
  publicQuery<D, A>(caller: PublicCaller, load: () => Promise<D>, write: (data: D) => A): Promise<A>;
}

const ROOT = '/reso/odata';
const VERSIONS = new Set(['4.0', '4.01']);
const ANSWER_MS = 30_000;
const KEYED = /^(\w{1,64})\((.{1,700})\)$/;

/** 400 for a version that is not served. A client that takes newer ones gets ours. */
function requireVersion({ headers }: Pick<HttpRequest, 'headers'>): void {
  const version = headers.get('odata-version');
  if (version !== undefined && !VERSIONS.has(version))
    throw refusal('OData 4.0 and 4.01 are served.', 'OData-Version');
  const most = headers.get('odata-maxversion');
  if (most !== undefined && !(Number(most) >= 4))
    throw refusal('OData 4.0 and 4.01 are served.', 'OData-MaxVersion');
}

function preferencesOf({ headers }: Pick<HttpRequest, 'headers'>): Preferences & { applied: HttpHeader[] } {
  const given = (headers.get('prefer') ?? '').split(',').map((part) => part.trim().toLowerCase());
  const size = given.map((part) => /^(?:odata\.)?maxpagesize="?(\d{1,9})"?$/.exec(part)?.[1]).find(Boolean);
  const pageSize = size === undefined || Number(size) === 0 ? null : Number(size);
  const omitsNulls = given.some((part) => /^omit-values="?nulls"?$/.test(part));
  const applied = [
    ...(pageSize === null ? [] : [`odata.maxpagesize=${pageSize}`]),
    ...(omitsNulls ? ['omit-values=nulls'] : []),
  ];
  return {
    pageSize,
    omitsNulls,
    applied: applied.length === 0 ? [] : [['preference-applied', applied.join(', ')]],
  };
}

export function feedRoutes(options: FeedRoutesOptions): Route[] {
  const { access, publicBaseUrl, siteName, publicReads, primaryReads, publicQuery } = options;
  const feed: Feed = {
    root: `${publicBaseUrl}${ROOT}`,
    resources: resourcesOf({ origin: publicBaseUrl, name: siteName }),
  };
  const metadata = metadataOf(feed.resources);
  const service = {
    '@odata.context': `${feed.root}/$metadata`,
    value: [...feed.resources.keys()].map((name) => ({ name, kind: 'EntitySet', url: name })),
  };

  /** The part of the address behind the root, decoded, without a slash at its end. */
  const answer = async (request: HttpRequest, path: string): Promise<HttpResponse> => {
    if (path === '') return odata(service);
    if (path === '$metadata') return odataText('application/xml; charset=utf-8', metadata);
    const { clientId } = await access.admit(request);
    const caller: PublicCaller = { user: { id: clientId }, request };
    const { applied, ...preferences } = preferencesOf(request);
    const { query } = request;
    const send = (loaded: Loaded) => odata(loaded.write(), applied);
    const [, counted] = /^(\w{1,64})\/\$count$/.exec(path) ?? [];
    if (counted !== undefined) {
      const resource = found(feed.resources.get(counted) ?? null);
      const { reader } = await publicReads(caller);
      const write = (count: number) => odataText('text/plain; charset=utf-8', String(count));
      return publicQuery(caller, () => loadCount(reader, resource, query), write);
    }
    const [, name, keyText] = KEYED.exec(path) ?? [];
    if (name === undefined || keyText === undefined) {
      const resource = found(feed.resources.get(path) ?? null);
      const { reader } = await publicReads(caller);
      return publicQuery(caller, () => loadCollection(feed, reader, { resource, query, preferences }), send);
    }
    const resource = found(feed.resources.get(name) ?? null);
    const key = keyCondition(resource, keyText);
    if (key === null) throw refusal("A key is written as Property('…').");
    const { reader } = primaryReads(caller);
    const load = async () => found(await loadRecord(feed, reader, { resource, key, query, preferences }));
    return publicQuery(caller, load, send);
  };
  const handler = async (request: HttpRequest): Promise<HttpResponse> => {
    requireVersion(request);
    const path = decodeURIComponent(request.path.slice(ROOT.length)).replace(/^\/+|\/+$/g, '');
    try {
      // The frame is no one's secret, but a wrong token is refused on it too.
      if (request.headers.has('authorization') && (path === '' || path === '$metadata'))
        await access.admit(request);
      return await answer(request, path);
    } catch (error) {
      throw readFault(error);
    }
  };
  const common = {
    methods: ['GET'],
    bodyLimit: 1024,
    responseTimeoutMs: ANSWER_MS,
    errorResponse: odataError,
    handler,
  } as const;
  return [
    { ...common, path: ROOT },
    { ...common, path: `${ROOT}/*` },
  ];
}
