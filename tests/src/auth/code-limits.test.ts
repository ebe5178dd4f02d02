import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AuthFixture, deviceCookie, openAuth } from '../../support/http/auth-fixture.ts';

/** Codes that strangers request: for one mailbox, and for thousands. */

let fixture: AuthFixture;
const open = async (codesPerHour = 0) => {
  fixture = await openAuth({}, codesPerHour);
};
beforeEach(() => open());
afterEach(() => fixture.close());

const OWNER = '203.0.113.77';
/** So many networks of one /48. */
const network = (n: number) => `2001:db8:77:${n.toString(16)}::1`;
const ask = async (email: string, ip: string, cookie?: string): Promise<number> =>
  (await fixture.askCode(email, { ip, ...(cookie === undefined ? {} : { cookie }) })).status;
const mailsTo = (email: string) => fixture.sink.mails.filter(({ to }) => to === email);
const count = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

test('a mailbox whose codes others have used up answers its owner on a new device, and the mail names the networks', async () => {
  const email = 'owner@example.com';
  const attack: number[] = [];
  for (let n = 0; n < 35; n += 1) attack.push(await ask(email, network(n)));
  expect(count(attack, 200)).toBe(5);
  expect(await ask(email, OWNER)).toBe(200);
  const text = mailsTo(email).at(-1)?.email.text ?? '';
  expect(text).toContain('requested from these networks: 2001:db8:77::/48.');
  expect((await fixture.signIn(email, fixture.codeIn(email), { ip: OWNER, cookie: 'a=b' })).status).toBe(200);
  // The mail of the first request has nothing to name.
  expect(mailsTo(email)[0]?.email.text).not.toContain('networks');
});

test('other blocks of networks get one code in five minutes, and the owner waits no longer', async () => {
  const email = 'busy@example.com';
  const blocks = Array.from({ length: 20 }, (_, n) => `2001:db8:${(0x100 + n).toString(16)}::1`);
  const statuses: number[] = [];
  for (const ip of blocks) statuses.push(await ask(email, ip));
  expect(count(statuses, 200)).toBe(6);
  const refused = await fixture.askCode(email, { ip: OWNER });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  await fixture.redis.del(await fixture.redis.keys('auth-limit:send-beyond:*'));
  fixture.anotherProcess();
  // Blocks that had one do not take it from the owner.
  for (const ip of blocks.slice(0, 6)) expect(await ask(email, ip)).toBe(429);
  expect(await ask(email, OWNER)).toBe(200);
});

test('one /48 reaches at most 300 mailboxes of strangers in an hour, one /64 and one /24 at most 30, at any speed', async () => {
  const many = (total: number, ip: (n: number) => string, name: string) =>
    Promise.all(Array.from({ length: total }, (_, n) => ask(`${name}-${n}@example.com`, ip(n))));
  expect(count(await many(320, (n) => network(Math.floor(n / 4)), 'wide'), 200)).toBe(300);
  expect(count(await many(60, (n) => `192.0.2.${Math.floor(n / 4)}`, 'near'), 200)).toBe(30);
});

test('a device requests ten codes an hour, for whatever addresses and from whatever networks', async () => {
  const cookie = deviceCookie(await fixture.askCode('first@example.com'));
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1)
    statuses.push(await ask(`many-${n}@example.com`, fixture.freshIp(), cookie));
  expect(count(statuses, 200)).toBe(10);
});

test('CODES_PER_HOUR: strangers share a half without being told; accounts and known devices have the rest', async () => {
  await fixture.close();
  await open(12);
  const email = 'member@example.com';
  const device = deviceCookie(await fixture.signIn(email, await fixture.codeFor(email)));
  const statuses: number[] = [];
  for (let n = 0; n < 10; n += 1) statuses.push(await ask(`nobody-${n}@example.com`, fixture.freshIp()));
  expect(statuses).toEqual(Array(10).fill(200));
  // The first code of the member was a stranger's.
  expect(fixture.sink.mails.filter(({ to }) => to.startsWith('nobody'))).toHaveLength(5);
  expect(fixture.lines.filter((line) => line.includes('codes_held'))).toHaveLength(1);
  expect(await ask(email, OWNER)).toBe(200);
  for (let n = 0; n < 5; n += 1) expect(await ask(email, fixture.freshIp(), device)).toBe(200);
  expect(mailsTo(email)).toHaveLength(7);
  expect(await ask(email, fixture.freshIp(), device)).toBe(429);
});
