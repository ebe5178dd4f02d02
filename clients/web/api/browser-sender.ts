/**
 * Sends calls from a browser (docs/contract.md#clients): one request per call; the cookies are the browser's own; only a
 * failed network is tried again; an answer of any status ends the call; any 401 ends the session here. What changes
 * something carries an `Idempotency-Key`, the same for all tries of a call. Each names the person whose page it is.
 */
import { apiErrorFrom, isSuccess } from '../../typescript/answer.ts';
import { NetworkError, TimeoutError } from '../../typescript/errors.ts';
import type { Call, CallOptions } from '../../typescript/sender.ts';
import { pause, type RetryPolicy, retryDelay, type Timing } from '../../typescript/timing.ts';
import type { TransportResponse } from '../../typescript/transport.ts';
import { isOfOther } from './failures.ts';

export interface BrowserSenderOptions {
  /** The browser's `fetch`. */
  readonly fetch: typeof fetch;
  readonly timing: Timing;
  readonly retries: RetryPolicy;
  readonly newKey: () => string;
  /** Whose page it is: an id, null for no one, undefined while that is not known. */
  readonly person: () => string | null | undefined;
  /** Called when a call was refused because another person is signed in now. */
  readonly onPersonChanged: () => void;
  /** Called with every 401. */
  readonly onUnauthorized: () => void;
  /** Called when all tries have failed, and with the first answer of any status. */
  readonly onReachable: (isReachable: boolean) => void;
}

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;
/** A browser keeps at most 64 KiB alive in all; in bytes. */
const MOST_KEPT_ALIVE = 16_000;

export function createBrowserSender(options: BrowserSenderOptions) {
  /** What an answer means for the page; for requests that other code has sent too. @throws ApiError unless it is 2xx */
  const settled = (response: TransportResponse): TransportResponse => {
    options.onReachable(true);
    if (response.status === UNAUTHORIZED) options.onUnauthorized();
    if (isSuccess(response)) return response;
    const error = apiErrorFrom(response);
    if (isOfOther(error)) options.onPersonChanged();
    throw error;
  };
  return {
    settled,
    /** Tells the page that a request did not reach the server; for those that other code has sent too. */
    unreachable: () => options.onReachable(false),
    /**
     * Resolves with an answer of 2xx.
     * @throws ApiError, NetworkError, TimeoutError, or the signal's reason
     */
    async send(call: Call, { signal, timeoutMs = TIMEOUT_MS }: CallOptions = {}): Promise<TransportResponse> {
      const limit = new AbortController();
      const leave = () => limit.abort(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted) leave();
      const callOff = options.timing.after(timeoutMs, () => limit.abort(new TimeoutError(timeoutMs)));
      try {
        return settled(await tried(options, call, limit.signal));
      } finally {
        callOff();
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}

export type BrowserSender = ReturnType<typeof createBrowserSender>;

async function tried(
  options: BrowserSenderOptions,
  call: Call,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { retries, timing } = options;
  const headers = {
    ...personHeader(options.person()),
    ...(call.isRepeatable === true ? { 'idempotency-key': options.newKey() } : {}),
  };
  const request = requestOf(call, headers, signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await options.fetch(call.path, request);
      return {
        status: response.status,
        headers: [...response.headers],
        body: new Uint8Array(await response.arrayBuffer()),
      };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (attempt >= retries.attempts) {
        options.onReachable(false);
        throw new NetworkError(attempt, { cause: error });
      }
      await pause(timing, retryDelay(retries, { attempt, random: timing.random() }), signal);
    }
  }
}

/** Names the person whose page asks; the question who that is names no one. */
export const personHeader = (person: string | null | undefined): Readonly<Record<string, string>> =>
  person === undefined ? {} : { 'x-person': person ?? 'none' };

function requestOf(call: Call, own: Readonly<Record<string, string>>, signal: AbortSignal): RequestInit {
  return {
    method: call.method,
    headers: {
      accept: 'application/json',
      ...(call.contentType === undefined ? {} : { 'content-type': call.contentType }),
      ...own,
    },
    body: (call.body as RequestInit['body']) ?? null,
    credentials: 'same-origin',
    // The API redirects nothing. Its answer would be that of another address: a failure, and no reason to try again.
    redirect: 'manual',
    // What a person has typed arrives though the page is left at once.
    keepalive: call.isRepeatable === true && (call.body?.length ?? 0) <= MOST_KEPT_ALIVE,
    signal,
  };
}
