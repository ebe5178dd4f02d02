/** Converts between our requests and responses and those of the Fetch API, which better-auth and tRPC use. */
import { refuseOtherThanUtf8 } from './body-text.ts';
import type { HttpHeader, HttpRequest, HttpResponse } from './message.ts';

/** A header value as Fetch takes it: one character per byte that was sent. */
const byteString = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/**
 * The request's headers, with `x-forwarded-for` set to the client's address: better-auth's rate limits and sessions
 * read it (docs/provider.md#better-auth). The client's own value was removed before.
 */
function toWebHeaders(request: HttpRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of request.headers) headers.set(name, byteString(value));
  headers.set('x-forwarded-for', request.remoteAddress);
  return headers;
}

/** The request's headers for callers that read one of them, by its name in lower case. */
export function readableHeaders({ headers }: HttpRequest): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers.get(name);
      return value === undefined ? null : byteString(value);
    },
  };
}

/**
 * A Fetch request with the same method, URL, headers, body and signal. The body is read completely first, as text;
 * rejects as `bodyText` does. GET and HEAD have no body.
 * @param origin of the URL, such as `PUBLIC_BASE_URL`
 */
export async function toWebRequest(request: HttpRequest, origin: string): Promise<Request> {
  const { method, signal } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await request.body() : null;
  if (body !== null) refuseOtherThanUtf8(body);
  return new Request(origin.replace(/\/+$/, '') + request.url, {
    method,
    headers: toWebHeaders(request),
    body: body === null || body.length === 0 ? null : new Uint8Array(body),
    signal,
  });
}

function headersOf(response: Response): HttpHeader[] {
  const headers: HttpHeader[] = [];
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') headers.push([name, value]);
  }
  // Depending on its version, Fetch joins or repeats cookies while iterating; this list has each of them once.
  for (const cookie of response.headers.getSetCookie()) headers.push(['set-cookie', cookie]);
  return headers;
}

/**
 * JSON and text are complete when the response is made. They are read completely and get a length; the rest is
 * streamed.
 */
function isWhole(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return /^(?:application\/json|text\/(?!event-stream))/i.test(type);
}

/** The Fetch response as ours, with a separate header for each `set-cookie`. */
export async function fromWebResponse(response: Response): Promise<HttpResponse> {
  const { status, body } = response;
  const headers = headersOf(response);
  if (body === null) return { status, headers, body: null };
  if (isWhole(response)) return { status, headers, body: new Uint8Array(await response.arrayBuffer()) };
  return { status, headers, body };
}
