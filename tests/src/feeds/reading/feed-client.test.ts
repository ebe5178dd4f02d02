import { afterEach, describe, expect, test } from 'vitest';
import type { FeedFault } from '../../../../ops/feed-simulator/faults.ts';
import { type FeedSimulator, startFeedSimulator } from '../../../../ops/feed-simulator/server.ts';
import { type FeedProfile, profileSchema } from '../../../../src/feeds/profiles/profile-schema.ts';
import { feedProfile } from '../../../../src/feeds/profiles/profiles.ts';
import { firstCursor } from '../../../../src/feeds/reading/cursor.ts';
import { createFeedClient } from '../../../../src/feeds/reading/feed-fetch.ts';
import type { FeedError, FeedPorts, FeedSource } from '../../../../src/feeds/reading/feed-reading.ts';
import { readPage } from '../../../../src/feeds/reading/read-page.ts';
import { smallProfile, unlimited } from '../../../support/feeds/feed-follower.ts';

const SECRET = 'very-secret-token-of-a-feed';
let simulator: FeedSimulator;
const clients: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await simulator?.close();
});

function reader(more: Partial<FeedSource> = {}, allowsLoopback = true) {
  const client = createFeedClient({ allowsLoopback, answerMs: 800, mostBytes: 2_000_000 });
  clients.push(client);
  const ports: FeedPorts = {
    fetch: client.fetch,
    rate: unlimited,
    tokens: new Map(),
    now: Date.now,
    signal: new AbortController().signal,
  };
  const source: FeedSource = {
    profile: smallProfile('generic'),
    baseUrl: simulator.url,
    filter: null,
    secret: () => SECRET,
    ...more,
  };
  return { source, ports, read: () => readPage(source, firstCursor(source, null, 'REPLICATE'), ports) };
}
const failure = (work: Promise<unknown>): Promise<FeedError> =>
  work.then(
    () => expect.unreachable('it should fail'),
    (error: FeedError) => error,
  );

describe('an answer that is none', () => {
  test.each<[FeedFault, string, number | null]>([
    ['too-many', 'RATE_LIMITED', 7_000],
    ['too-many-silent', 'RATE_LIMITED', 60_000],
    ['token-ends', 'UNAUTHORIZED', null],
    ['truncated-json', 'BROKEN_ANSWER', null],
    ['cut-off', 'UNREACHABLE', null],
    ['html', 'BROKEN_ANSWER', null],
    ['error', 'UNREACHABLE', null],
    ['endless', 'BROKEN_ANSWER', null],
    ['silent', 'UNREACHABLE', null],
    ['redirect', 'REFUSED', null],
  ])('%s is %s', async (fault, code, retryAfterMs) => {
    simulator = await startFeedSimulator();
    simulator.control.fault(fault);
    const error = await failure(reader().read());
    expect(error).toMatchObject({ name: 'FeedError', code, retryAfterMs });
    // A reader of the log must not be able to use it.
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(SECRET);
    expect(error.message).not.toContain('127.0.0.1');
  });

  test('no listener is unreachable', async () => {
    simulator = await startFeedSimulator();
    const { read } = reader();
    await simulator.close();
    expect(await failure(read())).toMatchObject({ code: 'UNREACHABLE' });
  });
});

test('only public https addresses are called, and loopback where the platform is on it', async () => {
  simulator = await startFeedSimulator();
  expect(await failure(reader({}, false).read())).toMatchObject({ code: 'REFUSED' });
  for (const baseUrl of ['https://10.0.0.1/odata', 'http://example.org/odata', 'https://u:p@example.org/'])
    expect(await failure(reader({ baseUrl }).read())).toMatchObject({ code: 'REFUSED' });
  expect(simulator.control.requests()).toEqual([]);
});

test('what PostgreSQL cannot store is replaced', async () => {
  simulator = await startFeedSimulator();
  simulator.control.fault('unreadable-text');
  const { records } = await reader().read();
  expect(records[0]?.body.PrivateRemarks).toBe('\u{fffd} and \u{fffd}.');
});

describe('client credentials', () => {
  const profile: FeedProfile = profileSchema.parse({
    ...feedProfile('trestle'),
    token: { way: 'CLIENT_CREDENTIALS', path: 'token', scope: 'api' },
  });
  const tokenRequests = () =>
    simulator.control.requests().filter(({ path }) => path.endsWith('/token')).length;

  test('an access token is used until it ends, and replaced when it ends before its time', async () => {
    simulator = await startFeedSimulator({ token: 'no-bearer' });
    const { read } = reader({ profile, secret: () => 'client:simulated-secret' });
    await read();
    await read();
    expect(tokenRequests()).toBe(1);
    simulator.control.fault('token-ends', 1);
    expect((await read()).records).not.toEqual([]);
    expect(tokenRequests()).toBe(2);
  });

  test('a feed that refuses every token is asked for one other token, and wrong credentials for none', async () => {
    simulator = await startFeedSimulator({ token: 'no-bearer' });
    simulator.control.fault('token-ends');
    expect(await failure(reader({ profile, secret: () => 'client:simulated-secret' }).read())).toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(tokenRequests()).toBe(2);
    const wrong = await failure(reader({ profile, secret: () => 'client:another-secret' }).read());
    expect(wrong).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(wrong.message).not.toContain('another-secret');
  });

  test('the secret is sent to no other host', async () => {
    simulator = await startFeedSimulator();
    const token = { way: 'CLIENT_CREDENTIALS', path: 'https://elsewhere.example.org/', scope: null } as const;
    const away = reader({ profile: { ...profile, token }, secret: () => 'client:simulated-secret' });
    expect(await failure(away.read())).toMatchObject({ code: 'REFUSED' });
  });
});

test('MLS Grid: gzip, one name of a system in every filter, and no request without it', async () => {
  simulator = await startFeedSimulator({ rules: 'mls-grid' });
  const profile = smallProfile('mls-grid');
  for (const filter of [null, "OriginatingSystemName eq 'a' or OriginatingSystemName eq 'b'"])
    expect(await failure(reader({ profile, filter }).read())).toMatchObject({ code: 'REFUSED' });
  expect(simulator.control.requests()).toEqual([]);
  const plain = await fetch(`${simulator.url}/Property`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.status).toBe(400);
  const { records } = await reader({ profile, filter: "OriginatingSystemName eq 'actris'" }).read();
  expect(records[0]?.key).toMatch(/^ACT/);
});

test('the rate of the feed is a wait, and nothing is requested', async () => {
  simulator = await startFeedSimulator();
  const { source, ports } = reader();
  const rate = { take: async () => ({ waitMs: 4_321 }), release: async () => undefined };
  const cursor = firstCursor(source, null, 'REPLICATE');
  const error = await failure(readPage(source, cursor, { ...ports, rate }));
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 4_321 });
  expect(simulator.control.requests()).toEqual([]);
});
