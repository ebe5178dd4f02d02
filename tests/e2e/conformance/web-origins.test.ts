import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Person } from '../../support/http/person.ts';
import { sharedStack } from '../../support/platform/stack.ts';

/** Browsers of the origins in `WEB_ORIGINS` may call with credentials (docs/contract.md#calling). */
const WEB = 'https://www.example.com';
const OTHER = 'https://app.example.com';
let host: ApiHost;
let closed: ApiHost;
let person: Person;
beforeAll(async () => {
  host = await startApiHost({ settings: { WEB_ORIGINS: `${WEB}, ${OTHER}` } });
  closed = await startApiHost();
  person = await host.signedIn({ role: 'customer' });
});
afterAll(async () => {
  await host.stop();
  await closed.stop();
});

interface Sent {
  method?: string;
  origin?: string;
  cookie?: string;
  headers?: Record<string, string>;
  body?: unknown;
}
/** As a page of `origin` sends it; undici, since `fetch` does not allow these headers. */
async function send(path: string, { method = 'GET', origin, cookie, headers = {}, body }: Sent) {
  const page: Record<string, string> =
    origin === undefined ? {} : { origin, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const own: Record<string, string> = cookie === undefined ? {} : { cookie };
  const answer = await request(host.url + path, {
    method,
    headers: { ...page, ...type, ...own, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const names = ['allow-origin', 'allow-credentials', 'allow-methods', 'allow-headers'];
  const [allowed, credentials, methods, asked] = names.map(
    (name) => answer.headers[`access-control-${name}`],
  );
  const text = await answer.body.text();
  const vary = [answer.headers.vary ?? []].flat().join(', ');
  return {
    status: answer.statusCode,
    allowed,
    credentials,
    methods,
    asked,
    vary,
    text,
    headers: answer.headers,
  };
}
const rename = (name: string) => ({ method: 'POST', body: { json: { name } } });

describe('a page of one of the origins', () => {
  test.each([
    ['an answer', '/api/trpc/search.getFilterCatalog', 200],
    ['an error of a procedure', '/api/trpc/users.updateProfile', 405],
    ['an error before a route', '/api/nothing', 404],
    ['an error of a plain route', `/api/images/${randomUUID()}`, 404],
    ['sign-in', '/api/auth/get-session', 200],
  ])('may read %s', async (_, path, status) => {
    for (const origin of [WEB, OTHER]) {
      const answer = await send(path, { origin });
      expect([answer.status, answer.allowed, answer.credentials]).toEqual([status, origin, 'true']);
      expect(answer.vary).toContain('Origin');
    }
  });

  test('can call with the person’s cookie', async () => {
    const answer = await send('/api/trpc/users.updateProfile', {
      ...rename('From the web'),
      origin: WEB,
      cookie: person.cookie,
    });
    expect([answer.status, answer.allowed]).toEqual([200, WEB]);
    expect((await person.query('users.getMe')).data.name).toBe('From the web');
  });

  test('signs in and out; the cookie stays SameSite=Lax', async () => {
    const email = `${randomUUID()}@example.com`;
    const ask = { method: 'POST', origin: WEB, body: { email, type: 'sign-in' } };
    expect((await send('/api/auth/email-otp/send-verification-otp', ask)).status).toBe(200);
    const mail = await waitForMail(sharedStack().mailDir, { to: email });
    const otp = /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0];
    const answer = await send('/api/auth/sign-in/email-otp', { ...ask, body: { email, otp } });
    expect([answer.status, answer.allowed]).toEqual([200, WEB]);
    const [set = ''] = [answer.headers['set-cookie'] ?? []].flat();
    expect(set).toContain('SameSite=Lax');
    expect(set).not.toMatch(/domain=/i);
    const [cookie = ''] = set.split(';');
    expect((await send('/api/auth/sign-out', { method: 'POST', origin: WEB, cookie, body: {} })).status).toBe(
      200,
    );
  });

  test('gets its preflight answered, for every path alike', async () => {
    const headers = {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type,idempotency-key',
    };
    for (const path of ['/api/trpc/users.updateProfile', '/api/auth/sign-out', '/api/property-images/x']) {
      const answer = await send(path, { method: 'OPTIONS', origin: WEB, headers });
      expect([answer.status, answer.text, answer.allowed, answer.credentials]).toEqual([
        204,
        '',
        WEB,
        'true',
      ]);
      expect(answer.methods).toContain('PATCH');
      expect(answer.asked).toBe('content-type,idempotency-key');
    }
  });
});

describe('every other origin', () => {
  test.each([
    'https://evil.example',
    'https://www.example.com.evil.example',
    'http://www.example.com',
    'https://www.example.com:444',
    'https://WWW.example.com',
    'null',
  ])('%s gets nothing and changes nothing', async (origin) => {
    const read = await send('/api/trpc/search.getFilterCatalog', { origin });
    expect([read.allowed, read.credentials]).toEqual([undefined, undefined]);
    expect(read.vary).toContain('Origin');
    const write = await send('/api/trpc/users.updateProfile', {
      ...rename('Stolen'),
      origin,
      cookie: person.cookie,
    });
    expect([write.status, write.allowed]).toEqual([403, undefined]);
    const sign = { method: 'POST', origin, cookie: person.cookie, body: {} };
    expect((await send('/api/auth/sign-out', sign)).status).toBe(403);
    const headers = { 'access-control-request-method': 'POST' };
    const preflight = await send('/api/trpc/users.updateProfile', { method: 'OPTIONS', origin, headers });
    expect(preflight.allowed).toBeUndefined();
    expect((await person.query('users.getMe')).data.name).not.toBe('Stolen');
  });

  test('native clients, which send no Origin, are accepted', async () => {
    const answer = await send('/api/trpc/users.getMe', { cookie: person.cookie });
    expect([answer.status, answer.allowed]).toEqual([200, undefined]);
  });
});

test('without the setting only our own origin may change data, and no origin is named', async () => {
  const customer = await closed.signedIn({ role: 'customer' });
  const headers = { origin: WEB, 'content-type': 'application/json' };
  const read = await customer.send('GET', '/api/trpc/users.getMe', { headers });
  expect(read.status).toBe(200);
  for (const name of ['access-control-allow-origin', 'access-control-allow-credentials'])
    expect(read.headers.get(name)).toBeNull();
  const body = JSON.stringify({ json: { name: 'X' } });
  expect((await customer.send('POST', '/api/trpc/users.updateProfile', { headers, body })).status).toBe(403);
  const own = { ...headers, origin: 'https://api.example.com' };
  expect((await customer.send('POST', '/api/trpc/users.updateProfile', { headers: own, body })).status).toBe(
    200,
  );
});
