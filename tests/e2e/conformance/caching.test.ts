import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { PLAIN_ROUTES } from '../../../ops/codegen/api/plain-routes.ts';
import { readProcedures } from '../../../ops/codegen/api/procedures.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';
import { createLeakWorld, type LeakWorld } from '../../support/worlds/leak-world.ts';

/** docs/api.md#who-may-keep-an-answer, for every procedure and every route, new ones included. */
let world: LeakWorld;
let agent: Person;
const host = useApiHost({
  settings: { REQUEST_LIMIT_PER_MINUTE_IP: '0', REQUEST_LIMIT_PER_MINUTE_SESSION: '0' },
});
beforeAll(async () => {
  world = await createLeakWorld(host);
  agent = await host.signedIn();
});

const PUBLIC_PATHS = [
  '/api/images/{imageId}',
  '/api/images/{imageId}/drift',
  '/api/avatars/{avatarId}',
  '/api/provenance/{imageId}/qr.svg',
];

/** So that the next answer to this person renews the cookie. */
async function makeDue({ id, cookie }: Person): Promise<void> {
  const due = `update session set "expiresAt" = now() + interval '1 day' where "userId" = $1`;
  if (cookie !== '') await host.rows(due, [id]);
}

function varied({ headers }: Answer): string[] {
  return (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
}
const cachingOf = ({ headers }: Answer): string => headers.get('cache-control') ?? 'nothing said';

describe.each(readProcedures().map(({ path, kind }) => ({ path, kind })))('$path', ({ path, kind }) => {
  test('is not cached, and names in Vary what it depends on', async () => {
    for (const person of [host.anonymous(), agent]) {
      await makeDue(agent);
      const answer = kind === 'query' ? await person.query(path, {}) : await person.mutate(path, {});
      const wrong = await person.send(kind === 'query' ? 'DELETE' : 'GET', `/api/trpc/${path}`);
      for (const one of [answer, wrong]) {
        expect(cachingOf(one), one.text).toMatch(/\bno-store\b/);
        expect(varied(one)).toContain('cookie');
      }
    }
  });
});

describe.each(PLAIN_ROUTES)('$method $path', ({ method, path }) => {
  const named = PUBLIC_PATHS.includes(path);

  test('is cached only if it is public, and never with a cookie', async () => {
    // A route that changes data is called with an unknown id, by a caller who may be signed out afterwards.
    const asks = method === 'GET' && path.includes('imageId');
    const ids = asks ? [...world.shown.image, ...world.hidden.image] : [randomUUID()];
    const people = [host.anonymous(), ...(asks ? world.insiders : [await host.signedIn()])];
    for (const id of ids) {
      for (const person of people) {
        await makeDue(person);
        const body = method === 'GET' ? {} : { body: '{}' };
        const answer = await person.send(method, path.replace(/\{\w+\}/, id), body);
        const isPublic = /\bpublic\b/.test(cachingOf(answer));
        if (isPublic) expect([named, answer.status, answer.headers.getSetCookie()]).toEqual([true, 200, []]);
        else expect(cachingOf(answer), `${answer.status} ${answer.text}`).toMatch(/\bno-store\b/);
        if (path.startsWith('/api/auth')) expect(varied(answer)).toEqual(expect.arrayContaining(['cookie']));
      }
    }
  });
});

test('an answer with a public picture never renews the session; an uncached answer does', async () => {
  const [owner] = world.insiders as [Person];
  const [imageId] = world.shown.image as [string];
  await makeDue(owner);
  const picture = await owner.send('GET', `/api/images/${imageId}`);
  expect([cachingOf(picture), picture.headers.getSetCookie()]).toEqual([
    expect.stringContaining('public'),
    [],
  ]);
  const me = await owner.query('users.getMe');
  expect([cachingOf(me), me.headers.getSetCookie()]).toEqual(['no-store', [expect.any(String)]]);
});
