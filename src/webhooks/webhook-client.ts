import type { DeliveryProblem } from '../../persistence/webhooks/deliveries.ts';
import { loadedOnce } from '../loaded-once.ts';
import { AddressRefused, type AddressRule, publicLookup, requirePublic } from '../outside/public-address.ts';
import { isTimeout, limitTime } from '../time.ts';

/**
 * Posts one delivery to an address that its owner has named. Only public https hosts are called, each name is resolved once
 * for a connection, and no redirect is followed. Nothing is repeated here.
 */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export type WebhookAnswer =
  | { readonly kind: 'taken'; readonly status: number }
  /** 410: the endpoint wants nothing any more. */
  | { readonly kind: 'gone'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly problem: DeliveryProblem;
      readonly status: number | null;
      /** What `Retry-After` names, in milliseconds from now; null where it names nothing. */
      readonly waitMs: number | null;
    };

export interface WebhookClient {
  /** @param at now, for a `Retry-After` with a date */
  send(call: WebhookCall, at: number): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/** From the call to the answer, name and connection included. */
const ANSWER_MS = 5_000;
/** An answer's body says nothing that is used. */
const MOST_BYTES = 64 * 1024;

interface ClientOptions extends AddressRule {
  /** Milliseconds; tests take less. */
  readonly answerMs?: number;
}

export function createWebhookClient({ allowsLoopback, answerMs = ANSWER_MS }: ClientOptions): WebhookClient {
  const rule = { allowsLoopback };
  const client = loadedOnce(async () => {
    const { Agent, request } = await import('undici');
    const connect = { timeout: answerMs, lookup: publicLookup(rule) };
    return { request, agent: new Agent({ connect, pipelining: 0 }) };
  });
  return {
    async send({ url: address, headers, body }, at) {
      const limit = limitTime(answerMs);
      try {
        const url = new URL(address);
        requirePublic(url, rule);
        const { request, agent } = await client();
        const answer = await request(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
          dispatcher: agent,
          signal: limit.signal,
        });
        // What remains of it is of no use, and its end may fail as it likes.
        await answer.body.dump({ limit: MOST_BYTES, signal: limit.signal }).catch(() => undefined);
        return answerOf(answer.statusCode, answer.headers['retry-after'], at);
      } catch (error) {
        return { kind: 'failed', problem: problemOf(error), status: null, waitMs: null };
      } finally {
        limit.release();
      }
    },
    async close() {
      await (await client.loaded())?.agent.destroy();
    },
  };
}

function answerOf(status: number, retryAfter: string | string[] | undefined, at: number): WebhookAnswer {
  if (status >= 200 && status < 300) return { kind: 'taken', status };
  if (status === 410) return { kind: 'gone', status };
  const problem = status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS';
  const text = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  return { kind: 'failed', problem, status, waitMs: waitIn(text, at) };
}

/** Of `Retry-After`: seconds, or a date. */
function waitIn(text: string | undefined, at: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, until - at);
}

const OF_CERTIFICATES = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/;

function problemOf(error: unknown): DeliveryProblem {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof AddressRefused || cause instanceof AddressRefused) return 'ADDRESS_REFUSED';
  if (isTimeout(error)) return 'TIMEOUT';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.includes('TIMEOUT')) return 'TIMEOUT';
  return OF_CERTIFICATES.test(code) ? 'CERTIFICATE' : 'UNREACHABLE';
}
