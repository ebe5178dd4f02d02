import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { openSmtpSink } from '../../support/http/smtp-sink.ts';

/** Nine requests every ten minutes from one address once locked out any person whose address was known. */
let host: ApiHost;
let sink: Awaited<ReturnType<typeof openSmtpSink>>;
beforeAll(async () => {
  sink = await openSmtpSink();
  host = await startApiHost({ settings: { SMTP_URL: sink.url } });
});
afterAll(async () => {
  await host.stop();
  await sink.close();
});

/** A client at an IP address of its own, with or without cookies. */
function client({ ip, keepsCookies }: { ip: string; keepsCookies: boolean }) {
  const kept = new Map<string, string>();
  const post = async (path: string, body: object) => {
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await host.anonymous().send('POST', `/api/auth/${path}`, {
      body: JSON.stringify(body),
      headers: { 'x-forwarded-for': ip, ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of keepsCookies ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
    return answer;
  };
  return {
    ask: (email: string) => post('email-otp/send-verification-otp', { email, type: 'sign-in' }),
    signIn: (email: string, otp: string) => post('sign-in/email-otp', { email, otp }),
    signOut: () => post('sign-out', {}),
  };
}
const codeIn = (email: string): string => {
  const mail = sink.mails.findLast(({ to }) => to === email);
  return /\b(\d{6})\b/.exec(mail?.email.text ?? '')?.[1] ?? '';
};
const NOT_IT = { '000000': '000001' } as Record<string, string>;
/** Requests five codes and makes four tries: all that one IP address could do then. */
async function attack(email: string, ip: string): Promise<void> {
  for (const keepsCookies of [false, true]) {
    const attacker = client({ ip, keepsCookies });
    for (let n = 0; n < 5; n += 1) await attacker.ask(email);
    for (let n = 0; n < 4; n += 1) await attacker.signIn(email, NOT_IT[codeIn(email)] ?? '000000');
  }
}

describe.each([
  ['keeps cookies', true],
  ['keeps none', false],
])('a victim who %s', (_, keepsCookies) => {
  const place = { ip: keepsCookies ? '203.0.113.7' : '203.0.113.8', keepsCookies };
  const attackedFrom = keepsCookies ? '198.51.100.7' : '198.51.100.8';

  test('signs in with the code that was mailed before the attack', async () => {
    const email = `${randomUUID()}@example.com`;
    const victim = client(place);
    expect((await victim.ask(email)).status).toBe(200);
    const code = codeIn(email);
    await attack(email, attackedFrom);
    const answer = await victim.signIn(email, code);
    expect([answer.status, answer.body.user?.email]).toEqual([200, email]);
  });

  test('gets a new code during it, and signs in', async () => {
    const email = `${randomUUID()}@example.com`;
    await attack(email, attackedFrom.replace('198.51', '198.52'));
    const victim = client(place);
    expect((await victim.ask(email)).status).toBe(200);
    expect((await victim.signIn(email, codeIn(email))).status).toBe(200);
  });
});

test('on a device where the victim has signed in before, an attacker cannot lock them out, even from the same network', async () => {
  const email = `${randomUUID()}@example.com`;
  const ip = '203.0.113.9';
  const victim = client({ ip, keepsCookies: true });
  await victim.ask(email);
  expect((await victim.signIn(email, codeIn(email))).status).toBe(200);
  expect((await victim.signOut()).status).toBe(200);
  for (let n = 0; n < 40; n += 1) await client({ ip: `2001:db8:${n}::1`, keepsCookies: false }).ask(email);
  await attack(email, ip);
  expect((await client({ ip: '203.0.113.10', keepsCookies: true }).ask(email)).status).toBe(429);
  expect((await victim.ask(email)).status).toBe(200);
  const code = codeIn(email);
  await attack(email, ip);
  expect((await victim.signIn(email, code)).status).toBe(200);
  // A mailbox gets five codes an hour from unknown devices and one beyond in five minutes, and those that its own devices
  // request.
  expect(sink.mails.filter(({ to }) => to === email)).toHaveLength(5 + 1 + 1);
});

test('no log line contains a code, a device or an address', () => {
  const text = JSON.stringify(host.lines);
  expect(text).not.toMatch(/proscenium\.device=(?!\[)/);
  for (const { to, email } of sink.mails) {
    expect(text).not.toContain(to);
    const code = /\b(\d{6})\b/.exec(email.text ?? '')?.[1] ?? 'none';
    expect(text).not.toMatch(new RegExp(`[" ]${code}[" ]`));
  }
});
