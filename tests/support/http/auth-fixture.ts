import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { type AuthOptions, createAuth } from '../../../src/auth/auth.ts';
import { createMailer } from '../../../src/mail/mailer.ts';
import { ownSite } from '../../../src/site/read-site.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { systemClock } from '../../../src/time.ts';
import { createDatabase } from '../database/database.ts';
import { temporaryDirectory } from '../platform/stack.ts';
import { openSmtpSink } from './smtp-sink.ts';

export const BASE_URL = 'https://api.example.com';
const AUTH_SECRET = 'an-auth-secret-of-at-least-32-characters';

export interface SendOptions {
  ip?: string;
  headers?: Record<string, string>;
  cookie?: string;
}

/** Real PostgreSQL, a Redis and an SMTP server of its own to break, and the sign-in of the API host on top of them. */
export async function openAuth(overrides: Partial<AuthOptions> = {}, codesPerHour = 0) {
  const [database, redisServer, sink] = await Promise.all([
    createDatabase(),
    startRedis({ dataDir: temporaryDirectory(), durable: false, diesWithLauncher: true }),
    openSmtpSink(),
  ]);
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  const redis = new Redis(redisServer.url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: true,
  });
  redis.on('error', () => {});
  await redis.connect();
  const lines: string[] = [];
  const logger = createLogger({
    role: 'web',
    level: 'debug',
    destination: { write: (l) => void lines.push(l) },
  });
  const mailer = createMailer({ smtpUrl: sink.url, site: ownSite(), from: 'Proscenium <no-reply@example.com>', logger });
  const options: AuthOptions = {
    config: {
      authSecret: AUTH_SECRET,
      publicBaseUrl: BASE_URL,
      site: ownSite(),
      webOrigins: [],
      googleClientId: 'google-client',
      appleClientId: 'apple-client',
      codesPerHour,
      signUp: 'open',
    },
    pool,
    redis,
    sendOtpMail: mailer.sendOtp,
    logger,
    clock: systemClock,
    ...overrides,
  };
  const auth = createAuth(options);
  let answering = auth;

  let addresses = 0;
  const freshIp = (): string => {
    addresses += 1;
    return `10.${addresses >> 8}.${addresses & 255}.1`;
  };
  const post = (path: string, body: unknown, options: SendOptions = {}): Promise<Response> => {
    const headers = { 'content-type': 'application/json', ...options.headers };
    const request = new Request(`http://internal:3000/api/auth${path}`, {
      method: 'POST',
      headers: options.cookie ? { ...headers, cookie: options.cookie } : headers,
      body: JSON.stringify(body),
    });
    return answering.handler(request, options.ip ?? freshIp());
  };
  const askCode = (email: string, options?: SendOptions): Promise<Response> =>
    post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, options);
  /** The device cookie of the last code request for an address; `signIn` sends it by default. */
  const devices = new Map<string, string>();
  const codeFor = async (email: string, options?: SendOptions): Promise<string> => {
    const response = await askCode(email, options);
    if (response.status !== 200) throw new Error(`no code: ${response.status} ${await response.text()}`);
    devices.set(email.toLowerCase(), deviceCookie(response));
    return codeIn(email);
  };
  /** The code in the last mail to the address. */
  const codeIn = (email: string): string => {
    const mail = sink.mails.findLast(({ to }) => to === email.toLowerCase());
    const code = /\b(\d{6})\b/.exec(mail?.email.text ?? '')?.[1];
    if (!code) throw new Error('no code in the mail');
    return code;
  };
  const signIn = (email: string, otp: string, options?: SendOptions & { body?: object }): Promise<Response> =>
    post(
      '/sign-in/email-otp',
      { email, otp, ...options?.body },
      { ...options, cookie: options?.cookie ?? devices.get(email.toLowerCase()) ?? '' },
    );
  /** The Cookie header of a person who has just signed in. */
  const cookieOf = async (email: string): Promise<string> =>
    sessionCookie(await signIn(email, await codeFor(email)));

  return {
    auth,
    pool,
    redis,
    redisServer,
    sink,
    lines,
    freshIp,
    /** From now on another process answers, with an empty memory; Redis and the database keep their data. */
    anotherProcess: () => {
      answering = createAuth(options);
    },
    post,
    askCode,
    codeFor,
    codeIn,
    signIn,
    cookieOf,
    close: async () => {
      mailer.close();
      redis.disconnect();
      await pool.end();
      await Promise.all([sink.close(), redisServer.stop(), database.drop()]);
    },
  };
}

export type AuthFixture = Awaited<ReturnType<typeof openAuth>>;

const cookieIn = (response: Response, name: string): string => {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return cookies.find((cookie) => cookie.includes(`${name}=`)) ?? '';
};
export const sessionCookie = (response: Response): string => cookieIn(response, 'session_token');
export const deviceCookie = (response: Response): string => cookieIn(response, 'proscenium.device');

/** The sign-in of one test file: opened before its first test and closed after its last one. */
export function useAuth(): AuthFixture {
  const fixture = {} as AuthFixture;
  beforeAll(async () => {
    Object.assign(fixture, await openAuth());
  });
  afterAll(() => fixture.close());
  return fixture;
}

/** The status of an error response, and its code. */
export async function codeOf(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? ''];
}
