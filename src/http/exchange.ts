/**
 * One request and its answer. It owns the uWebSockets.js response object from the handler's call until the answer
 * is sent or the client disconnects, and the abort signal of the route. Always true: at most one answer is sent;
 * details of an unexpected error stay in the process; the exchange ends at the latest after `responseTimeoutMs`
 * without progress. A crash of the process loses only the exchange.
 */
import { setImmediate } from 'node:timers/promises';
import { PublicError } from '../errors/errors.ts';
import type { BodyBudget } from './body-budget.ts';
import { completed } from './complete-answer.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { asPublicError, errorResponse, withFault } from './error-response.ts';
import type { HttpFault, HttpLogger, HttpRequest, HttpResponse, Route } from './message.ts';
import { RequestBody } from './request-body.ts';
import { isChunked, requestFault } from './request-guard.ts';
import { announcedLength, type RequestHead } from './request-head.ts';
import { discardBody, ResponseWriter } from './response-writer.ts';
import { Cancellation, RouteRequest } from './route-request.ts';
import type { RouteMatch } from './router.ts';
import type { UwsResponse } from './uws.ts';

export interface HttpLimits {
  /** Largest body of a route without its own limit, in bytes. */
  readonly bodyBytes: number;
  readonly bodyTimeoutMs: number;
  /** Within this time the client must send 64 KiB of its body, or the rest of it. */
  readonly bodyStallMs: number;
  readonly responseTimeoutMs: number;
}

/** The report of a finished exchange. */
export interface ExchangeReport {
  readonly method: string;
  /** The route's pattern, or `unmatched`. */
  readonly route: string;
  /** 499 when the client disconnected before the answer was sent. */
  readonly status: number;
  readonly seconds: number;
}

export interface ExchangeOptions {
  readonly id: string;
  readonly head: RequestHead;
  readonly match: RouteMatch;
  readonly limits: HttpLimits;
  readonly budget: BodyBudget;
  readonly logger: HttpLogger;
  /** Called once for a request that met a fault of ours or an outage. */
  readonly onFault: (fault: HttpFault) => void;
  readonly crossOrigin: CrossOrigin | null;
  /** True once the server is closing: connections end with their answer. */
  readonly isClosing: () => boolean;
}

/** After this status, the rest of the connection may not be a request, or is not worth waiting for. */
const CLOSING_STATUS = 408;
const CLIENT_LEFT_STATUS = 499;

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #route: Route | null;
  readonly #isChunked: boolean;
  readonly #writer: ResponseWriter;
  readonly #body: RequestBody;
  readonly #cancellation = new Cancellation();
  readonly #watchdog: NodeJS.Timeout;
  #request: HttpRequest | null = null;
  #gone = false;
  #expire: (() => void) | null = null;

  /** Attaches to the response object. Must be called inside the uWebSockets.js handler. */
  constructor(res: UwsResponse, options: ExchangeOptions) {
    this.#options = options;
    this.#route = options.match.kind === 'not-found' ? null : options.match.route;
    this.#isChunked = isChunked(options.head.headers);
    const progress = (): void => {
      if (!this.#gone) this.#watchdog.refresh();
    };
    this.#writer = new ResponseWriter(res, progress);
    this.#body = new RequestBody(res, {
      limit: this.#route?.bodyLimit ?? options.limits.bodyBytes,
      announced: this.#isChunked ? null : announcedLength(options.head.headers),
      timeoutMs: this.#route?.bodyTimeoutMs ?? options.limits.bodyTimeoutMs,
      stallMs: options.limits.bodyStallMs,
      budget: options.budget,
      kind: this.#route?.bodyKind ?? 'calls',
      address: options.head.remoteAddress,
      onProgress: progress,
    });
    this.#watchdog = setTimeout(
      () => this.#stoodStill(),
      this.#route?.responseTimeoutMs ?? options.limits.responseTimeoutMs,
    );
    res.onAborted(() => this.#clientLeft());
  }

  /** Answers the request; the first part runs inside the uWebSockets.js handler. Never rejects. */
  async run(): Promise<Omit<ExchangeReport, 'seconds'>> {
    let status = CLIENT_LEFT_STATUS;
    try {
      status = await this.#answer();
    } finally {
      this.#gone = true;
      clearTimeout(this.#watchdog);
    }
    return { method: this.#options.head.method, route: this.#route?.path ?? 'unmatched', status };
  }

  async #answer(): Promise<number> {
    const { head, match, crossOrigin } = this.#options;
    const takesChunks = match.kind === 'found' && (match.route.bodyKind ?? 'calls') !== 'calls';
    const fault = requestFault(head, { takesChunks });
    if (fault !== null) return this.#sendAsLast(this.#errorResponse(fault));
    const preflight = crossOrigin?.preflight(head) ?? null;
    if (preflight !== null) return this.#send(preflight);
    if (match.kind === 'not-found') return this.#send(this.#errorResponse(new PublicError('NOT_FOUND')));
    if (match.kind === 'method-not-allowed') {
      const response = this.#errorResponse(new PublicError('METHOD_NOT_ALLOWED'));
      const allow = ['allow', match.allow.join(', ')] as const;
      return this.#send({ ...response, headers: [...response.headers, allow] });
    }
    const rejected = this.#faultBeforeBody(match.route) ?? this.#body.start();
    if (rejected !== null) return this.#sendNext(this.#errorResponse(rejected));
    this.#request = this.#requestOf(match.params());
    const response = await this.#answerOf(match.route, this.#request);
    if (response.fault !== undefined) this.#report(response.fault);
    if (this.#gone) {
      discardBody(response);
      return CLIENT_LEFT_STATUS;
    }
    this.#body.discardRest();
    return this.#sendNext(response);
  }

  /** Nothing is served after a body in chunks, since the library may see its end elsewhere than a proxy in front. */
  #sendNext(response: HttpResponse): Promise<number> {
    return this.#isChunked
      ? this.#sendAsLast(response)
      : this.#send(response, response.status === CLOSING_STATUS);
  }

  /**
   * An answer inside the handler would make the library serve the next bytes of the same packet as a request, and those
   * may be a smuggled request. While this one is pending, any further bytes close the connection.
   */
  async #sendAsLast(response: HttpResponse): Promise<number> {
    await setImmediate();
    return this.#gone ? CLIENT_LEFT_STATUS : this.#send(response, true);
  }

  #faultBeforeBody(route: Route): PublicError | null {
    const { id, head, limits } = this.#options;
    const headFault = route.headFault?.({ id, headers: head.headers }) ?? null;
    if (headFault !== null) return headFault;
    const length = announcedLength(head.headers);
    const encoding = head.headers.get('content-encoding') ?? 'identity';
    // Bodies are never decompressed here, so none is larger than the bytes sent.
    if ((length > 0 || this.#isChunked) && encoding.trim().toLowerCase() !== 'identity')
      return new PublicError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'Send the body as it is: Content-Encoding is not taken here.',
      });
    return length > (route.bodyLimit ?? limits.bodyBytes) ? new PublicError('PAYLOAD_TOO_LARGE') : null;
  }

  #requestOf(params: Record<string, string>): HttpRequest {
    const { head, id } = this.#options;
    return new RouteRequest(id, head, { params, body: this.#body, cancellation: this.#cancellation });
  }

  /** The route's answer, or an error response when it throws or makes no progress. Never rejects. */
  #answerOf(route: Route, request: HttpRequest): Promise<HttpResponse> {
    return new Promise((resolve) => {
      let expired = false;
      this.#expire = () => {
        expired = true;
        resolve(this.#errorResponse(new PublicError('SERVICE_UNAVAILABLE')));
      };
      void this.#callHandler(route, request).then((response) => {
        if (expired) discardBody(response);
        else resolve(response);
      });
    });
  }

  async #callHandler(route: Route, request: HttpRequest): Promise<HttpResponse> {
    try {
      return await route.handler(request);
    } catch (error) {
      return this.#errorResponse(asPublicError(error));
    } finally {
      this.#body.release();
    }
  }

  /** Adds the headers for other origins and for caching. */
  #complete(response: HttpResponse): HttpResponse {
    const { crossOrigin, head } = this.#options;
    const origin = crossOrigin?.headersFor(head.headers) ?? [];
    const whole = origin.length === 0 ? response : { ...response, headers: [...response.headers, ...origin] };
    return completed(whole, { varies: this.#route?.varies ?? [], path: head.path });
  }

  #errorResponse(error: PublicError): HttpResponse {
    const { path } = this.#options.head;
    return withFault(this.#route?.errorResponse?.(error, { path }) ?? errorResponse(error), error);
  }

  async #send(bare: HttpResponse, close = false): Promise<number> {
    const { id, head, isClosing } = this.#options;
    const response = this.#complete(bare);
    const options = { headOnly: head.method === 'HEAD', close: close || isClosing(), requestId: id };
    // Before the head is sent, the stream fails by itself and an error is answered.
    const cut = () => {
      if (this.#writer.headSent) this.#writer.destroy();
    };
    bare.until?.addEventListener('abort', cut);
    try {
      return (await this.#writer.send(response, options)) ? response.status : CLIENT_LEFT_STATUS;
    } catch (error) {
      const shown = new PublicError('INTERNAL_ERROR', { cause: error });
      this.#report(shown);
      if (!this.#writer.headSent) {
        await this.#writer.send(this.#complete(this.#errorResponse(shown)), options);
        return shown.httpStatus;
      }
      this.#writer.destroy();
      return CLIENT_LEFT_STATUS;
    } finally {
      bare.until?.removeEventListener('abort', cut);
    }
  }

  #stoodStill(): void {
    const { id, logger } = this.#options;
    logger.warn({ requestId: id, route: this.#route?.path }, 'request gave no answer in time');
    this.#cancellation.abort(
      new PublicError('SERVICE_UNAVAILABLE', { message: 'The request ran out of time.' }),
    );
    if (this.#writer.headSent) this.#writer.destroy();
    else this.#expire?.();
    // A second time, for a client that does not read the error response either.
    if (!this.#gone) this.#watchdog.refresh();
  }

  #clientLeft(): void {
    this.#gone = true;
    const reason = new PublicError('CLIENT_CLOSED_REQUEST');
    this.#writer.markGone();
    this.#body.abandon(reason);
    this.#cancellation.abort(reason);
  }

  /** Not after the client has left or the time is up: what fails then fails because of that. */
  #report(error: PublicError): void {
    const { id, head, onFault } = this.#options;
    if (this.#gone || this.#cancellation.isAborted) return;
    const { method, headers } = head;
    const operation = this.#request === null ? null : this.#route?.operation?.(this.#request);
    onFault({
      requestId: id,
      method,
      route: operation ?? this.#route?.path ?? 'unmatched',
      headers,
      error,
    });
  }
}
