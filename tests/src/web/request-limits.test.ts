import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { createPerson, type Person } from '../../support/http/person.ts';
import { createTcpGate } from '../../support/http/tcp-gate.ts';
import { sharedStack } from '../../support/platform/stack.ts';

const LIMITS = { REQUEST_LIMIT_PER_MINUTE_IP: '6', REQUEST_LIMIT_PER_MINUTE_SESSION: '4' };
/** Two web processes of one deployment. */
let hosts: [ApiHost, ApiHost];
beforeAll(async () => {
  const settings = { ...LIMITS, QUEUE_SUFFIX: `-${randomUUID()}` };
  hosts = [await startApiHost({ settings }), await startApiHost({ settings })];
});
afterAll(() => Promise.all(hosts.map((host) => host.stop())));

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const useUp = async (person: Person, times: number, ip: string): Promise<void> => {
  for (let n = 0; n < times; n += 1) await person.send('GET', '/api/trpc/ai.getStagingCatalog', from(ip));
};
const waitOf = (headers: Headers): number => Number(headers.get('retry-after'));

describe('a client address that has used up its minute', () => {
  test('is rejected by every process and on every surface, in the surface’s error format', async () => {
    const ip = '203.0.113.1';
    const [first, second] = hosts.map((host) => host.anonymous()) as [Person, Person];
    await useUp(first, 3, ip);
    await useUp(second, 3, ip);

    const procedure = await first.send('GET', '/api/trpc/ai.getStagingCatalog', from(ip));
    expect(procedure.status).toBe(429);
    expect(procedure.body.error.json).toEqual({
      message: expect.stringContaining('Wait a moment'),
      code: -32_029,
      data: {
        code: 'TOO_MANY_REQUESTS',
        httpStatus: 429,
        path: 'ai.getStagingCatalog',
        errorCode: 'RATE_LIMITED',
        messageKey: 'errors.rateLimited',
      },
    });
    const auth = await second.send('GET', '/api/auth/get-session', from(ip));
    expect([auth.status, auth.body]).toEqual([
      429,
      { message: expect.any(String), code: 'RATE_LIMITED', messageKey: 'errors.rateLimited' },
    ]);
    const plain = await second.send('DELETE', `/api/property-images/${randomUUID()}`, from(ip));
    expect([plain.status, plain.body]).toEqual([
      429,
      { error: { code: 'RATE_LIMITED', message: expect.any(String), messageKey: expect.any(String) } },
    ]);
    for (const { headers } of [procedure, auth, plain]) {
      expect(waitOf(headers)).toBeGreaterThan(0);
      expect(waitOf(headers)).toBeLessThanOrEqual(60);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('can still send callbacks and read health', async () => {
    const ip = '203.0.113.2';
    const person = hosts[0].anonymous();
    await useUp(person, 7, ip);
    const webhook = await person.send('POST', `/api/webhooks/provider/staging/${randomUUID()}`, {
      body: '{}',
      ...from(ip),
    });
    expect(webhook.status).toBe(401);
    expect((await person.send('GET', '/healthz', from(ip))).status).toBe(200);
    expect((await person.send('GET', '/readyz', from(ip))).status).toBe(200);
  });

  test('cannot claim another address', async () => {
    const person = hosts[0].anonymous();
    await useUp(person, 6, '203.0.113.3');
    const forged = '1.2.3.4, 203.0.113.3';
    expect((await person.send('GET', '/api/trpc/ai.getStagingCatalog', from(forged))).status).toBe(429);
  });
});

test('a session that has used up its minute is rejected from every address; others are not', async () => {
  const [first, second] = hosts;
  const person = await first.signedIn();
  const elsewhere = createPerson(second.url, person);
  for (const n of [1, 2]) await useUp(person, 1, `203.0.114.${n}`);
  for (const n of [3, 4]) await useUp(elsewhere, 1, `203.0.114.${n}`);
  const refused = await person.mutate('users.updateProfile', { name: 'Late' });
  expect([refused.status, refused.errorCode]).toEqual([429, 'RATE_LIMITED']);
  expect(waitOf(refused.headers)).toBeGreaterThan(0);
  expect((await (await first.signedIn()).query('users.getMe')).status).toBe(200);
  const [row] = await first.rows<{ name: string }>('select name from "user" where id = $1', [person.id]);
  expect(row?.name).not.toBe('Late');
});

test('while Redis is away each process counts requests alone, and sign-in is not served', async () => {
  const gate = await createTcpGate(sharedStack().kvUrl);
  const settings = { REQUEST_LIMIT_PER_MINUTE_IP: '3' };
  const host = await startApiHost({ settings, kvUrl: gate.through(sharedStack().kvUrl) });
  try {
    const person = host.anonymous();
    expect((await person.query('ai.getStagingCatalog')).status).toBe(200);
    await gate.cut();
    const ask = () => person.send('GET', '/api/trpc/ai.getStagingCatalog', from('203.0.115.1'));
    for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(waitOf(refused.headers)).toBeGreaterThan(0);
    expect(waitOf(refused.headers)).toBeLessThanOrEqual(60);
    const code = await person.send('POST', '/api/auth/email-otp/send-verification-otp', {
      body: '{"email":"a@example.org","type":"sign-in"}',
    });
    expect([code.status, code.body.code]).toEqual([503, 'RATE_LIMIT_UNAVAILABLE']);
  } finally {
    await host.stop();
    await gate.cut();
  }
});
