/** tRPC's own server answers well-formed calls, and errors of procedures, with the same status and body. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionUser } from '../../../src/api/base.ts';
import { RequestHeaders } from '../../../src/http/request-headers.ts';
import { keepNothing } from '../../../src/repeats/repeats.ts';
import { agent, inputOf, JSON_TYPE, startAdapter, testRouter } from '../../support/http/adapter-fixture.ts';

const calls: [what: string, path: string, init?: RequestInit][] = [
  ['a query', `hello?${inputOf({ who: 'Ann' })}`],
  ['a query without input', 'hello'],
  ['a query with an empty input', 'hello?input='],
  ['a query with a bare percent sign', 'hello?input={"json":{"who":"5%"}}'],
  ['an input with another parameter before it', `hello?x=1&${inputOf({ who: 'Ann' })}`],
  ['an escaped name of the input', `hello?${inputOf({ who: 'Ann' }).replace('input', 'in%70ut')}`],
  ['a query with a plus in its input', `hello?input=${JSON.stringify({ json: { who: 'a+b' } })}`],
  ['two inputs', `hello?${inputOf({ who: 'Ann' })}&${inputOf({ who: 'Bob' })}`],
  ['an input that no schema takes', `hello?${inputOf({ who: 7 })}`],
  ['a broken input that is not read', 'nested.deep?input=%7B'],
  ['an error that asks to wait', `fail?${inputOf('limited')}`],
  ['an error with a code', `fail?${inputOf('unprocessable')}`],
  ['a fault', `fail?${inputOf('plain')}`],
  ['an output that does not fit', 'badOutput'],
  ['unauthenticated', 'me'],
  ['a mutation', 'echo', { method: 'POST', headers: JSON_TYPE, body: '{"json":{"a":[1,"é"]}}' }],
  ['a mutation without a body', 'nothing', { method: 'POST', headers: JSON_TYPE }],
  ['a mutation that sets headers', 'cookies', { method: 'POST', headers: JSON_TYPE }],
  ['a mutation asked for as a query', 'mutate'],
  ['a query by POST', 'hello', { method: 'POST', headers: JSON_TYPE, body: '{"json":{"who":"Ann"}}' }],
];

/** The same router on tRPC's server. */
async function startStandalone(user: SessionUser | null): Promise<string> {
  const { signal } = new AbortController();
  const server = createHTTPServer({
    router: testRouter(),
    allowBatching: false,
    allowMethodOverride: true,
    createContext: () => ({
      request: { id: 'r1', remoteAddress: '127.0.0.1', headers: new RequestHeaders(), signal },
      user,
      responseHeaders: new Headers(),
      repeats: { once: (_call, _form, work) => work(keepNothing) },
    }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answerOf(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

test.each(calls)('%s', async (_, path, init) => {
  const [{ url }, standalone] = await Promise.all([startAdapter(), startStandalone(null)]);
  expect(await answerOf(`${url}/${path}`, init)).toEqual(await answerOf(`${standalone}/${path}`, init));
});

const callers: [who: string, user: SessionUser | null, me: number, agentsOnly: number][] = [
  ['a signed-out caller', null, 401, 401],
  ['a customer', { ...agent, role: 'customer' }, 200, 403],
  ['an agent', agent, 200, 200],
];
test.each(callers)('guards: %s', async (_, user, me, agentsOnly) => {
  const [{ url }, standalone] = await Promise.all([startAdapter({ user }), startStandalone(user)]);
  for (const [path, status] of [
    ['me', me],
    ['agentsOnly', agentsOnly],
  ]) {
    const answer = await answerOf(`${url}/${path}`);
    expect(answer.status).toBe(status);
    expect(answer).toEqual(await answerOf(`${standalone}/${path}`));
  }
});
