/**
 * Rejects requests that uWebSockets.js lets through. Seen with its parser: two Content-Length headers (it takes the
 * first), an empty Content-Length (it takes 0), any Transfer-Encoding value (it takes chunked), a repeated or empty
 * Host, DEL and bytes above ASCII in the path, `%zz`. It also reads chunks loosely: it skips two bytes after each
 * chunk, whatever they are, so that after `0\r\nX:` the rest of a trailer is served as the next request. With each of
 * these, a proxy in front and this server may disagree about where a request ends or what it names, so the request is
 * rejected and the connection closed. No option makes the parser strict with chunks, so they are taken only where servers
 * and simple clients need them (callbacks and uploads), and nothing behind them is served: the connection ends.
 * (The parser itself closes on a missing Host, Content-Length with Transfer-Encoding, and control characters or
 * spaces in the path.) A head that is too large is rejected here too, so that the answer is ours: beyond its own limits
 * (64 KiB, 98 headers) the parser answers with a page that is not JSON.
 */
import { PublicError } from '../errors/errors.ts';
import type { RequestHead } from './request-head.ts';
import type { RequestHeaders } from './request-headers.ts';

/** Limit of the request line and all headers together: as much as proxies pass on. */
export const MAX_HEAD_BYTES = 16_384;
export const MAX_HEADERS = 90;

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;
const DIGITS = /^\d{1,15}$/;
const CONTROL_CHARACTER = /\p{Cc}/u;

const malformed = (message: string): PublicError => new PublicError('BAD_REQUEST', { message });

/** Whether the body comes in chunks, so that its length is known only at its end. */
export const isChunked = (headers: RequestHeaders): boolean => headers.has('transfer-encoding');

function framingFault(headers: RequestHeaders, takesChunks: boolean): PublicError | null {
  if (isChunked(headers)) {
    const isPlain = headers.get('transfer-encoding')?.toLowerCase() === 'chunked';
    if (!takesChunks) return new PublicError('LENGTH_REQUIRED');
    if (!isPlain || headers.isRepeated('transfer-encoding'))
      return malformed('Send one Transfer-Encoding header, and no other encoding than chunked.');
  }
  const length = headers.get('content-length');
  if (headers.isRepeated('content-length')) return malformed('Send one Content-Length header, not several.');
  if (length !== undefined && !DIGITS.test(length))
    return malformed('Content-Length must be a number of bytes.');
  return null;
}

/** The last host that was accepted: nearly all requests name the same one, and reading a URL takes long. */
let acceptedHost = '';

function hostFault(headers: RequestHeaders): PublicError | null {
  const host = headers.get('host') ?? '';
  if (host === '' || headers.isRepeated('host')) return malformed('Send exactly one Host header.');
  if (host === acceptedHost) return null;
  if (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}/`)) {
    return malformed('Invalid URL: the Host header does not name a host.');
  }
  acceptedHost = host;
  return null;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** @param path of printable ASCII characters */
function pathFault(path: string): PublicError | null {
  if (!path.includes('%')) return null;
  const text = decoded(path);
  if (text === null) return malformed('Invalid URL-encoding in the path. Write % as %25.');
  if (CONTROL_CHARACTER.test(text)) return malformed('Control characters are not allowed in the path.');
  return null;
}

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** A query is read leniently (a bare `%` stands for itself), but bytes that are not UTF-8 would be replaced. */
function queryFault(query: string): PublicError | null {
  if (!query.includes('%') || decoded(query) !== null) return null;
  if (query.match(ESCAPES)?.every((escaped) => decoded(escaped) !== null) !== false) return null;
  return malformed('The query is not valid UTF-8. Write each character as its UTF-8 bytes.');
}

/**
 * The error for a request's line and headers, or null when they are valid.
 * @param takesChunks whether a body may come in chunks here
 */
export function requestFault(
  request: Pick<RequestHead, 'path' | 'query' | 'url' | 'headers' | 'size'>,
  { takesChunks = false } = {},
): PublicError | null {
  const { bytes, headers } = request.size;
  if (bytes > MAX_HEAD_BYTES || headers > MAX_HEADERS) return new PublicError('REQUEST_HEAD_TOO_LARGE');
  if (!PRINTABLE_ASCII.test(request.url) || request.url.includes('#')) {
    return malformed('The request line holds characters that must be percent-encoded.');
  }
  return (
    pathFault(request.path) ??
    queryFault(request.query) ??
    hostFault(request.headers) ??
    framingFault(request.headers, takesChunks)
  );
}
