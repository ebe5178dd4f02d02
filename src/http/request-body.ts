/**
 * The body of one request, from the moment the request line is read. It owns the bytes that have arrived and are
 * not read yet. Its memory is bounded: it keeps nothing without room in the process's budget for bodies
 * (`body-budget.ts`), and fails past `limit` bytes. It pauses the socket, so while it is not read it holds at most
 * the high-water mark and what was in the socket. An upload is not read until the route admits it. The body fails
 * when it nearly stops or is late; time with the socket paused does not count. It never throws into uWebSockets.js;
 * the reader's next read fails.
 */
import { PublicError } from '../errors/errors.ts';
import {
  type BodyBudget,
  type BodyHold,
  CONNECTION_BYTES,
  PROGRESS_BYTES,
  type ShareName,
} from './body-budget.ts';
import type { BodyKind } from './message.ts';

/** The part of the uWebSockets.js response that concerns the request's body. */
interface BodySource {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  pause(): void;
  resume(): void;
}

interface RequestBodyOptions {
  readonly limit: number;
  /** Bytes, from the request head; 0 means that there is no body, null that it comes in chunks. */
  readonly announced: number | null;
  readonly timeoutMs: number;
  /** Within this time the client must send `PROGRESS_BYTES`, or the rest. */
  readonly stallMs: number;
  readonly budget: BodyBudget;
  readonly kind: BodyKind;
  /** The client's address. */
  readonly address: string;
  /** Called for each piece that arrives. */
  readonly onProgress: () => void;
}

/** Enough to keep a consumer busy; what is in the socket comes in addition. */
const HIGH_WATER_BYTES = 256 * 1024;
/** Small chunks share a block; otherwise a client that sends single bytes would cost one object per byte. */
const BLOCK_BYTES = 4 * 1024;
/**
 * uWebSockets.js closes a connection whose body is slower than 16 KiB/s for 10 s, paused or not. Resuming restarts
 * that clock and is therefore done more often. Only our own timeout applies, which sends an answer.
 */
const LONGEST_TICK_MS = 2_000;
const SHORTEST_TICK_MS = 10;

export class RequestBody {
  readonly #source: BodySource;
  readonly #options: RequestBodyOptions;
  /** Null for a request without a body. */
  #hold: BodyHold | null = null;
  /** Grows with what arrives: of an upload that is not admitted yet, and of a body in chunks. */
  #early: BodyHold | null = null;
  #isLetIn: boolean;
  readonly #chunks: Block[] = [];
  #queuedBytes = 0;
  #receivedBytes = 0;
  #bytesSinceProgress = 0;
  #slowMs = 0;
  #complete = false;
  #failure: PublicError | null = null;
  #paused = false;
  #keepAll = false;
  #taken = false;
  #wake = (): void => {};
  #ticker: NodeJS.Timeout | undefined;
  #whole: Promise<Buffer> | null = null;

  constructor(source: BodySource, options: RequestBodyOptions) {
    this.#source = source;
    this.#options = options;
    this.#isLetIn = options.kind !== 'uploads';
    if (options.announced === 0) return;
    this.#hold = this.#openHold(this.#isLetIn ? options.kind : 'entering');
    if (!this.#isLetIn || options.announced === null) this.#early = this.#hold;
  }

  /**
   * Starts to receive. Returns the error when there is no room; the body is then ignored. Must be called inside the
   * uWebSockets.js handler, or the bytes that came with the head are lost.
   */
  start(): PublicError | null {
    const { announced } = this.#options;
    if (this.#hold === null) {
      this.#complete = true;
      return null;
    }
    const error = this.#hold.holdAtLeast(CONNECTION_BYTES + (this.#isLetIn ? (announced ?? 0) : 0));
    if (error !== null) {
      this.#fail(error);
      this.#complete = true;
      return error;
    }
    this.#source.onData((chunk, isLast) => this.#receive(chunk, isLast));
    this.#startTicker();
    if (!this.#isLetIn) this.#pause();
    return null;
  }

  /**
   * Reserves room for the whole upload, counted for this person: for the largest one when it comes in chunks. Waits a
   * short time for it, with the socket paused. Rejects with `SERVICE_UNAVAILABLE`, or as reading would.
   */
  async letIn(person: string): Promise<void> {
    if (this.#isLetIn || this.#options.announced === 0) return;
    const hold = this.#openHold('uploads', person);
    this.#hold = hold;
    hold.isHeldBack = this.#paused;
    const error = await hold.waitFor(CONNECTION_BYTES + (this.#options.announced ?? this.#options.limit));
    this.#early?.release();
    this.#early = null;
    this.#isLetIn = true;
    if (this.#complete) hold.finished();
    if (error !== null) this.#fail(error);
    if (this.#failure !== null) throw this.#failure;
  }

  /** The connection is closed: readers fail, and the socket must not be used again. */
  abandon(failure: PublicError): void {
    this.#paused = false;
    this.#fail(failure);
    this.#finish();
    this.#hold?.abandon();
  }

  /** The answer is about to be sent: the rest of the body is read off the socket and dropped. */
  discardRest(): void {
    if (!this.#complete)
      this.#fail(new PublicError('CLIENT_CLOSED_REQUEST', { message: 'Already answered.' }));
    this.#resume();
    clearInterval(this.#ticker);
  }

  /** The route no longer needs the bytes that it read: their room is released. */
  release(): void {
    this.#hold?.release();
  }

  read(): Promise<Buffer> {
    this.#whole ??= this.#collect();
    return this.#whole;
  }

  async *stream(): AsyncGenerator<Buffer> {
    this.#take();
    for (;;) {
      const block = this.#chunks.shift();
      if (block !== undefined) {
        this.#queuedBytes -= block.length;
        yield block.filled();
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
    if (!this.#complete && this.#failure === null) this.#gather();
    this.#resume();
    while (!this.#complete && this.#failure === null) await this.#arrival();
    if (this.#failure !== null) throw this.#failure;
    const pieces = this.#chunks.splice(0).map((block) => block.filled());
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** Moves all bytes into one block of the final size, so that they need not be copied again at the end. */
  #gather(): void {
    const whole = new Block(this.#options.announced ?? this.#options.limit);
    for (const block of this.#chunks.splice(0)) whole.append(block.filled());
    this.#chunks.push(whole);
  }

  #openHold(kind: ShareName, person: string | null = null): BodyHold {
    const { budget, address } = this.#options;
    return budget.open({ kind, address, person, giveWay: () => this.#fail(budget.errorFor(kind)) });
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
    this.#noteProgress(chunk.byteLength);
    if (this.#receivedBytes > this.#options.limit) this.#fail(new PublicError('PAYLOAD_TOO_LARGE'));
    if (this.#failure === null) {
      const error = this.#early?.holdAtLeast(CONNECTION_BYTES + this.#receivedBytes) ?? null;
      if (error !== null) this.#fail(error);
    }
    if (this.#failure === null && chunk.byteLength > 0) this.#keep(new Uint8Array(chunk));
    if (isLast) this.#finish();
    else if (!this.#keepAll && this.#queuedBytes >= (this.#isLetIn ? HIGH_WATER_BYTES : 1)) this.#pause();
    this.#wake();
  }

  #keep(bytes: Uint8Array): void {
    this.#queuedBytes += bytes.length;
    const last = this.#chunks.at(-1);
    if (last?.append(bytes) === true) return;
    const block = new Block(Math.max(BLOCK_BYTES, bytes.length));
    block.append(bytes);
    this.#chunks.push(block);
  }

  #noteProgress(bytes: number): void {
    this.#bytesSinceProgress += bytes;
    if (this.#bytesSinceProgress < PROGRESS_BYTES) return;
    this.#bytesSinceProgress = 0;
    this.#slowMs = 0;
    this.#hold?.wentOn();
  }

  #finish(): void {
    this.#complete = true;
    this.#hold?.finished();
    clearInterval(this.#ticker);
    this.#wake();
  }

  #fail(failure: PublicError): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#chunks.length = 0;
    this.#queuedBytes = 0;
    this.#wake();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    if (this.#hold !== null) this.#hold.isHeldBack = true;
    this.#source.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#hold !== null) this.#hold.isHeldBack = false;
    this.#hold?.wentOn();
    this.#source.resume();
  }

  #startTicker(): void {
    const { timeoutMs, stallMs } = this.#options;
    const shortest = Math.ceil(Math.min(timeoutMs, stallMs) / 8);
    const tickMs = Math.min(LONGEST_TICK_MS, Math.max(SHORTEST_TICK_MS, shortest));
    let waitedMs = 0;
    this.#ticker = setInterval(() => {
      this.#source.resume();
      if (this.#paused) {
        this.#source.pause();
        return;
      }
      waitedMs += tickMs;
      this.#slowMs += tickMs;
      if (waitedMs < timeoutMs && this.#slowMs < stallMs) return;
      clearInterval(this.#ticker);
      this.#fail(new PublicError('REQUEST_TIMEOUT'));
    }, tickMs);
  }
}

/** Bytes in the order of arrival, in memory of a fixed size. Memory costs nothing until it is written. */
class Block {
  readonly #bytes: Buffer;
  length = 0;

  constructor(size: number) {
    // Small ones are parts of Node's pool.
    this.#bytes = Buffer.allocUnsafe(size);
  }

  /** False when there is no room for all of them. */
  append(bytes: Uint8Array): boolean {
    if (this.length + bytes.length > this.#bytes.length) return false;
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  filled(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}
