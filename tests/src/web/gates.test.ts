import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedVariant } from '../../support/database/seed.ts';
import { type HostWithListing, startHostWithListing } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';

const OWN = 'https://api.example.com';
let { host, agent, listing } = {} as HostWithListing;
beforeAll(async () => {
  ({ host, agent, listing } = await startHostWithListing());
});
afterAll(() => host.stop());

type Headers = Record<string, string>;
const FOREIGN: [string, Headers, string][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'INVALID_ORIGIN'],
  ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 'MISSING_OR_NULL_ORIGIN'],
  ['another host of our site', { origin: 'https://blog.example.com' }, 'INVALID_ORIGIN'],
  ['our host on another port', { origin: `${OWN}:8443` }, 'INVALID_ORIGIN'],
  ['our host without encryption', { origin: 'http://api.example.com' }, 'INVALID_ORIGIN'],
  ['a name that begins like ours', { origin: `${OWN}.evil.example` }, 'INVALID_ORIGIN'],
  ['two origins', { origin: `${OWN} https://evil.example` }, 'INVALID_ORIGIN'],
  ['cross-site without an origin', { 'sec-fetch-site': 'cross-site' }, 'MISSING_OR_NULL_ORIGIN'],
  ['same-site without an origin', { 'sec-fetch-site': 'same-site' }, 'MISSING_OR_NULL_ORIGIN'],
  ['a foreign referer', { referer: 'https://evil.example/page' }, 'INVALID_ORIGIN'],
  ['a referer that is none', { referer: 'nonsense' }, 'INVALID_ORIGIN'],
];
const TRUSTED: [string, Headers][] = [
  ['a native client', {}],
  ['another server, by Node’s fetch', { 'sec-fetch-mode': 'cors' }],
  ['our own page', { origin: OWN, 'sec-fetch-site': 'same-origin', referer: `${OWN}/page` }],
  ['our own page in an old browser', { referer: `${OWN}/page` }],
];

/** All calls that change something, on each surface. */
const changes = (person: Person): [string, (headers: Headers) => Promise<Answer>][] => [
  [
    'a procedure',
    (headers) =>
      person.send('POST', '/api/trpc/users.updateProfile', {
        body: JSON.stringify({ json: { name: 'Stolen' } }),
        headers,
      }),
  ],
  [
    'a photo’s cover flag',
    (headers) =>
      person.send('PATCH', `/api/property-images/${listing.imageId}`, { body: '{"isMain":true}', headers }),
  ],
  [
    'a photo’s deletion',
    (headers) => person.send('DELETE', `/api/property-images/${randomUUID()}`, { headers }),
  ],
  [
    'an upload',
    (headers) => {
      const form = new FormData();
      form.set('propertyId', listing.propertyId);
      return person.send('POST', '/api/property-images', { body: form, headers });
    },
  ],
  [
    'signing in',
    (headers) =>
      person.send('POST', '/api/auth/sign-in/email-otp', {
        body: '{"email":"a@example.com","otp":"000000"}',
        headers,
      }),
  ],
];
const codeOf = ({ body, errorCode }: Answer): string | undefined => errorCode ?? body?.code;

describe.each(FOREIGN)('a browser’s request for %s', (_, headers, code) => {
  test('changes nothing, with a cookie or without', async () => {
    const name = (await agent.query('users.getMe')).data.name;
    for (const person of [agent, host.anonymous()]) {
      for (const [what, send] of changes(person)) {
        const answer = await send(headers);
        expect([answer.status, codeOf(answer)], what).toEqual([403, code]);
      }
    }
    expect((await agent.query('users.getMe')).data.name).toBe(name);
  });
});

test('a foreign origin is logged next to ours, once in ten seconds', async () => {
  const [own, lines] = [await startHostWithListing(), [] as unknown[]];
  try {
    const caller = own.host.anonymous();
    for (const headers of [
      { origin: 'https://other.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ])
      await caller.send('POST', '/api/trpc/users.updateProfile', { body: '{"json":{}}', headers });
    lines.push(...own.host.lines.filter(({ code }) => code === 'INVALID_ORIGIN'));
  } finally {
    await own.host.stop();
  }
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', origin: 'https://other.example', expected: [OWN] }),
  ]);
});

describe.each(TRUSTED)('a request by %s', (_, headers) => {
  test('is accepted on every surface', async () => {
    const statuses: number[] = [];
    for (const [, send] of changes(agent)) statuses.push((await send(headers)).status);
    expect(statuses).toEqual([200, 200, 404, 400, 400]);
  });
});

test('calls that change nothing are answered to every origin', async () => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const catalog = await agent.send('GET', '/api/trpc/ai.getStagingCatalog', { headers });
  expect(catalog.status).toBe(200);
  expect(catalog.headers.get('access-control-allow-origin')).toBeNull();
  // A mutation by GET does not bypass the check.
  const asGet = await agent.send('GET', '/api/trpc/users.updateProfile?input=%7B%22json%22%3A%7B%7D%7D', {
    headers,
  });
  expect([asGet.status, asGet.errorCode]).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

test('the provider’s callbacks are not checked for their origin', async () => {
  const answer = await host.anonymous().send('POST', `/api/webhooks/provider/staging/${randomUUID()}`, {
    body: '{}',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });
  expect([answer.status, answer.errorCode]).toEqual([401, 'WEBHOOK_SIGNATURE_INVALID']);
});

describe('the request id', () => {
  test('is on every answer, on every surface, errors included', async () => {
    const answers = [
      await agent.query('users.getMe'),
      await agent.query('users.nothing'),
      await agent.send('GET', '/nowhere'),
      await agent.send('POST', '/api/auth/sign-in/email-otp', { body: '{' }),
      await agent.send('DELETE', `/api/property-images/${randomUUID()}`),
      await agent.mutate('users.updateProfile', { name: '' }),
    ];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is on the log lines of its request', async () => {
    const variant = await seedVariant(host.pool, listing);
    const approved = await agent.mutate('ai.approveStagedVariant', { imageId: variant });
    const refused = await agent.send('POST', '/api/auth/sign-in/social', {
      body: '{"provider":"nobody","idToken":"a.b.c"}',
    });
    const lineOf = (event: string) => host.lines.findLast((line) => line.event === event);
    expect(lineOf('ai_room_staging.variant_approved')?.requestId).toBe(approved.headers.get('x-request-id'));
    const ofLibrary = host.lines.findLast(({ component }) => component === 'better-auth');
    expect(ofLibrary?.requestId).toBe(refused.headers.get('x-request-id'));
    expect(host.lines.find(({ msg }) => msg === 'listening')).not.toHaveProperty('requestId');
  });
});
