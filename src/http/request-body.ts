/**
 * The body of one request, from the moment the request line is read. It owns what has arrived and was not yet taken,
 * and is always bounded: past `limit` bytes it fails and keeps nothing, and while nobody reads it
 * holds at most the high-water mark and one read of the socket, because it pauses the socket. It fails
 * when the body does not arrive in time; time in which the socket is paused is ours and does not count.
 * It never throws into uWebSockets.js; a failure is told to whoever reads, next time they read.
 */
import { PublicError } from '../errors.ts';

/** The part of the uWebSockets.js response that concerns the request's body. */
export interface BodySource {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  pause(): void;
  resume(): void;
}

export interface RequestBodyOptions {
  readonly limit: number;
  readonly timeoutMs: number;
  /** Called for each piece that arrives. */
  readonly onProgress: () => void;
}

/** Enough to keep a consumer busy; one socket read (512 KiB at most) may come on top of it. */
const HIGH_WATER_BYTES = 256 * 1024;
/**
 * uWebSockets.js closes a connection whose body comes slower than 16 KiB/s for 10 s, paused or not. Resuming restarts
 * that clock, so it is done more often than that, and the time-out that counts is ours, with an answer.
 */
const LONGEST_TICK_MS = 2_000;
const SHORTEST_TICK_MS = 10;

export class RequestBody {
  readonly #source: BodySource;
  readonly #options: RequestBodyOptions;
  #chunks: Buffer[] = [];
  #queuedBytes = 0;
  #receivedBytes = 0;
  #complete = false;
  #failure: PublicError | null = null;
  #paused = false;
  #keepAll = false;
  #taken = false;
  #wake: (() => void) | null = null;
  #ticker: NodeJS.Timeout | null = null;
  #whole: Promise<Buffer> | null = null;

  constructor(source: BodySource, options: RequestBodyOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** True when nothing more will come from the socket for this request. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Starts to receive. Must be called inside the uWebSockets.js handler, or what came with the head is lost. */
  start(hasBody: boolean): void {
    if (!hasBody) {
      this.#complete = true;
      return;
    }
    this.#source.onData((chunk, isLast) => this.#receive(chunk, isLast));
    this.#startTicker();
  }

  /** The connection is gone: readers fail, and the socket must not be touched again. */
  abandon(failure: PublicError): void {
    this.#paused = false;
    this.#fail(failure);
    this.#finish();
  }

  /** The answer is about to go out: what is still to come is read off the socket and dropped. */
  discardRest(): void {
    if (!this.#complete)
      this.#fail(new PublicError('CLIENT_CLOSED_REQUEST', { message: 'Already answered.' }));
    this.#resume();
    this.#stopTicker();
  }

  read(): Promise<Buffer> {
    this.#whole ??= this.#collect();
    return this.#whole;
  }

  async *stream(): AsyncGenerator<Buffer> {
    this.#take();
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#queuedBytes -= chunk.length;
        yield chunk;
        continue;
      }
      if (this.#failure !== null) throw this.#failure;
      if (this.#complete) return;
      this.#resume();
      await this.#arrival();
    }
  }

  async #collect(): Promise<Buffer> {
    this.#take();
    this.#keepAll = true;
    this.#resume();
    while (!this.#complete && this.#failure === null) await this.#arrival();
    if (this.#failure !== null) throw this.#failure;
    const whole = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [];
    return whole ?? Buffer.alloc(0);
  }

  #take(): void {
    if (this.#taken) throw new Error('The request body can be read once');
    this.#taken = true;
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.#options.onProgress();
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > this.#options.limit) this.#fail(new PublicError('PAYLOAD_TOO_LARGE'));
    if (this.#failure === null && chunk.byteLength > 0) {
      this.#chunks.push(Buffer.copyBytesFrom(new Uint8Array(chunk)));
      this.#queuedBytes += chunk.byteLength;
    }
    if (isLast) this.#finish();
    else if (!this.#keepAll && this.#queuedBytes >= HIGH_WATER_BYTES) this.#pause();
    this.#notify();
  }

  #finish(): void {
    this.#complete = true;
    this.#stopTicker();
    this.#notify();
  }

  #fail(failure: PublicError): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#chunks = [];
    this.#queuedBytes = 0;
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#source.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#source.resume();
  }

  #startTicker(): void {
    const { timeoutMs } = this.#options;
    const tickMs = Math.min(LONGEST_TICK_MS, Math.max(SHORTEST_TICK_MS, Math.ceil(timeoutMs / 8)));
    let waitedMs = 0;
    this.#ticker = setInterval(() => {
      this.#source.resume();
      if (this.#paused) {
        this.#source.pause();
        return;
      }
      waitedMs += tickMs;
      if (waitedMs < timeoutMs) return;
      this.#stopTicker();
      this.#fail(new PublicError('REQUEST_TIMEOUT'));
    }, tickMs);
  }

  #stopTicker(): void {
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }
}
