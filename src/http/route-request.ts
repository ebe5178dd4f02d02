import type { HttpRequest } from './message.ts';
import type { RequestBody } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

/** The abort of one request. Its signal is made when a route first asks for it: most never do. */
export class Cancellation {
  #controller: AbortController | null = null;
  #reason: Error | null = null;

  get isAborted(): boolean {
    return this.#reason !== null;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== null) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}

/**
 * What a route is given. A class with methods, not an object with getters and functions of its own: those survive V8's
 * quick collections, with all that they refer to.
 */
export class RouteRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: HttpRequest['headers'];
  readonly remoteAddress: string;
  readonly params: HttpRequest['params'];
  readonly #body: RequestBody;
  readonly #queryText: string;
  readonly #cancellation: Cancellation;
  #query: URLSearchParams | null = null;

  constructor(
    id: string,
    head: RequestHead,
    given: {
      readonly params: HttpRequest['params'];
      readonly body: RequestBody;
      readonly cancellation: Cancellation;
    },
  ) {
    const { params, body, cancellation } = given;
    this.id = id;
    this.method = head.method;
    this.path = head.path;
    this.url = head.url;
    this.headers = head.headers;
    this.remoteAddress = head.remoteAddress;
    this.params = params;
    this.#body = body;
    this.#queryText = head.query;
    this.#cancellation = cancellation;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#queryText);
    return this.#query;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  body(): Promise<Buffer> {
    return this.#body.read();
  }

  bodyStream(): AsyncIterable<Buffer> {
    return this.#body.stream();
  }

  letBodyIn(person: string): Promise<void> {
    return this.#body.letIn(person);
  }
}
