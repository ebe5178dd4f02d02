import { request } from 'undici';
import { readMail } from '../../../ops/dev/stack/mailbox.ts';
import { eventually } from '../../support/eventually.ts';
import type { World } from './world.ts';

/** By then the attacker has reached the limits of one address. */
const ATTACKED_FOR_MS = 3_000;
const TRIES_BETWEEN_MS = 1_000;
const CLIENT = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.77' };

/**
 * A person signs in on a machine of their own while an attacker requests codes for the same address and tries them.
 * @throws Error when they are refused a code, or their code is rejected
 */
export async function signInMeanwhile({ platform, target }: World): Promise<void> {
  const { origin, victim } = target;
  const post = async (path: string, body: object, cookie: string) => {
    const answer = await request(`${origin}/api/auth${path}`, {
      method: 'POST',
      headers: cookie === '' ? CLIENT : { ...CLIENT, cookie },
      body: JSON.stringify(body),
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
    return { status: answer.statusCode, text: await answer.body.text(), cookie: cookies.join('; ') };
  };
  await passed(ATTACKED_FOR_MS);
  const known = new Set((await readMail(platform.mailDir, { to: victim })).map(({ file }) => file));
  const asked = await post('/email-otp/send-verification-otp', { email: victim, type: 'sign-in' }, '');
  if (asked.status !== 200) throw new Error(`the victim gets no code: ${asked.status} ${asked.text}`);
  const news = async () =>
    (await readMail(platform.mailDir, { to: victim })).filter(({ file }) => !known.has(file));
  await eventually(async () => (await news()).length > 0, { what: "the victim's mail" });
  await passed(TRIES_BETWEEN_MS);
  // A code that the attacker requested may have come as well: a person with two mails tries both.
  const rejections: string[] = [];
  for (const { email } of (await news()).toReversed()) {
    const otp = /\b\d{6}\b/.exec(email.text ?? '')?.[0];
    const tried = await post('/sign-in/email-otp', { email: victim, otp }, asked.cookie);
    if (tried.status === 200) return;
    rejections.push(`${tried.status} ${tried.text}`);
  }
  throw new Error(`the victim's code is refused: ${rejections.join(', ')}`);
}

async function passed(ms: number): Promise<void> {
  const until = performance.now() + ms;
  await eventually(() => performance.now() >= until, { what: 'tries of the attacker' });
}
