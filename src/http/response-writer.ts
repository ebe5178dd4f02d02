/**
 * Writes one response to one uWebSockets.js response object. The object may be used only until the answer is
 * complete or the client disconnects; after that it throws. `#over` records this, and every use goes through
 * `#cork`, which checks it (a cork on an aborted response is the known race). Streams are read only as fast as the
 * client reads: the next chunk is read when the socket has taken the previous one. When the client disconnects, the
 * stream is canceled.
 */
import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from './message.ts';
import { declaredLength, type EncodedHeader, encodedHeaders } from './response-headers.ts';
import type { UwsResponse } from './uws.ts';

export interface SendOptions {
  /** True for HEAD: everything but the body. */
  readonly headOnly: boolean;
  /** Close the connection after this response. */
  readonly close: boolean;
  readonly requestId: string;
}

type Pieces = AsyncIterator<Uint8Array>;

interface Head {
  readonly status: number;
  readonly headers: readonly EncodedHeader[];
}

/** Larger bodies are written in chunks as the socket takes them, so that they are not copied whole. */
const SINGLE_WRITE_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;
/**
 * In chunked mode the library buffers what the socket did not take, without reporting how much. Under
 * back-pressure, pieces are therefore small: less than any socket frees at once, so that the buffer shrinks until a
 * write succeeds.
 */
const PROBE_BYTES = 1024;

const BODYLESS_STATUS: ReadonlySet<number> = new Set([204, 304]);
const EMPTY = Buffer.alloc(0);
const GONE = Symbol('gone');

const isStream = (body: HttpResponse['body']): body is AsyncIterable<Uint8Array> =>
  body !== null && typeof body === 'object' && Symbol.asyncIterator in body;

/** Cancels a stream whose rest will not be read. No caller is left who could handle a failure to cancel. */
function stop(pieces: Pieces): void {
  void Promise.resolve(pieces.return?.()).catch(() => undefined);
}

/** Releases the body of a response that will not be sent. */
export function discardBody(response: HttpResponse): void {
  if (isStream(response.body)) stop(response.body[Symbol.asyncIterator]());
}

export class ResponseWriter {
  readonly #res: UwsResponse;
  readonly #onProgress: () => void;
  #over = false;
  #headSent = false;
  #wakeWritable: (() => void) | null = null;
  #wakeGone: (() => void) | null = null;

  constructor(res: UwsResponse, onProgress: () => void) {
    this.#res = res;
    this.#onProgress = onProgress;
  }

  /** True once the status line is sent: a later failure can only close the connection. */
  get headSent(): boolean {
    return this.#headSent;
  }

  /** Called from `onAborted`: the object must not be used any more. */
  markGone(): void {
    this.#over = true;
    this.#wakeGone?.();
    this.#wakeWritable?.();
  }

  /** Closes the connection without an answer. `onAborted` runs inside. */
  destroy(): void {
    if (!this.#over) this.#res.close();
  }

  /**
   * Sends the response; false when the client disconnected first. Rejects when its headers are invalid or its
   * stream fails; check `headSent` then.
   */
  async send(response: HttpResponse, { headOnly, close, requestId }: SendOptions): Promise<boolean> {
    const { status, body } = response;
    const head: Head = { status, headers: [...encodedHeaders(response), ['x-request-id', requestId]] };
    const length = declaredLength(response);
    const isBodyless = BODYLESS_STATUS.has(status);
    if (isStream(body)) {
      if (!headOnly && !isBodyless) return this.#sendStream(head, body[Symbol.asyncIterator](), length);
      discardBody(response);
      return this.#sendHead(head, { length, close });
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? EMPTY);
    if (isBodyless) return this.#sendHead(head, { length: null, close });
    if (headOnly) return this.#sendHead(head, { length: body === null ? length : bytes.length, close });
    if (bytes.length > SINGLE_WRITE_BYTES) {
      this.#prepareStream(head);
      return this.#tryAll(bytes, bytes.length);
    }
    this.#cork((res) => {
      this.#writeHead(head);
      this.#over = true;
      res.end(bytes, close);
    });
    return this.#headSent;
  }

  #cork(write: (res: UwsResponse) => void): void {
    if (this.#over) return;
    const res = this.#res;
    res.cork(() => write(res));
  }

  #writeHead(head: Head): void {
    this.#headSent = true;
    this.#res.writeStatus(`${head.status} ${STATUS_CODES[head.status] ?? 'Unknown'}`);
    for (const [name, value] of head.headers) this.#res.writeHeader(name, value);
  }

  /**
   * Ends without a body. The length is written as a plain header: with the library's own length option the response
   * stays pending, and the next request on the connection would be cut off.
   */
  #sendHead(head: Head, framing: { readonly length: number | null; readonly close: boolean }): boolean {
    this.#cork((res) => {
      this.#writeHead(head);
      if (framing.length !== null) res.writeHeader('content-length', String(framing.length));
      if (framing.close) res.writeHeader('connection', 'close');
      this.#over = true;
      res.endWithoutBody();
    });
    return this.#headSent;
  }

  /** False when the client disconnected. */
  async #sendStream(head: Head, pieces: Pieces, length: number | null): Promise<boolean> {
    let finished = false;
    try {
      // Read before the head is written: a stream that fails at its first chunk still gets an error response.
      let next = await this.#untilGone(pieces.next());
      if (next === GONE) return false;
      this.#prepareStream(head);
      let rest = length;
      for (; next !== GONE && next.done !== true; next = await this.#untilGone(pieces.next())) {
        this.#onProgress();
        if (rest !== null && next.value.length > rest)
          throw new Error('The body is longer than its content-length');
        if (rest !== null) rest -= next.value.length;
        const taken =
          length === null ? await this.#writeAll(next.value) : await this.#tryAll(next.value, length);
        if (!taken) return false;
      }
      if (next === GONE) return false;
      finished = true;
      if (rest !== null && rest > 0) throw new Error('The body is shorter than its content-length');
      if (length === null || length === 0)
        this.#cork((res) => {
          this.#over = true;
          res.end();
        });
      return true;
    } finally {
      if (!finished) stop(pieces);
    }
  }

  #prepareStream(head: Head): void {
    this.#cork((res) => {
      res.onWritable(() => {
        this.#onProgress();
        // The library does not write its buffer while a handler is set; an empty cork makes it write.
        this.#cork(() => undefined);
        this.#wakeWritable?.();
        return true;
      });
      this.#writeHead(head);
    });
  }

  /** Content-Length framing: the library buffers nothing. False when the client disconnected. */
  async #tryAll(bytes: Uint8Array, total: number): Promise<boolean> {
    let offset = 0;
    while (offset < bytes.length && !this.#over) {
      let taken = true;
      this.#cork((res) => {
        const start = res.getWriteOffset();
        const [ok, done] = res.tryEnd(bytes.subarray(offset), total);
        taken = ok;
        if (done) this.#over = true;
        offset = done ? bytes.length : offset + res.getWriteOffset() - start;
      });
      if (!taken && offset < bytes.length) await this.#writable();
    }
    return offset >= bytes.length;
  }

  /** Chunked framing. False when the client disconnected. */
  async #writeAll(bytes: Uint8Array): Promise<boolean> {
    let offset = 0;
    let size = PIECE_BYTES;
    while (offset < bytes.length && !this.#over) {
      let taken = true;
      this.#cork((res) => {
        taken = res.write(bytes.subarray(offset, offset + size));
      });
      offset += size;
      size = taken ? PIECE_BYTES : PROBE_BYTES;
      if (!taken) await this.#writable();
    }
    return !this.#over;
  }

  #writable(): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wakeWritable = resolve;
    });
  }

  /** The work's result, or GONE as soon as the client disconnects. */
  #untilGone<T>(work: Promise<T>): Promise<T | typeof GONE> {
    return new Promise((resolve, reject) => {
      if (this.#over) {
        work.catch(() => undefined);
        resolve(GONE);
        return;
      }
      this.#wakeGone = () => resolve(GONE);
      work.then(resolve, reject);
    });
  }
}
