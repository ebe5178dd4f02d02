import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AddressRefused, type AddressRule, requirePublic } from '../../outside/public-address.ts';
import { publicClient } from '../../outside/public-client.ts';
import { limitTime } from '../../time.ts';
import { type FeedAnswer, FeedError, type FeedFetch, type FeedRequest } from './feed-reading.ts';

/** From the call to the last byte. A place of the rate is held as long (persistence/feeds/feed-requests.ts). */
export const ANSWER_MS = 60_000;
/** Of an answer, decompressed and as it comes. */
export const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

interface FetchOptions extends AddressRule {
  /** Milliseconds; tests take less. */
  readonly answerMs?: number;
  readonly mostBytes?: number;
}

export interface FeedClient {
  readonly fetch: FeedFetch;
  close(): Promise<void>;
}

/**
 * HTTP to feeds: public https hosts only, no redirect, gzip, answers bounded in bytes and time. Errors name no address and
 * no header.
 */
export function createFeedClient(options: FetchOptions): FeedClient {
  const { allowsLoopback, answerMs = ANSWER_MS, mostBytes = MOST_ANSWER_BYTES } = options;
  const rule = { allowsLoopback };
  const client = publicClient(rule, answerMs);
  return {
    async close() {
      await (await client.loaded())?.agent.destroy();
    },
    async fetch(wanted) {
      const limit = limitTime(answerMs, wanted.signal);
      try {
        requirePublic(wanted.url, rule);
        const { request, agent } = await client();
        const answer = await request(wanted.url, {
          method: wanted.method,
          headers: { ...wanted.headers, 'accept-encoding': 'gzip' },
          ...(wanted.body !== undefined && { body: wanted.body }),
          dispatcher: agent,
          signal: limit.signal,
        });
        return await readAnswer(wanted, answer, mostBytes);
      } catch (error) {
        throw failureOf(error, wanted.signal);
      } finally {
        limit.release();
      }
    },
  };
}

interface RawAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

async function readAnswer(
  { received }: FeedRequest,
  { statusCode, headers, body }: RawAnswer,
  mostBytes: number,
): Promise<FeedAnswer> {
  const date = Date.parse(headers.date ?? '');
  return {
    status: statusCode,
    retryAfter: headers['retry-after'] ?? null,
    date: Number.isNaN(date) ? null : date,
    text: await readText(body, { isGzip: headers['content-encoding'] === 'gzip', mostBytes, received }),
  };
}

interface Reading {
  readonly isGzip: boolean;
  readonly mostBytes: number;
  received(bytes: number): void;
}

async function readText(body: Readable, { isGzip, mostBytes, received }: Reading): Promise<string> {
  let length = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    let onLine = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received(chunk.length);
      onLine += chunk.length;
      if (onLine > mostBytes) throw new FeedError('BROKEN_ANSWER', 'the answer is too large');
      yield chunk;
    }
  }
  const { pipeline } = await import('node:stream/promises');
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > mostBytes) throw new FeedError('BROKEN_ANSWER', 'the answer is too large');
      chunks.push(chunk);
    }
  };
  if (isGzip) await pipeline(counted, createGunzip(), collect);
  else await pipeline(counted, collect);
  return Buffer.concat(chunks).toString('utf8');
}

/** What a failure means; its own words may name an address, so only its code is repeated. */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof FeedError) return error;
  if (signal.aborted) return signal.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof AddressRefused || cause instanceof AddressRefused)
    return new FeedError('REFUSED', 'the address of the feed is not public');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time';
  if (code.startsWith('Z_')) return new FeedError('BROKEN_ANSWER', 'the compressed answer was cut off');
  return new FeedError('UNREACHABLE', `the feed is unreachable: ${code.slice(0, 60)}`);
}
