import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiHost } from '../support/http/api-host.ts';
import { createPerson } from '../support/http/person.ts';
import { type AccountWorld, openAccountWorld } from '../support/worlds/account-world.ts';

let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld();
  host = world.host;
});
afterAll(() => world.close());

const FROM = { 'x-forwarded-for': '203.0.113.77' };
const NETWORK = '203.0.113.0/24';

/** The security events that the work causes, without the fields of every log line. */
async function eventsOf(work: () => Promise<unknown>) {
  const before = host.lines.length;
  await work();
  return host.lines
    .slice(before)
    .filter(({ event }) => event === 'security')
    .map(({ level, time, role, pid, hostname, node, requestId, msg, event, ...rest }) => rest);
}

test('a sign-in says its way and whether the device is known; a refused code is an event without a person', async () => {
  const email = 'events@example.com';
  let device = '';
  const signIn = async (headers: Record<string, string>) => {
    const answer = await (await world.aboutToSignIn(email, { ...FROM, ...headers }))();
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    device = cookies.find((cookie) => cookie.includes('proscenium.device=')) ?? '';
  };
  const ids = { userId: expect.any(String), sessionId: expect.any(String) };
  const signedIn = { kind: 'SIGNED_IN', way: 'code', network: NETWORK, ...ids };
  expect(await eventsOf(() => signIn({}))).toEqual([{ ...signedIn, device: 'new' }]);
  expect(await eventsOf(() => signIn({ cookie: device }))).toEqual([{ ...signedIn, device: 'known' }]);
  const wrong = JSON.stringify({ email, otp: 'wrong' });
  const guess = () =>
    host.anonymous().send('POST', '/api/auth/sign-in/email-otp', { body: wrong, headers: FROM });
  expect(await eventsOf(guess)).toEqual([
    { kind: 'CODE_REFUSED', purpose: 'sign-in', reason: 'wrong', userId: null, network: NETWORK },
  ]);
  const written = host.lines.filter(({ event }) => event === 'security');
  expect(JSON.stringify(written)).not.toContain('@');
});

test('changes of role, ended sessions, exports, refused codes and deletions name person and network', async () => {
  const person = await host.signedIn({ role: 'customer' });
  const userId = person.id;
  const by = { userId, network: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/) };
  const become = () => person.mutate('users.becomeAgent', { licenseNumber: 'L-1', officeName: 'Office' });
  expect(await eventsOf(become)).toEqual([{ kind: 'ROLE_CHANGED', newRole: 'agent', ...by }]);
  expect(await eventsOf(become)).toEqual([]);
  const revoke = () => person.mutate('users.revokeOtherSessions');
  expect(await eventsOf(revoke)).toEqual([{ kind: 'SESSIONS_ENDED', ended: 0, ...by }]);
  const code = await world.code(person, 'Export');
  const exported = () => person.mutate('users.exportMyData', { code });
  expect(await eventsOf(exported)).toEqual([{ kind: 'DATA_EXPORTED', ...by }]);
  expect(await eventsOf(() => person.mutate('users.confirmDeletion', { code }))).toEqual([
    { kind: 'CODE_REFUSED', purpose: 'deletion', reason: 'wrong', ...by },
  ]);
  const deletion = await world.code(person, 'Deletion');
  expect(await eventsOf(() => person.mutate('users.confirmDeletion', { code: deletion }))).toEqual([
    { kind: 'ACCOUNT_DELETED', ...by },
  ]);
});

test('a rate limit logs the first refusal of a rule, and not each of a flood', async () => {
  const person = await host.signedIn();
  const ask = () => person.mutate('users.requestVerification');
  const events = await eventsOf(async () => {
    for (let time = 0; time < 9; time += 1) await ask();
  });
  expect(events).toEqual([
    {
      kind: 'RATE_LIMITED',
      rule: 'account-mail',
      userId: person.id,
      network: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/),
      refusedBefore: 0,
    },
  ]);
  const anonymous = createPerson(host.url, { id: '', cookie: '' });
  const send = () =>
    anonymous.send('POST', '/api/auth/email-otp/send-verification-otp', {
      body: JSON.stringify({ email: 'flood@example.com', type: 'sign-in' }),
    });
  const flood = await eventsOf(async () => {
    for (let time = 0; time < 8; time += 1) await send();
  });
  expect(flood).toMatchObject([{ kind: 'RATE_LIMITED', rule: 'sign-in.send-from', userId: null }]);
});
