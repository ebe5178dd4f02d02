/**
 * Response headers as bytes on the wire. uWebSockets.js writes whatever it is given, line breaks included, so names and
 * values are checked here; and it frames messages itself, so framing headers of the routes are dropped.
 */
import type { HttpResponse } from './message.ts';

export type EncodedHeader = readonly [name: string, value: string | Uint8Array];

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SENDABLE_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const ASCII = /^[\t\x20-\x7e]*$/;

function encoded(name: string, value: string): EncodedHeader {
  if (!TOKEN.test(name)) throw new Error('A response header has a name that cannot be sent');
  if (!SENDABLE_VALUE.test(value))
    throw new Error(`The response header ${name} has a value that cannot be sent`);
  return [name, ASCII.test(value) ? value : Buffer.from(value, 'latin1')];
}

/** The headers to write, in order. Throws on names and values that would break the message. */
export function encodedHeaders({ headers }: Pick<HttpResponse, 'headers'>): EncodedHeader[] {
  return headers
    .filter(([name]) => !FRAMING.has(name.toLowerCase()))
    .map(([name, value]) => encoded(name, value));
}

/** The length that a route announces for a stream, or null. */
export function declaredLength(response: HttpResponse): number | null {
  const header = response.headers.find(([name]) => name.toLowerCase() === 'content-length');
  return header !== undefined && /^\d{1,15}$/.test(header[1]) ? Number(header[1]) : null;
}
