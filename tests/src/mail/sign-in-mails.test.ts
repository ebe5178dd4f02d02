import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type AccountWorld, openAccountWorld } from '../../support/worlds/account-world.ts';

/** The mail about a sign-in on a new device, from the sign-in to the mailbox. */
let world: AccountWorld;
beforeAll(async () => {
  world = await openAccountWorld({ overrides: { mailIntervalMs: 20 } });
});
afterAll(() => world.close());

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36';
let names = 0;
const freshEmail = (): string => {
  names += 1;
  return `device-${names}@example.com`;
};

/** Signs in with a mailed code; answers the device cookie. */
async function signIn(email: string, headers: Record<string, string>): Promise<string> {
  const answer = await (await world.aboutToSignIn(email, headers))();
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return cookies.find((cookie) => cookie.includes('proscenium.device=')) ?? '';
}
const newsTo = (email: string) =>
  world.sink.mails.filter((mail) => mail.to === email && !/\b\d{6}\b/.test(mail.email.text ?? ''));
/** Resolves when no mail waits any more: what was not mailed by then never is. */
const settled = () =>
  eventually(async () => (await world.host.rows('select 1 from sign_in_mails')).length === 0, {
    what: 'all mails to be sent',
  });

describe('a sign-in on a new device', () => {
  test('is mailed, with device and network but without the address, and the first of all is not', async () => {
    const email = freshEmail();
    const device = await signIn(email, {});
    await settled();
    expect(newsTo(email)).toEqual([]);
    await signIn(email, { 'user-agent': CHROME, 'x-forwarded-for': '203.0.113.77' });
    await settled();
    const [mail, ...others] = newsTo(email);
    expect(others).toEqual([]);
    expect(mail?.email.subject).toBe('New sign-in to your Proscenium account');
    const text = mail?.email.text ?? '';
    for (const part of ['Chrome, Windows', 'From the network 203.0.113.0/24', 'https://api.example.com/menu'])
      expect(text).toContain(part);
    expect(text).not.toContain('203.0.113.77');
    // The device of the first sign-in is known.
    await signIn(email, { cookie: device });
    await settled();
    expect(newsTo(email)).toHaveLength(1);
  });

  test('is mailed in the person’s language, and whatever mails they have switched off', async () => {
    const email = freshEmail();
    await signIn(email, { 'accept-language': 'es' });
    await world.host.rows(`update "user" set "mutedMails" = '{TOUR_CANCELED}' where email = $1`, [email]);
    await signIn(email, {});
    await settled();
    const [mail] = newsTo(email);
    expect(mail?.email.subject).toBe('Nuevo inicio de sesión en tu cuenta de Proscenium');
    expect(mail?.email.text).toContain('https://api.example.com/es/menu');
    expect(mail?.email.text).toContain('Dispositivo desconocido');
  });

  test('is mailed although it was signed out at once', async () => {
    const email = freshEmail();
    await signIn(email, {});
    const answer = await (await world.aboutToSignIn(email))();
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await world.host.anonymous().send('POST', '/api/auth/sign-out', { headers: { cookie } });
    await settled();
    expect(newsTo(email)).toHaveLength(1);
  });
});
