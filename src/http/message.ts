/** What a route receives and returns. Nothing here depends on uWebSockets.js, tRPC or better-auth. */
import type { PublicError } from '../errors/errors.ts';
import type { RequestHeaders } from './request-headers.ts';

export interface HttpRequest {
  /** Id of this request in logs and in the `x-request-id` response header. */
  readonly id: string;
  /** As sent: upper case. */
  readonly method: string;
  /** Raw path, still percent-encoded, without the query. */
  readonly path: string;
  /** Raw path and query, as in the request line. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** Decoded path parameters; a trailing wildcard is under `*`, its segments decoded and joined with `/`. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: RequestHeaders;
  /** The client's address: of the socket, or of the hop before the last trusted proxy. */
  readonly remoteAddress: string;
  /** Aborted when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
  /**
   * Reserves room for an upload of this person before it is read. Rejects with `SERVICE_UNAVAILABLE` when no room
   * becomes free in time, or as `body` does.
   */
  letBodyIn(person: string): Promise<void>;
  /**
   * The whole body. Rejects with `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT` or `CLIENT_CLOSED_REQUEST`. An upload that
   * was not admitted rejects with `SERVICE_UNAVAILABLE` when it grows.
   */
  body(): Promise<Buffer>;
  /**
   * The body in chunks, read from the socket no faster than it is consumed; rejects as `body` does. Can be read
   * once.
   */
  bodyStream(): AsyncIterable<Buffer>;
}

export type HttpHeader = readonly [name: string, value: string];

export interface HttpResponse {
  readonly status: number;
  /** Repeated names are sent as repeated headers. The server sets framing headers; a route's own are dropped. */
  readonly headers: readonly HttpHeader[];
  /** A stream with a `content-length` header is sent with that length, one without in chunks. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  /** Aborted when what is left of a stream is not to be sent: the connection is closed. */
  readonly until?: AbortSignal;
  /** The error behind a 5xx response. It is reported and never sent. */
  readonly fault?: PublicError;
}

/** A request that was answered with 5xx. */
export interface HttpFault {
  readonly requestId: string;
  readonly method: string;
  /** The operation of a route that has several; the route's pattern otherwise. */
  readonly route: string;
  readonly headers: RequestHeaders;
  readonly error: PublicError;
}

/** An answer that is in memory whole. */
export type ReadyAnswer = HttpResponse & { readonly body: Uint8Array };

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Each has a share of the memory for bodies that the others cannot use (`body-budget.ts`). */
export type BodyKind = 'calls' | 'callbacks' | 'uploads';

export interface Route {
  /** `*` takes every method of `HTTP_METHODS`. A GET route answers HEAD too, unless another route does. */
  readonly methods: readonly HttpMethod[] | '*';
  /** Literal segments, `:name`, and at the end `*` for any number of segments. A trailing slash never matters. */
  readonly path: string;
  /** Largest body in bytes; the server's default when absent. */
  readonly bodyLimit?: number;
  /** Its share of the memory for bodies; `calls` when absent. An upload waits unread until it is admitted. */
  readonly bodyKind?: BodyKind;
  /** An error from the request line and headers alone, checked before the size and before any of the body is read. */
  readonly headFault?: (request: Pick<HttpRequest, 'id' | 'headers'>) => PublicError | null;
  /** How long the client may take to send the body, not counting the time we make it wait. */
  readonly bodyTimeoutMs?: number;
  /** How long the exchange may make no progress before it is ended. */
  readonly responseTimeoutMs?: number;
  /** How this route formats errors made outside its handler; the plain JSON shape when absent. */
  readonly errorResponse?: (error: PublicError, request: { readonly path: string }) => HttpResponse;
  /** Request headers that its answers depend on; each answer may name more. */
  readonly varies?: readonly string[];
  /** For machine callers with their own protection: neither the origin rule nor request limits apply. */
  readonly isUngated?: true;
  /** The operation, for a route that serves several. For traces; a name of ours, never the client's. */
  readonly operation?: (request: HttpRequest) => string | null;
  /** True for a request that only reads, although its method is that of a change. */
  readonly changesNothing?: (request: HttpRequest) => boolean;
  /**
   * True for a request that makes something less public or less permitted: its answer must not be forgotten
   * (`src/web/durable-answers.ts`).
   */
  readonly lessens?: (request: HttpRequest) => boolean;
  /**
   * The answer to a GET request when it is in memory and the same for everyone, or null. It is asked before
   * `handler`, and must give what that would. It is not asked where something else must happen for each request.
   */
  readonly ready?: ((request: Pick<HttpRequest, 'url' | 'headers'>) => ReadyAnswer | null) | undefined;
  readonly handler: (request: HttpRequest) => Promise<HttpResponse>;
}

/** The part of pino that the edge needs. Fields never hold headers, bodies or query strings. */
export interface HttpLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A JSON response. */
export function json(status: number, value: unknown, headers: readonly HttpHeader[] = []): HttpResponse {
  return {
    status,
    headers: [['content-type', 'application/json; charset=utf-8'], ...headers],
    body: JSON.stringify(value),
  };
}
