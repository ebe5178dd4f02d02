import type { Agent, Dispatcher } from 'undici';
import { loadedOnce } from '../loaded-once.ts';
import { limitTime } from '../time.ts';

/**
 * One call to the provider's API, sent once: no retries, no redirects, limits on time and bytes. The token is sent
 * to the API origin only. Source: docs/contract.md#output-checks, docs/provider.md#replicates-predictions-api.
 */
export interface ProviderCall {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** Absent for a create, which must not be aborted. */
  signal?: AbortSignal;
  /** Asked when the request is about to be written; false: it is not. */
  mayBegin?(): boolean;
  /** A longer body is not read; the default is a few megabytes. */
  maxBodyBytes?: number;
}
export interface ProviderAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The provider's clock (`Date`), in milliseconds since 1970; absent without that header. */
  at?: number;
  /** Parsed JSON; undefined when the body was not JSON or was longer than the limit. */
  body: unknown;
}

/** A prediction is a few kilobytes; a list page of a hundred fits easily. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

export type ProviderHttp = ReturnType<typeof createProviderHttp>;

/** The request could not be written: nothing was bought. */
export class NeverSentError extends Error {
  override readonly name = 'NeverSentError';
}

/** `mayBegin` returned false: nothing was sent. */
export class WithheldError extends Error {
  override readonly name = 'WithheldError';
}

export function createProviderHttp({ baseUrl, apiToken }: { baseUrl: string; apiToken: string }) {
  // Creates use a new connection each. When the provider has just closed a kept-alive socket, the request fails
  // after it was written, and that cannot be distinguished from a lost answer.
  const client = loadedOnce(async () => {
    const { Agent, request } = await import('undici');
    const newAgent = (): Agent => new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, pipelining: 0 });
    return { request, reads: newAgent(), creates: newAgent() };
  });
  let isClosed = false;
  return {
    /** @throws NeverSentError, WithheldError; after any other error the request may have arrived */
    async call(call: ProviderCall): Promise<ProviderAnswer> {
      const { method, path, body, headers, timeoutMs, signal, maxBodyBytes = MAX_BODY_BYTES } = call;
      const limit = limitTime(timeoutMs, signal);
      try {
        if (isClosed) throw new NeverSentError('no call starts after the close');
        const { request, reads, creates } = await client();
        const answer = await request(addressOf(path, baseUrl), {
          method,
          dispatcher: signal ? reads : creates.compose(askingFirst(call.mayBegin)),
          signal: limit.signal,
          headers: {
            authorization: `Bearer ${apiToken}`,
            accept: 'application/json',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const retryAfter = answer.headers['retry-after'];
        const at = Date.parse(String(answer.headers.date));
        return {
          ...(Number.isNaN(at) ? {} : { at }),
          status: answer.statusCode,
          retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
          body: await readJson(answer.body, maxBodyBytes),
        };
      } catch (error) {
        throw neverSent(error)
          ? new NeverSentError('the provider could not be reached', { cause: error })
          : error;
      } finally {
        limit.release();
      }
    },
    /** Starts no more calls and aborts those in flight that have a signal. A create runs to its end. */
    async close(): Promise<void> {
      isClosed = true;
      const opened = await client.loaded();
      if (opened === undefined) return;
      if (!opened.creates.closed) void opened.creates.close();
      await opened.reads.destroy();
    },
  };
}

/** Between the call and the first byte a connection is made, which takes up to ten seconds. */
function askingFirst(mayBegin = () => true): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (mayBegin()) start?.(controller, context);
      else controller.abort(new WithheldError('it may not begin any more'));
    };
    return dispatch(options, handler);
  };
}

/** A path may come from an answer, and `//host/x` names another host: the token never leaves the API origin. */
function addressOf(path: string, baseUrl: string): URL {
  const address = new URL(path, baseUrl);
  if (address.origin !== new URL(baseUrl).origin) throw new Error('the path leads to another origin');
  return address;
}

async function readJson(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // Not JSON: the caller decides by the status alone.
    return undefined;
  }
}

const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  // Our own error after the close; calls in flight at that time do not get it.
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Only failures that can occur solely before the request is written. */
function neverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && BEFORE_SENDING.has(String(error.code))) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverSent);
  return neverSent(error.cause);
}
