import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inertServices } from '../../../ops/codegen/api/procedures.ts';
import { createConsole, protectedPages } from '../../../src/console/console.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { type ConsoleHost, openConsole } from '../../support/http/console-host.ts';

/**
 * Every page of the console, taken from its routes, for every kind of caller. Only the operator gets the page; all
 * others get, byte for byte, the answer for an unknown path. Pages that are open to others are listed in `OPEN`.
 */
const OPEN: readonly string[] = ['/sign-in'];

let host: ConsoleHost;
let api: ApiHost;
const cookies: Record<string, string> = {};
beforeAll(async () => {
  [host, api] = await Promise.all([openConsole(), startApiHost()]);
  cookies.nobody = '';
  cookies['a customer'] = (await api.signedIn({ role: 'customer' })).cookie;
  cookies['an agent'] = (await api.signedIn()).cookie;
});
afterAll(async () => {
  await host.close();
  await api.stop();
});

const pages = protectedPages(inertServices() as never, inertServices() as never)
  .routes.filter(({ method }) => method !== 'ALL')
  .map(
    ({ method, path }) =>
      [method, path.replaceAll(/:\w+(\{[^}]*\})?\??/g, 'x').replaceAll('*', 'x')] as const,
  );
const ROUTES = [...new Map(pages.map((page) => [page.join(' '), page])).values()];

const told = async (answer: Response) => {
  const headers = [...answer.headers].filter(([name]) => name !== 'date');
  return JSON.stringify([answer.status, headers, await answer.text()]);
};
const asked = (method: string, path: string, cookie: string) =>
  fetch(`${host.base}${path}`, { method, redirect: 'manual', headers: cookie === '' ? {} : { cookie } });

test('the pages open to other callers are those in this file', () => {
  const doors = new Set(createConsole(host.parts)?.routes.map(({ path }) => path));
  expect([...doors].toSorted()).toEqual([...OPEN, '/console/*', '/queues/*', '/sign-out/*'].toSorted());
  expect(ROUTES.length).toBeGreaterThan(20);
  const behind = (path: string) =>
    ['/console', '/queues', '/sign-out'].some((consoleSignIn) => path.startsWith(consoleSignIn));
  expect(ROUTES.filter(([, path]) => !behind(path))).toEqual([]);
});

describe('only the operator gets the page', () => {
  test.each(ROUTES)('%s %s', async (method, path) => {
    const unknown = await told(await asked(method, '/no-such-path', ''));
    for (const [who, cookie] of Object.entries(cookies))
      expect(await told(await asked(method, path, cookie)), who).toBe(unknown);
    const operators = await host.get(path, { method });
    expect(operators.status).toBeLessThan(500);
    expect(await told(operators)).not.toBe(unknown);
  });
});
