import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { browserHeaders, ownClient } from './ways.ts';

/** What docs/api.md says of long queries, content codings, characters and types of bodies, over the whole host. */
let agent: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});

const polygon = Array.from({ length: 200 }, (_, at) => ({
  latitude: 10 + Math.sin((at / 200) * 2 * Math.PI),
  longitude: 10 + Math.cos((at / 200) * 2 * Math.PI),
}));
const filters = { location: { polygon } };

describe('a search by a polygon of 200 points', () => {
  test('by GET is 431 in JSON', async () => {
    const answer = await agent.query('search.list', { filters });
    expect([answer.status, answer.errorCode]).toEqual([431, 'REQUEST_HEAD_TOO_LARGE']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('by our client is answered, for the list and for the map', async () => {
    const client = ownClient(host, agent.cookie);
    expect(await client.search.list({ filters })).toMatchObject({ items: [] });
    const map = { filters, bbox: [9, 9, 11, 11] as [number, number, number, number], zoom: 10 };
    expect(await client.search.map(map)).toMatchObject({ clusters: [] });
  });

  test('by a page of another origin is rejected like a mutation, although it changes nothing', async () => {
    const body = JSON.stringify({ json: { filters } });
    const post = async (headers: Record<string, string>) => {
      const own = { 'content-type': 'application/json', cookie: agent.cookie, ...headers };
      const url = `${host.url}/api/trpc/search.list`;
      const answer = await request(url, { method: 'POST', body, headers: own });
      await answer.body.dump();
      return answer.statusCode;
    };
    const { origin = '' } = browserHeaders(host, agent.cookie);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await post({ origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
    // A form needs no preflight, and cannot have the content type of JSON.
    expect(await post({ origin, 'content-type': 'text/plain' })).toBe(415);
  });
});

test('a mutation by GET is rejected', async () => {
  const answer = await agent.query('users.updateProfile', { name: 'By GET' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

describe.each([
  ['POST', '/api/trpc/users.updateProfile', { json: { name: 'Z' } }],
  ['POST', '/api/trpc/search.list', { json: {} }],
  ['POST', '/api/auth/email-otp/send-verification-otp', { email: 'a@example.com', type: 'sign-in' }],
  ['PATCH', '/api/property-images/3f0c6b1e-0000-4000-8000-000000000000', { isMain: true }],
])('%s %s', (method, path, body) => {
  const text = JSON.stringify(body);
  const code = (answer: Answer): string | undefined => answer.errorCode ?? answer.body.code;

  test('with gzip is 415 that names the header', async () => {
    const bytes = new Uint8Array(gzipSync(text));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await agent.send(method, path, { body: bytes, headers });
    expect([answer.status, code(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(answer.text).toContain('Content-Encoding');
  });

  test('with invalid UTF-8 is 400', async () => {
    const bytes = new Uint8Array(Buffer.from(text.replace('"}', '\xe9"}'), 'latin1'));
    if (!text.includes('"}')) bytes[2] = 0xff;
    const answer = await agent.send(method, path, {
      body: bytes,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('UTF-8');
  });

  test('with another type is 415', async () => {
    const answer = await agent.send(method, path, { body: text, headers: { 'content-type': 'text/plain' } });
    expect([answer.status, code(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

test.each([
  ['POST', '/api/property-images'],
  ['PUT', '/api/users/avatar'],
])('%s %s with a body that is no form is 415', async (method, path) => {
  for (const type of ['application/json', 'image/jpeg', 'application/x-www-form-urlencoded']) {
    const answer = await agent.send(method, path, { body: '{}', headers: { 'content-type': type } });
    expect([type, answer.status, answer.errorCode]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
  }
});

test('a query string with invalid UTF-8 is 400, on every part of the host', async () => {
  for (const path of ['/api/trpc/search.list?input=%ff', '/api/auth/get-session?x=%ff', '/healthz?x=%c3']) {
    const answer = await agent.send('GET', path);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(answer.text).toContain('BAD_REQUEST');
  }
});
