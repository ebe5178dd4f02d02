import type { PushSubscription } from '../../persistence/push/push-subscriptions.ts';
import type { VapidConfig } from '../config/vapid.ts';
import { loadedOnce } from '../loaded-once.ts';
import { AddressRefused, type AddressRule, publicLookup, requirePublic } from '../outside/public-address.ts';
import { isTimeout, limitTime } from '../time.ts';

/**
 * Hands one encrypted notice to the push service that a browser has named (RFC 8030, 8188, 8291, 8292). Its address is
 * the browser's word: only public https hosts are called, and no redirect is followed. Nothing is repeated here.
 */
interface PushMessage {
  /** UTF-8; the service reads none of it. */
  readonly payload: string;
  /** At most 32 letters and digits: a later message with the same topic takes the place of an undelivered one. */
  readonly topic: string;
}

type PushOutcome =
  | { readonly kind: 'taken' }
  /** The service knows the subscription no more. */
  | { readonly kind: 'gone' }
  /** The service is busy or away. `waitMs`: how long it asks for; null when it does not say. */
  | { readonly kind: 'later'; readonly why: string; readonly waitMs: number | null }
  /** It will not be taken: the service refuses it, or the address may not be called. */
  | { readonly kind: 'refused'; readonly why: string };

export interface PushClient {
  send(subscription: PushSubscription, message: PushMessage): Promise<PushOutcome>;
  close(): Promise<void>;
}

/** From the call to the answer, name and connection included. */
const ANSWER_MS = 5_000;
/** How long a service keeps what it cannot deliver, in seconds. An older notice is news to no one. */
const KEPT_S = 86_400;
/** An answer says nothing that is used. */
const MOST_BYTES = 64 * 1024;

interface ClientOptions extends AddressRule {
  readonly vapid: VapidConfig;
  /** Milliseconds; tests take less. */
  readonly answerMs?: number;
}

export function createPushClient({ vapid, allowsLoopback, answerMs = ANSWER_MS }: ClientOptions): PushClient {
  const rule = { allowsLoopback };
  const client = loadedOnce(async () => {
    const [{ Agent, request }, { default: webPush }] = await Promise.all([
      import('undici'),
      import('web-push'),
    ]);
    const connect = { timeout: answerMs, lookup: publicLookup(rule) };
    return { webPush, request, agent: new Agent({ connect, pipelining: 0 }) };
  });
  return {
    async send({ endpoint, p256dh, auth }, { payload, topic }) {
      const limit = limitTime(answerMs);
      try {
        const url = new URL(endpoint);
        requirePublic(url, rule);
        const { webPush, request, agent } = await client();
        const { method, headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          payload,
          { vapidDetails: vapid, TTL: KEPT_S, topic, urgency: 'normal', contentEncoding: 'aes128gcm' },
        );
        const answer = await request(url, {
          method: method as 'POST',
          headers: headers as Record<string, string>,
          body,
          dispatcher: agent,
          signal: limit.signal,
        });
        // What remains of it is of no use, and its end may fail as it likes.
        await answer.body.dump({ limit: MOST_BYTES, signal: limit.signal }).catch(() => undefined);
        return outcomeOf(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        return outcomeOfFailure(error);
      } finally {
        limit.release();
      }
    },
    async close() {
      await (await client.loaded())?.agent.destroy();
    },
  };
}

function outcomeOf(status: number, retryAfter: string | string[] | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const why = `status ${status}`;
  if (status === 429 || status >= 500)
    return { kind: 'later', why, waitMs: secondsIn(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) };
  return { kind: 'refused', why };
}

/** The seconds of `Retry-After`, as milliseconds; a date counts as nothing said. */
const secondsIn = (text = ''): number | null => (/^\d{1,9}$/.test(text) ? Number(text) * 1_000 : null);

/** Never the address: who knows it can take the browser's notices away. */
function outcomeOfFailure(error: unknown): PushOutcome {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof AddressRefused || cause instanceof AddressRefused)
    return { kind: 'refused', why: 'ADDRESS_REFUSED' };
  if (isTimeout(error)) return { kind: 'later', why: 'TIMEOUT', waitMs: null };
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'UNREACHABLE';
  return { kind: 'later', why, waitMs: null };
}
