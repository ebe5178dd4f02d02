/**
 * Sends one call: one HTTP request, repeated only when the network failed (docs/contract.md#clients). An answer of any
 * status ends the call, but for the one that says that an earlier try of this call is still under way. What changes
 * something goes out with an `Idempotency-Key`, one for the call and all its tries, so that a try whose answer was lost
 * is not done twice.
 *
 * Always true: a repetition never goes out under another session than the first try, so that no call is repeated for a
 * person who signed in meanwhile. The wait ends at the time limit or with the signal, whichever is first; what the
 * server did by then is not known.
 */
import { apiErrorFrom, isSuccess, unexpectedAnswer } from './answer.ts';
import { ApiError, NetworkError, TimeoutError } from './errors.ts';
import type { Session, Ticket } from './session.ts';
import { pause, type RetryPolicy, retryDelay, type Timing } from './timing.ts';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For the whole call, repetitions included. */
  readonly timeoutMs?: number;
}

export interface Call {
  readonly method: TransportRequest['method'];
  /** From the base address on, with its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: Uint8Array;
  /** It changes something and may be sent again, so it carries a key by which the server recognizes it. */
  readonly isRepeatable?: true;
}

export interface SenderParts {
  /** Origin of the API host, without a trailing slash. */
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly session: Session;
  readonly timing: Timing;
  readonly retries: RetryPolicy;
  readonly timeoutMs: number;
}

export interface Sender {
  /**
   * Resolves with an answer of 2xx.
   * @throws ApiError, NetworkError, TimeoutError, or the signal's reason
   */
  send(call: Call, options?: CallOptions): Promise<TransportResponse>;
  /** The same for a call that signs in: the cookies of its success begin a new session. */
  signIn(call: Call, options?: CallOptions): Promise<TransportResponse>;
  /** The same with a ticket taken earlier, whose session may be over. Nothing of the answer is kept. */
  sendWith(ticket: Ticket, call: Call, options?: CallOptions): Promise<TransportResponse>;
}

interface Exchange {
  readonly call: Call;
  readonly key: string | null;
  readonly signal: AbortSignal;
  /** What to send a try with. */
  readonly ticket: () => Promise<Ticket>;
  /** Takes in an answer of any status. */
  readonly take: (ticket: Ticket, response: TransportResponse) => Promise<void>;
}

export function createSender(parts: SenderParts): Sender {
  const { session } = parts;
  const run = (options: CallOptions | undefined, exchange: Omit<Exchange, 'signal' | 'key'>) => {
    const key = exchange.call.isRepeatable === true ? newKey(parts.timing) : null;
    return withinTime(parts, options, (signal) => repeated(parts, { ...exchange, key, signal }));
  };
  const ticket = () => session.ticket();
  const hear: Exchange['take'] = (sentWith, response) => session.heard(sentWith, heardFrom(response));
  const begin: Exchange['take'] = async (sentWith, response) => {
    if (!isSuccess(response)) return hear(sentWith, response);
    if (!(await session.begin(heardFrom(response)))) throw unexpectedAnswer(response);
  };
  return {
    send: (call, options) => run(options, { call, ticket, take: hear }),
    signIn: (call, options) => run(options, { call, ticket, take: begin }),
    sendWith: (given, call, options) =>
      run(options, { call, ticket: async () => given, take: async () => {} }),
  };
}

async function repeated(parts: SenderParts, exchange: Exchange): Promise<TransportResponse> {
  const { transport, retries, timing } = parts;
  const { signal, take } = exchange;
  const first = await exchange.ticket();
  let ticket = first;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await transport.send(requestOf(parts, exchange, ticket));
      await take(ticket, response);
      if (!isSuccess(response)) throw apiErrorFrom(response);
      return response;
    } catch (error) {
      if (attempt > 1 && isUnderWay(error) && attempt < retries.attempts) {
        await pause(timing, retries.longestDelayMs, signal);
        continue;
      }
      if (!(error instanceof TransportError)) throw error;
      if (attempt >= retries.attempts) throw new NetworkError(attempt, { cause: error });
      await pause(timing, retryDelay(retries, { attempt, random: timing.random() }), signal);
      ticket = await exchange.ticket();
      if (ticket.session !== first.session) throw new NetworkError(attempt, { cause: error });
    }
  }
}

/** 36 digits, about as many as a UUID has, so that no two calls of one person share a key. */
const newKey = ({ random }: Timing): string =>
  Array.from({ length: 36 }, () => Math.floor(random() * 10)).join('');

/** The server still works on a try whose connection was lost. */
const isUnderWay = (error: unknown): boolean =>
  error instanceof ApiError && error.errorCode === 'IDEMPOTENCY_KEY_IN_FLIGHT';

function requestOf(
  { baseUrl }: SenderParts,
  { call, key, signal }: Exchange,
  ticket: Ticket,
): TransportRequest {
  const { method, path, contentType, body } = call;
  return {
    method,
    url: baseUrl + path,
    headers: {
      accept: 'application/json',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(ticket.cookieHeader === null ? {} : { cookie: ticket.cookieHeader }),
    },
    body: body ?? null,
    signal,
  };
}

function heardFrom({ status, headers }: TransportResponse) {
  return { status, setCookies: headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value) };
}

/** Gives up waiting when the time is over or the caller leaves, whatever the work does with the signal. */
async function withinTime<T>(
  parts: SenderParts,
  options: CallOptions | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs = parts.timeoutMs, signal: outer } = options ?? {};
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const callOff = parts.timing.after(timeoutMs, () => controller.abort(new TimeoutError(timeoutMs)));
  const leave = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', leave, { once: true });
  const givenUp = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(signal), givenUp]);
  } finally {
    callOff();
    outer?.removeEventListener('abort', leave);
  }
}
