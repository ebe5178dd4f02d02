import { createHmac, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { createSessionCookies } from '../../../src/auth/session-cookie.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { RequestHeaders } from '../../../src/http/request-headers.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createRequestLimits, type RequestLimits } from '../../../src/web/request-limits.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** A separate Redis, for crashes and freezes. */
let server: Awaited<ReturnType<typeof startRedis>>;
const clients: Redis[] = [];
beforeAll(async () => {
  server = await startRedis({ dataDir: temporaryDirectory(), durable: false, diesWithLauncher: true });
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.stop();
});

async function connect(): Promise<Redis> {
  const redis = new Redis(server.url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: true,
  });
  redis.on('error', () => {});
  clients.push(redis);
  await redis.connect();
  return redis;
}

interface CallInput {
  perAddress?: number;
  perSession?: number;
  deployment?: string;
  redis?: Redis;
}
const lines: string[] = [];
/** As of a process that has run for a second. */
let monotonic = 1_000;
const logger = createLogger({
  role: 'web',
  level: 'debug',
  destination: { write: (l) => void lines.push(l) },
});

/** The limits of one web process. */
async function limitsOf({
  perAddress = 3,
  perSession = 0,
  deployment = randomUUID(),
  redis,
}: CallInput = {}) {
  const limits = createRequestLimits({
    redis: redis ?? (await connect()),
    deployment,
    perAddress,
    perSession,
    logger,
    sessionCookies,
    monotonicMs: () => monotonic,
  });
  if (limits === null) throw new Error('the limits are off');
  return limits;
}

/** True, or the seconds until the next try. */
async function ask(limits: RequestLimits, { ip = '198.51.100.1', cookie = '' } = {}): Promise<true | number> {
  const headers = new RequestHeaders();
  if (cookie !== '') headers.add('cookie', cookie);
  try {
    await limits.admit({ headers, remoteAddress: ip });
    return true;
  } catch (error) {
    if (error instanceof PublicError && error.code === 'RATE_LIMITED') return error.retryAfterSeconds ?? -1;
    throw error;
  }
}
const SECRET = 'an-auth-secret-of-at-least-32-characters';
const sessionCookies = createSessionCookies({ publicBaseUrl: 'https://api.example.com', authSecret: SECRET });
const NAME = '__Host-better-auth.session_token';
const signed = (token: string): string =>
  `${token}.${createHmac('sha256', SECRET).update(token).digest('base64')}`;
const session = (token: string): string => `a=b; ${NAME}=${encodeURIComponent(signed(token))}`;
const honest = expect.toSatisfy((wait: unknown) => typeof wait === 'number' && wait > 50 && wait <= 60);

describe('a limit', () => {
  test('is shared by all processes of a deployment, and by no other deployment', async () => {
    const deployment = randomUUID();
    const [first, second, otherPerson] = [
      await limitsOf({ deployment }),
      await limitsOf({ deployment }),
      await limitsOf(),
    ];
    expect([await ask(first), await ask(second), await ask(first)]).toEqual([true, true, true]);
    expect([await ask(second), await ask(first)]).toEqual([honest, honest]);
    expect(await ask(otherPerson)).toBe(true);
    expect(await ask(first, { ip: '198.51.100.2' })).toBe(true);
  });

  test('of an address covers the whole network of its client', async () => {
    const limits = await limitsOf({ perAddress: 2 });
    expect(await ask(limits, { ip: '2001:db8::1' })).toBe(true);
    expect(await ask(limits, { ip: '2001:db8::2' })).toBe(true);
    expect(await ask(limits, { ip: '2001:db8::ffff:3' })).toEqual(honest);
    expect(await ask(limits, { ip: '2001:db8:0:1::1' })).toBe(true);
  });

  test('of a session holds from every address, and does not affect other sessions', async () => {
    const limits = await limitsOf({ perAddress: 0, perSession: 2 });
    const asks = ['1', '2', '3'].map((n) => ask(limits, { ip: `198.51.100.${n}`, cookie: session('mine') }));
    expect((await Promise.all(asks)).toSorted()).toEqual([honest, true, true]);
    expect(await ask(limits, { cookie: session('yours') })).toBe(true);
    for (let n = 0; n < 5; n += 1) expect(await ask(limits)).toBe(true);
  });

  test('of a session counts the session, in any spelling and position of its cookie', async () => {
    const limits = await limitsOf({ perAddress: 0, perSession: 3 });
    const value = signed('mine');
    const everyCharacter = [...value].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
    const spellings = [
      session('mine'),
      `${NAME}=${everyCharacter}`,
      `${NAME}="${encodeURIComponent(value)}"; c=d`,
      `${NAME}=junk.${'A'.repeat(43)}=; ${session('mine')}`,
      `${session('other')}; ${session('mine')}`,
      `__Secure-better-auth.session_token=${encodeURIComponent(value)}`,
    ];
    const answers: (true | number)[] = [];
    for (const cookie of spellings) answers.push(await ask(limits, { cookie }));
    expect(answers).toEqual([true, true, true, honest, honest, honest]);
    // An unsigned cookie is no session.
    for (let n = 0; n < 5; n += 1) expect(await ask(limits, { cookie: `${NAME}=forged.${n}` })).toBe(true);
  });

  test('both limits apply at once, and the longer wait is answered', async () => {
    const limits = await limitsOf({ perAddress: 2, perSession: 1 });
    expect(await ask(limits, { cookie: session('one') })).toBe(true);
    expect(await ask(limits, { cookie: session('one') })).toEqual(honest);
    expect(await ask(limits, { cookie: session('two') })).toEqual(honest);
  });

  test('ends with its minute', async () => {
    const deployment = randomUUID();
    const redis = await connect();
    const limits = await limitsOf({ perAddress: 1, deployment, redis });
    expect(await ask(limits)).toBe(true);
    const [key = ''] = await redis.keys(`request-limit${deployment}:*`);
    expect(await redis.pttl(key)).toBeGreaterThan(50_000);
    await redis.pexpire(key, 1_400);
    expect(await ask(limits)).toBe(2);
    await expect.poll(() => ask(limits), { timeout: 10_000, interval: 100 }).toBe(true);
  });
});

describe('Redis', () => {
  test('stores no session token and gets no more requests for a rejected client', async () => {
    const deployment = randomUUID();
    const redis = await connect();
    const limits = await limitsOf({ perAddress: 1, perSession: 5, deployment, redis });
    await ask(limits, { cookie: session('secret-token') });
    await ask(limits);
    const keys = await redis.keys(`request-limit${deployment}:*`);
    expect(keys).toHaveLength(2);
    expect(keys.join()).not.toContain('secret-token');
    const address = keys.find((key) => key.includes(':ip:')) ?? '';
    const counted = await redis.get(address);
    for (let n = 0; n < 20; n += 1) expect(await ask(limits)).toEqual(honest);
    expect(await redis.get(address)).toBe(counted);
  });

  test('when frozen or away is not called for a second, and the process counts alone', async () => {
    const redis = await connect();
    const limits = await limitsOf({ perAddress: 2, redis });
    const other = await connect();
    lines.length = 0;
    await other.call('CLIENT', 'PAUSE', '700', 'ALL');
    // The first request waits for the timeout; the others do not call Redis.
    expect([await ask(limits), await ask(limits)]).toEqual([true, true]);
    expect([await ask(limits), await ask(limits)]).toEqual([honest, honest]);
    expect(lines.filter((line) => line.includes('each process counts requests alone'))).toHaveLength(1);
    await other.ping();
    await server.crash();
    monotonic += 1_001;
    const ip = '198.51.100.9';
    expect([await ask(limits, { ip }), await ask(limits, { ip })]).toEqual([true, true]);
    expect(await ask(limits, { ip })).toEqual(honest);
    // A minute later the process starts again, too.
    monotonic += 60_001;
    expect(await ask(limits, { ip })).toBe(true);
    await server.start();
    await expect.poll(() => redis.status, { timeout: 15_000 }).toBe('ready');
    monotonic += 1_001;
    expect([await ask(limits, { ip }), await ask(limits, { ip })]).toEqual([true, true]);
    expect(await ask(limits, { ip })).toEqual(honest);
    expect(lines.join('')).not.toContain('198.51.100.9');
  });
});

test('with both limits at 0 there are none', async () => {
  const redis = await connect();
  const off = { redis, deployment: '', perAddress: 0, perSession: 0 };
  expect(createRequestLimits({ ...off, sessionCookies, logger })).toBeNull();
});
