/**
 * The headers of every answer. No browser may guess its type; pages of other sites may embed it only where its route says
 * so; and every answer has a cache header: without a declaration
 * of its route it is `no-store`, because it may contain data of one person. An answer that sets a cookie is always
 * `no-store`; otherwise a shared cache would give one person's session to the next.
 */
import type { HttpHeader, HttpResponse } from './message.ts';

const KEPT_BY_NOBODY = 'no-store';
const DECLARED_SO = /\bno-store\b/i;

const EMBEDDING = 'cross-origin-resource-policy';
/** For an answer that any site may embed: public pictures, icons, the code of a provenance page. */
export const FOR_EVERY_SITE: HttpHeader = [EMBEDDING, 'cross-origin'];

/**
 * The age of public answers with pictures: a process may answer with a copy of the last two seconds (answer-cache.ts,
 * rendering.ts), which count among the minute of the caches in front (docs/contract.md#caches).
 */
const AGE: HttpHeader = ['age', '2'];

const forAMinute = (caching: string): HttpHeader[] => [['cache-control', caching], AGE];
export const PICTURE_CACHING = forAMinute('public, max-age=60, must-revalidate');
/** For half a minute the page, and for another half the old page while the new one is fetched. */
export const PAGE_CACHING = forAMinute('public, max-age=30, stale-while-revalidate=30');

/**
 * The name under which caches find the answers that show a listing. Short, because a page of search names many in one
 * header; of two listings with equal names both are forgotten.
 */
export const surrogateKey = (propertyId: string): string => `listing-${propertyId.slice(-12)}`;

export const surrogateKeys = (propertyIds: readonly string[]): HttpHeader[] =>
  propertyIds.length === 0 ? [] : [['surrogate-key', propertyIds.map(surrogateKey).join(' ')]];

/** Other origins of our site call the API (`WEB_ORIGINS`); no other site needs the rest. */
const embeddingOf = (path: string): string => (path.startsWith('/api/') ? 'same-site' : 'same-origin');

/** @param varies request headers that the answer depends on, besides those that it names itself */
export function completed(
  response: HttpResponse,
  { varies, path }: { readonly varies: readonly string[]; readonly path: string },
): HttpResponse {
  const headers: HttpHeader[] = [];
  const names = new Map(varies.map((name) => [name.toLowerCase(), name]));
  let declared: string | null = null;
  let setsCookie = false;
  let saysEmbedding = false;
  for (const header of response.headers) {
    const name = header[0].toLowerCase();
    if (name === 'vary') {
      for (const one of header[1].split(',')) names.set(one.trim().toLowerCase(), one.trim());
    } else if (name === 'cache-control') {
      declared = header[1];
    } else {
      setsCookie ||= name === 'set-cookie';
      saysEmbedding ||= name === EMBEDDING;
      headers.push(header);
    }
  }
  const keeps = declared !== null && (!setsCookie || DECLARED_SO.test(declared)) ? declared : KEPT_BY_NOBODY;
  headers.push(['cache-control', keeps], ['x-content-type-options', 'nosniff']);
  if (!saysEmbedding) headers.push([EMBEDDING, embeddingOf(path)]);
  if (names.size > 0) headers.push(['vary', [...names.values()].join(', ')]);
  return { ...response, headers };
}
