/** The adapter as the official client sees it. */
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { doors, startAdapter, type TestRouter } from './adapter-fixture.ts';

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

test('transformer: rich values go there and back', async () => {
  const { client } = await startClient();
  const values = { at: new Date(0), big: 2n ** 70n, set: new Set(['a', 'b']), maybe: undefined };
  expect(await client.values.mutate(values)).toEqual(values);
  expect(await client.nothing.mutate()).toBeUndefined();
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
