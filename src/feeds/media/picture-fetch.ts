import { MAX_PHOTO_BYTES } from '../../../machines/limits.ts';
import { AddressRefused, type AddressRule, requirePublic } from '../../outside/public-address.ts';
import { publicClient } from '../../outside/public-client.ts';
import { limitTime } from '../../time.ts';
import { ANSWER_MS } from '../reading/feed-fetch.ts';

/** Why a picture could not be downloaded. */
export type DownloadFailure =
  /** 404 or 410. */
  | 'NOT_FOUND'
  /** 401 or 403. */
  | 'FORBIDDEN'
  /** 3xx: no redirect is followed. */
  | 'REDIRECTED'
  /** No whole answer, none in time, or another status. */
  | 'UNREACHABLE'
  /** 429, or 503 with a time. */
  | 'PAUSE'
  | 'TOO_LARGE'
  /** No public https address. */
  | 'PRIVATE_ADDRESS';

/** Of an answer that is no file: the connection stays open for the next download. */
const MOST_WORDS = 64 * 1024;

/** Its words name no address and no header. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
  readonly failure: DownloadFailure;
  /** How long to wait; null when the answer does not say. */
  readonly retryAfterMs: number | null;
  constructor(failure: DownloadFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

interface PictureRequest {
  readonly url: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Bytes as they come, also of a download that fails. */
  received(bytes: number): void;
}

export interface PictureClient {
  /** The bytes of the file, at most those of an upload. @throws DownloadFailed */
  fetch(request: PictureRequest): Promise<Buffer>;
  close(): Promise<void>;
}

/** Downloads from public https hosts only; no redirect, bounded in bytes and time. */
export function createPictureClient({
  answerMs = ANSWER_MS,
  ...rule
}: AddressRule & { answerMs?: number }): PictureClient {
  const client = publicClient(rule, answerMs);
  return {
    async close() {
      await (await client.loaded())?.agent.destroy();
    },
    async fetch({ url, userAgent, signal, received }) {
      const limit = limitTime(answerMs, signal);
      try {
        const address = new URL(url);
        requirePublic(address, rule);
        const { request, agent } = await client();
        const answer = await request(address, {
          method: 'GET',
          headers: { 'user-agent': userAgent, accept: 'image/*' },
          dispatcher: agent,
          signal: limit.signal,
        });
        const failure = statusFailure(answer.statusCode, answer.headers['retry-after']);
        if (failure !== null) {
          // Its words are not needed; that they break off is no other failure.
          await answer.body.dump({ limit: MOST_WORDS, signal: limit.signal }).catch(() => undefined);
          throw failure;
        }
        return await readBytes(answer.body, received);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw failureOf(error);
      } finally {
        limit.release();
      }
    },
  };
}

function statusFailure(status: number, retryAfter: string | string[] | undefined): DownloadFailed | null {
  if (status === 200) return null;
  const seconds = typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
  const waitMs = seconds === null ? null : seconds * 1_000;
  if (status === 429 || (status === 503 && waitMs !== null))
    return new DownloadFailed('PAUSE', `status ${status}`, waitMs);
  if (status === 404 || status === 410) return new DownloadFailed('NOT_FOUND', `status ${status}`);
  if (status === 401 || status === 403) return new DownloadFailed('FORBIDDEN', `status ${status}`);
  if (status >= 300 && status < 400) return new DownloadFailed('REDIRECTED', `status ${status}`);
  return new DownloadFailed('UNREACHABLE', `status ${status}`);
}

async function readBytes(body: AsyncIterable<Buffer>, received: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    received(chunk.length);
    length += chunk.length;
    if (length > MAX_PHOTO_BYTES) throw new DownloadFailed('TOO_LARGE', 'the file is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureOf(error: unknown): DownloadFailed {
  if (error instanceof DownloadFailed) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof AddressRefused || cause instanceof AddressRefused)
    return new DownloadFailed('PRIVATE_ADDRESS', 'the address is not public');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time';
  return new DownloadFailed('UNREACHABLE', `no answer: ${code.slice(0, 60)}`);
}
