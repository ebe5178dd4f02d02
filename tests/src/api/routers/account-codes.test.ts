import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiHost } from '../../../support/http/api-host.ts';
import { createPerson, type Person } from '../../../support/http/person.ts';
import { MANUAL_EPOCH as AT } from '../../../support/manual-time.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';
import { setClock } from '../../../support/worlds/tour-visits.ts';

/** The mailed codes in front of `users.confirmDeletion` and `users.exportMyData`. */
const clock = setClock();
let world: AccountWorld;
let host: ApiHost;
let person: Person;
beforeAll(async () => {
  world = await openAccountWorld({ overrides: clock.overrides });
  host = world.host;
});
beforeEach(async () => {
  clock.at = AT;
  person = await host.signedIn({ role: 'customer' });
});
afterEach(() => Object.assign(world.sink.mode, { refuse: false, hold: false }));
afterAll(() => world.close());

const confirm = async (as: Person, code: string) => {
  const { status, errorCode } = await as.mutate('users.confirmDeletion', { code });
  return [status, errorCode];
};
const INVALID = [400, 'CODE_INVALID'];
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a code', () => {
  test('is mailed in the person’s language, as text and HTML, and says what it is for', async () => {
    const reader = await host.signedIn({ role: 'customer', locale: 'es' });
    for (const [purpose, subject] of [
      ['Deletion', 'Tu código para eliminar tu cuenta de Proscenium'],
      ['Export', 'Tu código para descargar tus datos de Proscenium'],
    ] as const) {
      const code = await world.code(reader, purpose);
      const mail = world.sink.mails.at(-1)?.email;
      expect(mail?.subject).toBe(subject);
      for (const text of [mail?.text, mail?.html]) {
        expect(text).toContain(code);
        expect(text).toContain('5 minutos');
      }
      expect(mail?.html).toContain('lang="es"');
    }
  });

  test('is stored as a keyed hash, and never logged', async () => {
    const code = await world.code(person, 'Deletion');
    const rows = await host.rows<{ codeHash: string }>(
      'select "codeHash" from account_codes where "userId" = $1',
      [person.id],
    );
    expect(rows).toEqual([{ codeHash: expect.stringMatching(/^[\w-]{43}$/) }]);
    const bare = [code, `deletion:${person.id}:${code}`];
    for (const text of bare)
      expect(rows[0]?.codeHash).not.toBe(createHash('sha256').update(text).digest('base64url'));
    await confirm(person, code);
    expect(JSON.stringify(host.lines)).not.toContain(`"${code}"`);
  });

  test('works only for its person and purpose, and once', async () => {
    const code = await world.code(person, 'Export');
    expect(await confirm(person, code)).toEqual(INVALID);
    const otherUser = await host.signedIn({ role: 'customer' });
    await world.code(otherUser, 'Export');
    const stolen = await otherUser.mutate('users.exportMyData', { code });
    expect([stolen.status, stolen.errorCode]).toEqual(INVALID);
    expect((await person.mutate('users.exportMyData', { code })).status).toBe(200);
    const without = await host.signedIn({ role: 'customer' });
    expect(await confirm(without, '123456')).toEqual(INVALID);
  });

  test('is replaced by a newer one', async () => {
    const first = await world.code(person, 'Deletion');
    let second = await world.code(person, 'Deletion');
    if (second === first) second = await world.code(person, 'Deletion');
    expect(await confirm(person, first)).toEqual(INVALID);
    expect((await confirm(person, second))[0]).toBe(200);
  });

  test('expires after five minutes', async () => {
    const code = await world.code(person, 'Deletion');
    clock.at += 5 * 60_000;
    expect(await confirm(person, code)).toEqual(INVALID);
    clock.at -= 1;
    expect((await confirm(person, code))[0]).toBe(200);
  });

  test('is deleted after three wrong tries, even when they are simultaneous', async () => {
    const code = await world.code(person, 'Deletion');
    const tries = await Promise.all([1, 2, 3].map(() => confirm(person, otherThan(code))));
    expect(tries).toEqual([INVALID, INVALID, INVALID]);
    expect(await confirm(person, code)).toEqual(INVALID);
    const newer = await world.code(person, 'Deletion');
    expect((await confirm(person, newer))[0]).toBe(200);
  });

  test('needs a session', async () => {
    for (const procedure of ['requestDeletion', 'confirmDeletion', 'requestExport', 'exportMyData'])
      expect((await host.anonymous().mutate(`users.${procedure}`, { code: '1' })).status).toBe(401);
  });

  test('is the only accepted field, and is required', async () => {
    for (const input of [{}, { code: '1', userId: person.id }, { code: 1 }, null]) {
      const { status, errorCode } = await person.mutate('users.confirmDeletion', input);
      expect([status, errorCode]).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await person.mutate('users.requestDeletion', { email: 'x@example.com' })).status).toBe(400);
  });
});

describe('limits', () => {
  test('five mails in ten minutes to one person, for both purposes together, from any address', async () => {
    const places = [1, 2, 3, 4, 5, 6].map(() => createPerson(host.url, person));
    const statuses: number[] = [];
    for (const [n, place] of places.entries())
      statuses.push(
        (await place.mutate(n % 2 === 0 ? 'users.requestDeletion' : 'users.requestExport')).status,
      );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(world.sink.mails.filter(({ to }) => to === `${person.id}@example.com`)).toHaveLength(5);
  });

  test('ten tries a minute; after that even a right code is rejected until the minute ends', async () => {
    for (let n = 0; n < 10; n += 1) expect(await confirm(person, '000000')).toEqual(INVALID);
    const code = await world.code(person, 'Deletion');
    const answer = await person.mutate('users.confirmDeletion', { code });
    expect([answer.status, answer.errorCode]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a mail that the server does not accept is an error, and the next one is sent', async () => {
    world.sink.mode.refuse = true;
    const answer = await person.mutate('users.requestDeletion');
    expect([answer.status, answer.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    world.sink.mode.refuse = false;
    expect((await confirm(person, await world.code(person, 'Deletion')))[0]).toBe(200);
  });
});
