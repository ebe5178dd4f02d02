import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import type { Answer, Person } from '../../support/http/person.ts';

/** What the page of one person asks with the session of another (docs/contract.md#calling). */
let host: ApiHost;
let [ann, ben]: Person[] = [];
beforeAll(async () => {
  host = await startApiHost();
  ann = await host.signedIn({ name: 'Ann' });
  ben = await host.signedIn({ name: 'Ben' });
});
afterAll(() => host.stop());

const people = () => {
  if (ann === undefined || ben === undefined) throw new Error('no one is signed in');
  return { ann, ben };
};
/** A call with Ben's session. @param page the `X-Person` of the page; undefined for a native client */
const call = (method: string, path: string, page: string | undefined, body?: unknown): Promise<Answer> =>
  people().ben.send(method, path, {
    headers: page === undefined ? {} : { 'x-person': page },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const nameOfBen = async () => (await people().ben.query('users.getMe')).data.name;

describe.each(['another person', 'no one'])('the page of %s', (whose) => {
  const page = () => (whose === 'no one' ? 'none' : people().ann.id);

  test.each([
    ['POST', '/api/trpc/users.updateProfile', { json: { name: 'Typed by Ann' } }],
    ['GET', '/api/trpc/users.getMe', undefined],
    ['GET', '/api/trpc/search.getFilterCatalog', undefined],
    ['POST', '/api/property-images', undefined],
    ['PATCH', '/api/property-images/00000000-0000-4000-8000-000000000000', { isMain: true }],
    ['DELETE', '/api/users/avatar', undefined],
    ['POST', '/api/auth/sign-out', {}],
    ['POST', '/api/auth/email-otp/send-verification-otp', { email: 'c@example.com', type: 'sign-in' }],
  ])('is refused %s %s, and nothing changes', async (method, path, body) => {
    const answer = await call(method, path, page(), body);
    expect([answer.status, answer.errorCode ?? answer.body.code]).toEqual([409, 'PERSON_CHANGED']);
    expect(answer.text).toContain('errors.personChanged');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await nameOfBen()).toBe('Ben');
  });
});

test('the person’s own page and a native client are served', async () => {
  for (const page of [people().ben.id, undefined])
    expect((await call('GET', '/api/trpc/users.getMe', page)).data.id).toBe(people().ben.id);
});

test('without a session it is UNAUTHORIZED where one is needed, and nothing elsewhere', async () => {
  const headers = { 'x-person': people().ann.id };
  const visitor = host.anonymous();
  expect((await visitor.send('GET', '/api/trpc/users.getMe', { headers })).errorCode).toBe('UNAUTHORIZED');
  expect((await visitor.send('GET', '/api/trpc/search.getFilterCatalog', { headers })).status).toBe(200);
});
