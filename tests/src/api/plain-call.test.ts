/**
 * Plain calls are answered by our own code; tRPC's code answers them when a header requires it. Both must give the
 * same answer.
 */
import { expect, test } from 'vitest';
import type { SessionUser } from '../../../src/api/base.ts';
import { agent, inputOf, JSON_TYPE, startAdapter } from '../../support/http/adapter-fixture.ts';

/** The header means nothing to tRPC, but a request with it is not plain. */
const BY_FETCH = { 'trpc-accept': 'application/json' };

const DATED = '{"json":{"at":"2026-11-20"},"meta":{"values":{"at":["Date"]}}}';
const DEEP = `{"json":${'['.repeat(40)}${']'.repeat(40)}}`;
const LATIN1 = Buffer.from('{"json":"caf\xe9"}', 'latin1');

const calls: [what: string, path: string, init?: RequestInit][] = [
  ['a query', `hello?${inputOf({ who: 'Ann' })}`],
  ['a query without input', 'hello'],
  ['a query with an empty input', 'hello?input='],
  ['a query with a bare percent sign', 'hello?input={"json":{"who":"5%"}}'],
  ['an input with another parameter before it', `hello?x=1&${inputOf({ who: 'Ann' })}`],
  ['an escaped name of the input', `hello?${inputOf({ who: 'Ann' }).replace('input', 'in%70ut')}`],
  ['a query with a plus in its input', `hello?input=${JSON.stringify({ json: { who: 'a+b' } })}`],
  ['two inputs', `hello?${inputOf({ who: 'Ann' })}&${inputOf({ who: 'Bob' })}`],
  ['an input that is no JSON', 'hello?input=%7B'],
  ['an input that no schema takes', `hello?${inputOf({ who: 7 })}`],
  ['a broken input that is not read', 'nested.deep?input=%7B'],
  ['an error that asks to wait', `fail?${inputOf('limited')}`],
  ['an error with a code', `fail?${inputOf('unprocessable')}`],
  ['a fault', `fail?${inputOf('plain')}`],
  ['an output that does not fit', 'badOutput'],
  ['unauthenticated', 'me'],
  ['a mutation', 'echo', { method: 'POST', headers: JSON_TYPE, body: '{"json":{"a":[1,"é"]}}' }],
  [
    'a mutation with a byte-order mark',
    'echo',
    { method: 'POST', headers: JSON_TYPE, body: '\ufeff{"json":1}' },
  ],
  ['a mutation without a body', 'nothing', { method: 'POST', headers: JSON_TYPE }],
  ['a mutation that sets headers', 'cookies', { method: 'POST', headers: JSON_TYPE }],
  ['a body that is no JSON', 'validated', { method: 'POST', headers: JSON_TYPE, body: '{' }],
  [
    'a body of another type',
    'echo',
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
  ],
  ['a mutation asked for as a query', 'mutate'],
  ['a query by POST', 'hello', { method: 'POST', headers: JSON_TYPE, body: '{"json":{"who":"Ann"}}' }],
  ['an input without its envelope', 'hello', { method: 'POST', headers: JSON_TYPE, body: '{}' }],
  ['a type that no input has', 'echo', { method: 'POST', headers: JSON_TYPE, body: DATED }],
  ['an input that nests too deep', 'echo', { method: 'POST', headers: JSON_TYPE, body: DEEP }],
  ['a body that is no UTF-8', 'echo', { method: 'POST', headers: JSON_TYPE, body: LATIN1 }],
  ['a batch of one', 'hello?batch=1&input={"0":{"json":{}}}'],
];

async function answerOf(url: string, init: RequestInit | undefined, headers: Record<string, string>) {
  const response = await fetch(url, { ...init, headers: { ...(init?.headers as object), ...headers } });
  const own = new Set(['date', 'x-request-id']);
  const told = [...response.headers].filter(([name]) => !own.has(name));
  return { status: response.status, headers: told, body: await response.text() };
}

test.each(calls)('%s', async (_, path, init) => {
  const { url } = await startAdapter();
  const plain = await answerOf(`${url}/${path}`, init, {});
  expect(plain).toEqual(await answerOf(`${url}/${path}`, init, BY_FETCH));
});

const callers: [who: string, user: SessionUser | null, me: number, agentsOnly: number][] = [
  ['nobody', null, 401, 401],
  ['a customer', { ...agent, role: 'customer' }, 200, 403],
  ['an agent', agent, 200, 200],
];
test.each(callers)('the guards answer %s', async (_, user, me, agentsOnly) => {
  const { url } = await startAdapter({ user });
  for (const [path, status] of [
    ['me', me],
    ['agentsOnly', agentsOnly],
  ]) {
    const plain = await answerOf(`${url}/${path}`, undefined, {});
    expect(plain.status).toBe(status);
    expect(plain).toEqual(await answerOf(`${url}/${path}`, undefined, BY_FETCH));
  }
});
