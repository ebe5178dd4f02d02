/** The adapter through the official client. */
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { doors, startAdapter, type TestRouter } from '../../support/http/adapter-fixture.ts';

async function startClient(options: Parameters<typeof startAdapter>[0] = {}) {
  const server = await startAdapter(options);
  const link = httpLink({ url: server.url, transformer: superjson, headers: { 'x-own': 'from the client' } });
  return { ...server, client: createTRPCClient<TestRouter>({ links: [link] }) };
}

test('simple query, nested query, mutation without and with a body, two in a row', async () => {
  const { client } = await startClient();
  expect(await client.hello.query({ who: 'Ann' })).toEqual({ text: 'hello Ann' });
  expect(await client.hello.query()).toEqual({ text: 'hello world' });
  expect(await client.nested.deep.query()).toBe('deep');
  expect(await client.mutate.mutate()).toBe('done');
  expect(await client.length.mutate('12345')).toBe(5);
});

test('request headers reach the context', async () => {
  const { client } = await startClient();
  expect(await client.header.query('x-own')).toBe('from the client');
});

test('transformer: rich values are restored', async () => {
  const { client } = await startClient();
  expect(await client.values.query()).toEqual({
    at: new Date('2026-11-20T10:00:00.000Z'),
    big: 9_007_199_254_740_993n,
    set: new Set(['a']),
    maybe: undefined,
  });
  expect(await client.nothing.mutate()).toBeUndefined();
});

test('meta that the client writes for ordinary inputs is accepted: undefined, minus zero, the same point twice', async () => {
  const { client } = await startClient();
  const point = { latitude: -0, longitude: 5 };
  const polygon = [point, { latitude: 1, longitude: 1 }, { latitude: 2, longitude: 5 }, point];
  expect(await client.within.query({ polygon, limit: undefined })).toBe(4);
  expect(await client.echo.mutate([point, undefined, { none: undefined }])).toEqual([
    { latitude: -0, longitude: 5 },
    undefined,
    { none: undefined },
  ]);
});

test('a polygon of 200 points is sent by POST', async () => {
  const server = await startAdapter();
  const link = httpLink({ url: server.url, transformer: superjson, methodOverride: 'POST' });
  const client = createTRPCClient<TestRouter>({ links: [link] });
  const polygon = Array.from({ length: 200 }, (_, at) => ({
    latitude: Math.sin(at),
    longitude: Math.cos(at),
  }));
  expect(await client.within.query({ polygon })).toBe(200);
  const byGet = createTRPCClient<TestRouter>({
    links: [httpLink({ url: server.url, transformer: superjson })],
  });
  await expect(byGet.within.query({ polygon })).rejects.toMatchObject({
    data: { httpStatus: 431, errorCode: 'REQUEST_HEAD_TOO_LARGE', messageKey: 'errors.requestHeadTooLarge' },
  });
});

test('error query: code, key and fields are typed data of the client error', async () => {
  const { client } = await startClient();
  const refused = await client.fail.query('wrapped').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TRPCClientError);
  expect(refused).toMatchObject({
    data: {
      code: 'PRECONDITION_FAILED',
      httpStatus: 412,
      errorCode: 'STAGING_UNAVAILABLE',
      messageKey: 'staging.unavailable',
      path: 'fail',
    },
  });
  const invalid = await client.validated.mutate({ name: 'A', rooms: [] }).catch((error: unknown) => error);
  expect(invalid).toMatchObject({
    data: { errorCode: 'INVALID_INPUT', fields: { name: [expect.any(String)] } },
  });
});

test('abortQuery: aborting on the client aborts the signal on the server', async () => {
  const door = doors();
  const { client } = await startClient({ doors: door });
  const controller = new AbortController();
  const call = client.wait.query(undefined, { signal: controller.signal });
  const signal = await door.entered.opened;
  controller.abort();
  await expect(call).rejects.toThrow(TRPCClientError);
  await door.aborted.opened;
  expect(signal.aborted).toBe(true);
});
