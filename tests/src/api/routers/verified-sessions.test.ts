import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiHost } from '../../../support/http/api-host.ts';
import { type Answer, createPerson, type Person } from '../../../support/http/person.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';

let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  world = await openAccountWorld();
  host = world.host;
});
afterAll(() => world.close());

const seen = ({ status, errorCode }: Answer) => [status, errorCode];
const verifiedAt = (person: Person, age: string | null) =>
  host.rows(`update session set "verifiedAt" = now() - $2::interval where "userId" = $1`, [person.id, age]);

/** An owner whose session no code has confirmed, and what needs one. */
async function scene() {
  const [owner, heir] = [await host.signedIn(), await host.signedIn()];
  await verifiedAt(owner, null);
  const { propertyId } = await host.listing(owner);
  const transfer = (person = owner) =>
    person.mutate('properties.offerOwnership', { propertyId, agentId: heir.id });
  const verify = (code: string) => owner.mutate('users.verifySession', { code });
  return { owner, transfer, verify };
}
const REQUIRED = [403, 'VERIFICATION_REQUIRED'];

describe('handing over a listing needs a session that a mailed code has confirmed', () => {
  test('within the last ten minutes, with a code that works once', async () => {
    const { owner, transfer, verify } = await scene();
    expect(seen(await transfer())).toEqual(REQUIRED);
    const code = await world.code(owner, 'Verification');
    const answer = await verify(code);
    expect(Date.parse(answer.data.verifiedUntil) - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(seen(await verify(code))).toEqual([400, 'CODE_INVALID']);
    await verifiedAt(owner, '10 minutes 1 second');
    expect(seen(await transfer())).toEqual(REQUIRED);
    await verifiedAt(owner, '9 minutes');
    expect((await transfer()).status).toBe(200);
  });

  test('not one that was signed in otherwise: each session is confirmed for itself', async () => {
    const { owner, transfer, verify } = await scene();
    const stolen = createPerson(host.url, {
      id: owner.id,
      cookie: await world.signIn(`${owner.id}@example.com`),
    });
    await verify(await world.code(owner, 'Verification'));
    expect(seen(await transfer(stolen))).toEqual(REQUIRED);
  });

  test('not with a code of another purpose, a wrong one, or after three wrong tries', async () => {
    const { owner, transfer, verify } = await scene();
    expect(seen(await verify(await world.code(owner, 'Export')))).toEqual([400, 'CODE_INVALID']);
    const code = await world.code(owner, 'Verification');
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 3; tries += 1)
      expect(seen(await verify(wrong))).toEqual([400, 'CODE_INVALID']);
    expect(seen(await verify(code))).toEqual([400, 'CODE_INVALID']);
    expect(seen(await transfer())).toEqual(REQUIRED);
  });

  test('and the mail says what the code is for', async () => {
    const { owner } = await scene();
    await world.code(owner, 'Verification');
    const { email } = world.sink.mails.findLast(({ to }) => to === `${owner.id}@example.com`) ?? {};
    expect(email?.subject).toBe('Your code to confirm it’s you on Proscenium');
    expect(email?.text).toContain('handing over a listing');
  });
});

test('verification is for signed-in people', async () => {
  for (const [name, input] of [
    ['requestVerification', {}],
    ['verifySession', { code: '123456' }],
  ] as const)
    expect(seen(await host.anonymous().mutate(`users.${name}`, input))).toEqual([401, 'UNAUTHORIZED']);
});
