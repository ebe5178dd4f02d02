import superjson from 'superjson';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { nodeTransport } from '../../../clients/typescript/node-transport.ts';
import type { Outputs } from '../../../clients/typescript/procedures.ts';
import { callOf } from '../../../clients/typescript/procedures.ts';
import { type Transport, TransportError } from '../../../clients/typescript/transport.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, refuse, rejection, startServer, succeed } from '../../support/http/client-under-test.ts';

describe('envelopes', () => {
  test('a query is one GET with ?input=, a mutation one POST with a JSON body', async () => {
    const { url, seen } = await startServer((_request, response) =>
      succeed(response, { items: [], nextCursor: null }),
    );
    const { client } = clientOf(url);
    await client.users.getMe();
    await client.ai.listStagingJobs({ propertyId: 'ä&b=c', limit: 2 });
    await client.ai.rejectStagedVariant({ imageId: 'i', reason: null });
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/trpc/users.getMe', ''],
      [
        'GET',
        `/api/trpc/ai.listStagingJobs?input=${encodeURIComponent('{"json":{"propertyId":"ä&b=c","limit":2}}')}`,
        '',
      ],
      ['POST', '/api/trpc/ai.rejectStagedVariant', '{"json":{"imageId":"i","reason":null}}'],
    ]);
    expect(seen[2]!.headers['content-type']).toBe('application/json');
    expect(seen.every(({ url }) => !url.includes('batch'))).toBe(true);
  });

  test('a query with a long URL is a POST with the same envelope', () => {
    const input = (length: number) => ({ filters: { keywords: 'x'.repeat(length) } });
    expect(callOf('search.list', 'query', input(3_000))).toMatchObject({ method: 'GET' });
    const { method, path, contentType, body } = callOf('search.list', 'query', input(4_000));
    expect([method, path, contentType]).toEqual(['POST', '/api/trpc/search.list', 'application/json']);
    expect(JSON.parse(Buffer.from(body!).toString())).toEqual({ json: input(4_000) });
  });

  test('values that JSON cannot hold are sent with meta', () => {
    const input = { at: new Date(0), none: undefined };
    const { path } = callOf('a.b', 'query', input);
    const sent = JSON.parse(decodeURIComponent(path.slice(path.indexOf('=') + 1)));
    expect(sent.meta.values).toEqual({ at: ['Date'], none: ['undefined'] });
    expect(superjson.deserialize(sent)).toEqual(input);
  });

  test('outputs are decoded with their meta', async () => {
    const at = new Date(5);
    const { url } = await startServer(
      (_request, response) =>
        void response.end(JSON.stringify({ result: { data: superjson.serialize({ at }) } })),
    );
    expect(await clientOf(url).client.users.getMe()).toEqual({ at });
  });

  test.each([
    'ENQUEUED',
    'EXISTING',
    'style_exists',
    'RETRYING',
    'CANCEL_REQUESTED',
    'CANCELED',
    'HIBERNATING',
  ])('the string %s arrives as it was sent', async (word) => {
    const { url } = await startServer((_request, response) =>
      succeed(response, { status: word, results: [{ disposition: word }] }),
    );
    const { client } = clientOf(url);
    expect((await client.ai.getStagingJob({ aiJobId: 'j' })).status).toBe(word);
    expect((await client.ai.submitRoomStaging({ assignments: [] })).results[0]?.disposition).toBe(word);
  });

  test('types come from the router, and enums stay open to unknown values', () => {
    type Job = Outputs['ai']['getStagingJob'];
    expectTypeOf<'RETRYING'>().toExtend<Job['status']>();
    expectTypeOf<string>().toExtend<Job['status']>();
    expectTypeOf<Job['createdAt']>().toEqualTypeOf<string>();
    expectTypeOf<Outputs['users']['getMe']['agent']>().toExtend<{ phone: string | null } | null>();
    expectTypeOf<Parameters<typeof useReject>[0]>().toEqualTypeOf<{
      imageId: string;
      reason?: string | null | undefined;
    }>();
  });
});

declare const useReject: ReturnType<typeof clientOf>['client']['ai']['rejectStagedVariant'];

describe('errors are thrown unchanged and at once', () => {
  const body = (data: object) => ({ error: { json: { message: 'Choose another.', code: -32600, data } } });
  test.each([
    [
      'a procedure’s',
      412,
      body({
        code: 'PRECONDITION_FAILED',
        httpStatus: 412,
        errorCode: 'STAGING_UNAVAILABLE',
        messageKey: 'staging.unavailable',
      }),
      {
        code: 'PRECONDITION_FAILED',
        errorCode: 'STAGING_UNAVAILABLE',
        messageKey: 'staging.unavailable',
        fields: {},
      },
    ],
    [
      'one about input',
      400,
      body({
        code: 'BAD_REQUEST',
        errorCode: 'INVALID_INPUT',
        fields: { 'a.0.b': ['Too short.', 7], c: 'x' },
      }),
      { errorCode: 'INVALID_INPUT', messageKey: null, fields: { 'a.0.b': ['Too short.'], c: [] } },
    ],
    [
      'a plain route’s',
      400,
      { error: { code: 'STAGED_CANNOT_BE_MAIN', message: 'No.' } },
      { code: null, errorCode: 'STAGED_CANNOT_BE_MAIN', message: 'No.' },
    ],
    [
      'sign-in’s',
      403,
      { message: 'Too many', code: 'TOO_MANY_ATTEMPTS' },
      { code: null, errorCode: 'TOO_MANY_ATTEMPTS' },
    ],
    [
      'one that is not ours',
      502,
      '<html>Bad gateway</html>',
      { code: null, errorCode: null, message: 'HTTP 502', body: '<html>Bad gateway</html>' },
    ],
    ['an empty one', 500, '', { errorCode: null, body: '' }],
    ['nonsense', 500, { error: { json: [1] } }, { errorCode: null, fields: {} }],
    ['null', 500, null, { errorCode: null, body: null }],
  ])('%s', async (_what, status, answer, expected) => {
    const { url, seen } = await startServer((_request, response) => {
      response.writeHead(status, { 'x-request-id': 'req-7', 'retry-after': '30' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
    const { client, timing } = clientOf(url);
    expect(await rejection(client.users.updateProfile({}))).toMatchObject({
      name: 'ApiError',
      httpStatus: status,
      requestId: 'req-7',
      retryAfterSeconds: 30,
      ...expected,
    });
    expect(seen).toHaveLength(1);
    expect(timing.pauses).toEqual([]);
  });

  test.each(['<html>', '{}', '{"result":{}}', '{"result":{"data":7}}', 'null', ''])(
    'a successful answer of %j is an unexpected answer',
    async (text) => {
      const { url } = await startServer((_request, response) => void response.end(text));
      expect(await rejection(clientOf(url).client.users.getMe())).toMatchObject({
        name: 'UnexpectedAnswerError',
        httpStatus: 200,
      });
    },
  );
});

describe('the network', () => {
  const breakages = {
    'a connection reset before the answer': (raw: { socket: { resetAndDestroy(): unknown } }) =>
      void raw.socket.resetAndDestroy(),
    'a connection closed before the answer': (raw: { socket: { destroy(): unknown } }) =>
      void raw.socket.destroy(),
    'an answer that breaks off': (raw: { socket: { end(text: string): unknown } }) =>
      void raw.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"result"'),
    'an answer that is not HTTP': (raw: { socket: { end(text: string): unknown } }) =>
      void raw.socket.end('SMTP ready\r\n\r\n'),
  } as const;

  test.each(Object.entries(breakages))(
    'after %s the same request is retried, mutations too',
    async (_what, breakIt) => {
      const { url, seen } = await startServer((_request, response, raw) => {
        if (seen.length % 3 === 0) succeed(response, { done: seen.length });
        else breakIt(raw as never);
      });
      const { client, timing } = clientOf(url);
      expect(await client.users.getMe()).toEqual({ done: 3 });
      expect(await client.users.updateProfile({ name: 'Z' })).toEqual({ done: 6 });
      expect(new Set(seen.slice(3).map(({ method, url, body }) => method + url + body)).size).toBe(1);
      expect(timing.pauses).toEqual([125, 250, 125, 250]);
    },
  );

  test('a call to a closed port fails after three tries, with the cause', async () => {
    const { client, timing, signOuts } = clientOf('http://127.0.0.1:1');
    const error = await rejection(client.users.getMe());
    expect(error).toMatchObject({ name: 'NetworkError', attempts: 3 });
    expect((error as Error).cause).toMatchObject({ name: 'TransportError' });
    expect(timing.pauses).toEqual([125, 250]);
    expect(signOuts).toEqual([]);
  });

  test('the caller can set the timeout', async () => {
    const retries = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };
    const { client } = clientOf('http://127.0.0.1:1', { retries });
    expect(await rejection(client.users.getMe())).toMatchObject({ attempts: 1 });
  });

  test('a retry is never sent under another session', async () => {
    const { url, seen } = await startServer(({ url }, response) => {
      if (!url.includes('sign-in')) return;
      response.setHeader('set-cookie', 'better-auth.session_token=other');
      response.end(JSON.stringify({ user: { id: '2', email: '', name: '' } }));
    });
    const lost: Array<() => void> = [];
    const plain = nodeTransport();
    const transport: Transport = {
      send(request) {
        if (request.url.includes('sign-in')) return plain.send(request);
        return new Promise((_, reject) => lost.push(() => reject(new TransportError('reset'))));
      },
      close: plain.close,
    };
    const { client } = clientOf(url, { transport });
    const call = rejection(client.users.updateProfile({ name: 'mine' }));
    await eventually(() => lost.length === 1, { what: 'the first try' });
    await client.auth.signInWithOtp({ email: 'b@b.c', otp: '1' });
    lost[0]!();
    expect(await call).toMatchObject({ name: 'NetworkError', attempts: 1 });
    expect(lost).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  test('a call without an answer fails at the timeout and is not retried', async () => {
    let closed = 0;
    const { url, seen } = await startServer(
      (_request, _response, raw) => void raw.socket.on('close', () => (closed += 1)),
    );
    const { client, timing } = clientOf(url);
    const call = rejection(client.users.getMe(undefined, { timeoutMs: 12_345 }));
    await eventually(() => seen.length === 1, { what: 'the request' });
    timing.expire();
    expect(await call).toMatchObject({ name: 'TimeoutError', timeoutMs: 12_345 });
    await eventually(() => closed === 1, { what: 'the connection given up' });
    expect(seen).toHaveLength(1);
  });

  test('an AbortSignal ends a call before it starts, while it waits, and between tries', async () => {
    const { url, seen } = await startServer(() => {});
    const reason = new Error('screen closed');
    const { client } = clientOf(url);
    expect(await rejection(client.users.getMe(undefined, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(seen).toEqual([]);
    const controller = new AbortController();
    const call = rejection(client.users.getMe(undefined, { signal: controller.signal }));
    await eventually(() => seen.length === 1, { what: 'the request' });
    controller.abort(reason);
    expect(await call).toBe(reason);

    const between = new AbortController();
    const timing = {
      now: () => 0,
      random: () => 0,
      after: () => {
        if (!between.signal.aborted) queueMicrotask(() => between.abort(reason));
        return () => {};
      },
    };
    const stuck = clientOf('http://127.0.0.1:1', { timing }).client;
    expect(await rejection(stuck.users.getMe(undefined, { signal: between.signal }))).toBe(reason);
  });
});

describe('pictures', () => {
  test('an upload is one form with its fields and the unchanged file', async () => {
    const bytes = new Uint8Array([0xff, 0xd8, 13, 10, 45, 45, 0, 34]);
    let received: FormData | undefined;
    const { url } = await startServer(() => {});
    const parts = clientOf(url, {
      transport: {
        async send({ headers, body }) {
          received = await new Response(new Uint8Array(body!), { headers }).formData();
          return { status: 201, headers: [], body: new TextEncoder().encode('{"imageId":"i"}') };
        },
        close() {},
      },
    });
    const picture = { bytes, contentType: 'image/jpeg', fileName: 'a"b\r\nc.jpg' };
    expect(await parts.client.images.upload({ propertyId: 'p', roomType: 'KITCHEN', picture })).toEqual({
      imageId: 'i',
    });
    expect([received?.get('propertyId'), received?.get('roomType')]).toEqual(['p', 'KITCHEN']);
    const file = received?.get('file') as File;
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect([file.type, file.name]).toEqual(['image/jpeg', 'a"b\r\nc.jpg']);
  });

  test('a rejected upload neither ends the session nor is retried', async () => {
    const { url, seen } = await startServer((_request, response) => refuse(response, 413));
    const { client, signOuts } = clientOf(url);
    expect(await rejection(client.images.uploadAvatar({ bytes: new Uint8Array(9) }))).toMatchObject({
      httpStatus: 413,
    });
    expect([seen.length, seen[0]?.method, seen[0]?.url]).toEqual([1, 'PUT', '/api/users/avatar']);
    expect(signOuts).toEqual([]);
  });
});
