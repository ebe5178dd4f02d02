import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRIES } from '../../../../clients/typescript/timing.ts';
import { createBrowserSender } from '../../../../clients/web/api/browser-sender.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  type Handler,
  refuse,
  rejection,
  startServer,
  succeed,
  testTiming,
} from '../../../support/http/client-under-test.ts';

/** How the site's calls are sent from a browser, against a real server. */
const CHANGE = { method: 'POST', path: '/change', isRepeatable: true } as const;
const QUESTION = { method: 'GET', path: '/question' } as const;

async function senderTo(handler: Handler, person: () => string | null | undefined = () => null) {
  const { url, seen } = await startServer(handler);
  const timing = testTiming();
  const unauthorized: string[] = [];
  const reached: boolean[] = [];
  const changes: string[] = [];
  let keys = 0;
  const { send } = createBrowserSender({
    // A page's addresses have no origin; here they get the server's.
    fetch: (path, init) => fetch(url + path, init),
    timing,
    retries: DEFAULT_RETRIES,
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    person,
    onPersonChanged: () => changes.push(seen.at(-1)?.url ?? ''),
    onUnauthorized: () => unauthorized.push(seen.at(-1)?.url ?? ''),
    onReachable: (isReachable) => reached.push(isReachable),
  });
  const keysSeen = () => seen.map(({ headers }) => headers['idempotency-key'] ?? null);
  return { send, seen, keysSeen, timing, unauthorized, reached, changes };
}

describe('a failed network', () => {
  test('is tried again with the same key; the next call has another one', async () => {
    const { send, keysSeen, timing, reached } = await senderTo((_request, response, raw) =>
      keysSeen().length < 3 ? raw.socket.destroy() : succeed(response, {}),
    );
    expect((await send(CHANGE)).status).toBe(200);
    await send(CHANGE);
    expect(keysSeen()).toEqual(['key-1', 'key-1', 'key-1', 'key-2']);
    expect(timing.pauses).toEqual([125, 250]);
    expect(reached).toEqual([true, true]);
  });

  test('ends the call after three tries, and says that the server is not reached', async () => {
    const { send, seen, reached } = await senderTo((_request, _response, raw) => raw.socket.destroy());
    expect(await rejection(send(QUESTION))).toMatchObject({ name: 'NetworkError', attempts: 3 });
    expect(seen).toHaveLength(3);
    expect(reached).toEqual([false]);
  });

  test('in the middle of an answer is one, too', async () => {
    const { send, seen } = await senderTo((_request, response, raw) => {
      if (seen.length > 1) return succeed(response, {});
      response.writeHead(200, { 'content-length': '100' }).write('{', () => raw.socket.destroy());
    });
    expect((await send(QUESTION)).status).toBe(200);
    expect(seen).toHaveLength(2);
  });
});

test.each([400, 401, 403, 409, 429, 500, 503])(
  'an answer of %i ends the call at its first try',
  async (status) => {
    const { send, seen, timing, reached } = await senderTo((_request, response) => refuse(response, status));
    expect(await rejection(send(CHANGE))).toMatchObject({ name: 'ApiError', httpStatus: status });
    expect(seen).toHaveLength(1);
    expect(timing.pauses).toEqual([]);
    expect(reached).toEqual([true]);
  },
);

test('a redirect is an answer that fails: it is neither followed nor tried again', async () => {
  const { send, seen, reached } = await senderTo((_request, response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  );
  expect(await rejection(send(QUESTION))).toMatchObject({ name: 'ApiError', httpStatus: 302 });
  expect(seen).toHaveLength(1);
  expect(reached).toEqual([true]);
});

test('what changes nothing carries no key', async () => {
  const { send, keysSeen } = await senderTo((_request, response) => succeed(response, {}));
  await send(QUESTION);
  await send({ method: 'POST', path: '/long-question' });
  expect(keysSeen()).toEqual([null, null]);
});

test('every 401 is reported, and no other answer', async () => {
  const { send, unauthorized } = await senderTo(({ url }, response) => {
    const status = Number(url.slice(1));
    return status === 200 ? succeed(response, {}) : refuse(response, status);
  });
  for (const path of ['/200', '/401', '/403', '/500', '/401'])
    await send({ method: 'GET', path }).catch(() => undefined);
  expect(unauthorized).toEqual(['/401', '/401']);
});

describe('a call that no one waits for any more', () => {
  test('ends at its time limit, and is not tried again', async () => {
    const { send, seen, timing } = await senderTo(() => undefined);
    const failure = rejection(send(CHANGE));
    await eventually(() => seen.length === 1, { what: 'the request' });
    timing.expire();
    expect(await failure).toMatchObject({ name: 'TimeoutError' });
    expect(seen).toHaveLength(1);
  });

  test('ends with its signal, before and during its tries', async () => {
    const { send, seen, reached } = await senderTo(() => undefined);
    const reason = new Error('the page was left');
    expect(await rejection(send(QUESTION, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const leaving = new AbortController();
    const failure = rejection(send(QUESTION, { signal: leaving.signal }));
    await eventually(() => seen.length === 1, { what: 'the request' });
    leaving.abort(reason);
    expect(await failure).toBe(reason);
    expect(seen).toHaveLength(1);
    expect(reached).toEqual([]);
  });
});

describe('the person of the page', () => {
  test('is named by every call: an id, no one, or nothing while it is not known', async () => {
    const people = ['a-1', null, undefined];
    const { send, seen } = await senderTo(
      (_request, response) => succeed(response, {}),
      () => people[seen.length],
    );
    await send(CHANGE);
    await send(QUESTION);
    await send(QUESTION);
    expect(seen.map(({ headers }) => headers['x-person'])).toEqual(['a-1', 'none', undefined]);
  });

  test('is not the one who is signed in: the page learns it, and the call fails without another try', async () => {
    const { send, seen, changes, unauthorized } = await senderTo((_request, response) => {
      response.writeHead(409, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'PERSON_CHANGED', message: 'No.' } }));
    });
    expect(await rejection(send(CHANGE))).toMatchObject({ errorCode: 'PERSON_CHANGED' });
    expect([seen.length, changes, unauthorized]).toEqual([1, ['/change'], []]);
  });
});
