import querystring from 'node:querystring';
import { Redis, type RedisOptions } from 'ioredis';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { parseKvAddress } from '../config/addresses.ts';

/**
 * Connections to the key-value store. Everything in it can be rebuilt from PostgreSQL, so callers may fail fast: a
 * request handler must not hang because of a hint.
 */
const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 3_000;
const MAX_RECONNECT_WAIT_MS = 2_000;

/**
 * A connection without an answer for this long is dead: a host that is lost closes none itself. BullMQ lets a server wait
 * for an entry for ten seconds at most.
 */
const ANSWER_TIMEOUT_MS = 15_000;

/** How long closing a connection may wait for what is under way. */
export const CLOSE_MS = 1_000;

/**
 * Every client of the store is made here. With sentinels, each new connection asks them for the primary.
 * @param kvUrl KV_URL, as src/config/addresses.ts reads it
 */
export function connectRedis(kvUrl: string, options: RedisOptions): Redis {
  const common = { ...options, socketTimeout: ANSWER_TIMEOUT_MS };
  const { sentinels, url } = parseKvAddress(kvUrl) ?? { sentinels: null };
  if (sentinels === null) return new Redis(kvUrl, common);
  // Not with failoverDetector: when a failover meets a reconnect, it ends the client forever (ioredis 6.0).
  return new Redis({
    ...common,
    sentinels: [...sentinels.at],
    name: sentinels.name,
    ...(url.username === '' ? {} : { username: querystring.unescape(url.username) }),
    ...(url.password === '' ? {} : { password: querystring.unescape(url.password) }),
    db: Number(url.pathname.slice(1) || 0),
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    sentinelRetryStrategy: options.retryStrategy ?? (() => null),
  });
}

const reconnect = (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), MAX_RECONNECT_WAIT_MS);

/** For commands of edges and producers: no offline queue, bounded waits. */
export function createCommandRedis(kvUrl: string, onProblem: (error: Error) => void): Redis {
  const redis = connectRedis(kvUrl, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: reconnect,
  });
  redis.on('error', onProblem);
  return redis;
}

/** For BullMQ workers and subscribers: waits forever, as BullMQ requires (docs/provider.md#bullmq-and-redis). */
export function createBlockingRedis(kvUrl: string, onProblem: (error: Error) => void): Redis {
  const redis = connectRedis(kvUrl, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: reconnect,
  });
  redis.on('error', onProblem);
  return redis;
}

/**
 * Resolves once the store answers, or after `patienceMs`. A process that serves before its connection is open would
 * reject its first requests, and one that waits without limit might never serve.
 */
export async function settleRedis(redis: Redis, patienceMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const ready = new Promise((resolve) => redis.once('ready', resolve));
  await endedBy(ready, AbortSignal.timeout(patienceMs));
}
