/**
 * The headers of every answer. No browser may guess its type, and every answer has a cache header: without a declaration
 * of its route it is `no-store`, because it may contain data of one person. An answer that sets a cookie is always
 * `no-store`; otherwise a shared cache would give one person's session to the next.
 */
import type { HttpHeader, HttpResponse } from './message.ts';

const KEPT_BY_NOBODY = 'no-store';
const DECLARED_SO = /\bno-store\b/i;

/** @param varies request headers that the answer depends on, besides those that it names itself */
export function completed(response: HttpResponse, varies: readonly string[]): HttpResponse {
  const headers: HttpHeader[] = [];
  const names = new Map(varies.map((name) => [name.toLowerCase(), name]));
  let declared: string | null = null;
  let setsCookie = false;
  for (const header of response.headers) {
    const name = header[0].toLowerCase();
    if (name === 'vary') {
      for (const one of header[1].split(',')) names.set(one.trim().toLowerCase(), one.trim());
    } else if (name === 'cache-control') {
      declared = header[1];
    } else {
      setsCookie ||= name === 'set-cookie';
      headers.push(header);
    }
  }
  const keeps = declared !== null && (!setsCookie || DECLARED_SO.test(declared)) ? declared : KEPT_BY_NOBODY;
  headers.push(['cache-control', keeps], ['x-content-type-options', 'nosniff']);
  if (names.size > 0) headers.push(['vary', [...names.values()].join(', ')]);
  return { ...response, headers };
}
