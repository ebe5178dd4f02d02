/** The cases of tRPC's own adapters (docs/provider.md#trpc) that apply without batching, over real sockets. */
import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/errors/errors.ts';
import { agent, inputOf, JSON_TYPE, postJson, startAdapter } from '../../support/http/adapter-fixture.ts';
import { connectRaw } from '../../support/http/raw-client.ts';

async function errorOf(response: Response) {
  const text = await response.text();
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(['error']);
  expect(Object.keys(body.error)).toEqual(['json']);
  expect(text).not.toMatch(/stack|hunter2|node_modules/);
  return { ...body.error.json, status: response.status, type: response.headers.get('content-type') };
}

describe('queries and mutations', () => {
  test('simple query', async () => {
    const { url } = await startAdapter();
    const response = await fetch(`${url}/hello?${inputOf({ who: 'Ann' })}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(response.headers.get('vary')).toBe('Cookie, Accept-Language');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ result: { data: { json: { text: 'hello Ann' } } } });
  });

  test('what waits for a service of others takes no turn of the public', async () => {
    const { url, turns } = await startAdapter();
    const text = async (path: string) => (await fetch(`${url}/${path}`)).text();
    expect([await text('waits'), turns()]).toEqual(['{"result":{"data":{"json":"waited"}}}', 0]);
    await text('nested.deep');
    expect(turns()).toBe(1);
  });

  test('a query without input, nested, and with a trailing slash', async () => {
    const { url } = await startAdapter();
    expect(await (await fetch(`${url}/hello`)).json()).toEqual({
      result: { data: { json: { text: 'hello world' } } },
    });
    for (const path of ['nested.deep', 'nested.deep/', 'nested%2Edeep']) {
      const response = await fetch(`${url}/${path}`, { redirect: 'manual' });
      expect([response.status, await response.json()]).toEqual([200, { result: { data: { json: 'deep' } } }]);
    }
  });

  test('url-encoded input: every reserved character survives (tRPC #4673)', async () => {
    const { url } = await startAdapter();
    const who = 'a,b&c=d%2C+ é #?/日本';
    const response = await fetch(`${url}/hello?${inputOf({ who })}`);
    expect(await response.json()).toEqual({ result: { data: { json: { text: `hello ${who}` } } } });
  });

  test('a mutation has a body; charset and case of the content type do not matter', async () => {
    const { url } = await startAdapter();
    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
      const response = await postJson(`${url}/echo`, { json: { a: [1, 'é'] } }, { 'content-type': type });
      expect(await response.json()).toEqual({ result: { data: { json: { a: [1, 'é'] } } } });
    }
  });

  test('an empty body is undefined input, and undefined is returned as undefined', async () => {
    const { url } = await startAdapter();
    const response = await fetch(`${url}/nothing`, { method: 'POST', headers: JSON_TYPE });
    expect(await response.json()).toEqual({
      result: { data: { json: null, meta: { values: ['undefined'], v: 1 } } },
    });
  });

  test('a query may be sent by POST, with its input in the body', async () => {
    const { url } = await startAdapter();
    const who = 'x'.repeat(100_000);
    const response = await postJson(`${url}/hello`, { json: { who } });
    expect([response.status, await response.json()]).toEqual([
      200,
      { result: { data: { json: { text: `hello ${who}` } } } },
    ]);
    expect((await fetch(`${url}/hello`, { method: 'POST', headers: JSON_TYPE })).status).toBe(200);
  });

  test('transformer: undefined in both directions, other types to the client only', async () => {
    const { url } = await startAdapter();
    const body = { json: [1, null], meta: { values: { 1: ['undefined'] }, v: 1 } };
    expect(await (await postJson(`${url}/echo`, body)).json()).toEqual({ result: { data: body } });
    expect(await (await fetch(`${url}/values`)).json()).toEqual({
      result: {
        data: {
          json: { at: '2026-11-20T10:00:00.000Z', big: '9007199254740993', set: ['a'], maybe: null },
          meta: { values: { at: ['Date'], big: ['bigint'], set: ['set'], maybe: ['undefined'] }, v: 1 },
        },
      },
    });
  });

  test('HEAD is 204 without a body, and creates no context', async () => {
    const { url, contexts } = await startAdapter();
    const response = await fetch(`${url}/me`, { method: 'HEAD' });
    expect([response.status, await response.text(), contexts.length]).toEqual([204, '', 0]);
  });
});

describe('headers', () => {
  test('request headers, id and client address are in the context', async () => {
    const { url } = await startAdapter({ trustedProxyHops: 1 });
    const headers = { 'x-own': 'value', 'x-forwarded-for': '10.9.9.9, 203.0.113.7' };
    const own = await fetch(`${url}/header?${inputOf('x-own')}`, { headers });
    expect(await own.json()).toEqual({ result: { data: { json: 'value' } } });
    const whoami = await fetch(`${url}/whoami`, { headers });
    const id = whoami.headers.get('x-request-id');
    expect(await whoami.json()).toEqual({ result: { data: { json: { id, ip: '203.0.113.7' } } } });
  });

  test('headers set by a procedure are sent to the client, each set-cookie separately and once', async () => {
    const { url } = await startAdapter();
    const response = await postJson(`${url}/cookies`, {});
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(response.headers.get('x-own')).toBe('yes');
  });

  test('retry-after of an error is sent to the client', async () => {
    const { url } = await startAdapter();
    const response = await fetch(`${url}/fail?${inputOf('limited')}`);
    expect([
      response.status,
      response.headers.get('retry-after'),
      response.headers.get('cache-control'),
    ]).toEqual([429, '7', 'no-store']);
  });
});

describe('methods and content types', () => {
  test('mutations require a content type: without it 415; with it an empty body is accepted', async () => {
    const { url } = await startAdapter();
    const without = await errorOf(await fetch(`${url}/mutate`, { method: 'POST' }));
    expect(without).toMatchObject({
      status: 415,
      type: 'application/json; charset=utf-8',
      message: 'Send the input as application/json.',
    });
    expect(without.data).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      errorCode: 'UNSUPPORTED_MEDIA_TYPE',
    });
    const wrong = await errorOf(await postJson(`${url}/mutate`, {}, { 'content-type': 'text/plain' }));
    expect(wrong.status).toBe(415);
    expect((await fetch(`${url}/mutate`, { method: 'POST', headers: JSON_TYPE })).status).toBe(200);
  });

  test('PUT is 405 in the error format', async () => {
    const { url } = await startAdapter();
    const response = await fetch(`${url}/mutate`, { method: 'PUT', headers: JSON_TYPE });
    expect(response.headers.get('allow')).toBe('POST');
    expect(await errorOf(response)).toEqual({
      status: 405,
      type: 'application/json',
      message: 'Unsupported PUT-request to mutation procedure at path "mutate"',
      code: -32005,
      data: {
        code: 'METHOD_NOT_SUPPORTED',
        httpStatus: 405,
        path: 'mutate',
        errorCode: 'METHOD_NOT_ALLOWED',
        messageKey: 'errors.methodNotAllowed',
      },
    });
  });

  test('PUT of a query and GET of a mutation are 405 with the allowed methods', async () => {
    const { url } = await startAdapter();
    const query = await fetch(`${url}/hello`, { method: 'PUT', headers: JSON_TYPE });
    expect([query.status, query.headers.get('allow')]).toEqual([405, 'GET, POST']);
    const mutation = await fetch(`${url}/mutate`);
    expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('an unknown method is 405 in the error format too', async () => {
    const { port } = await startAdapter();
    const connection = await connectRaw(port);
    connection.send('BREW /api/trpc/hello HTTP/1.1\r\nHost: x\r\n\r\n');
    const transcript = await connection.until(/\}\}\}\}$/);
    expect(transcript).toMatch(
      /^HTTP\/1.1 405 .*"code":"METHOD_NOT_SUPPORTED","httpStatus":405,"path":"hello"/s,
    );
  });

  test('forms and bytes, which tRPC accepts, are rejected like every other type', async () => {
    const { url } = await startAdapter();
    const form = new FormData();
    form.set('who', 'Ann');
    const bytes = { body: '{}', headers: { 'content-type': 'application/octet-stream' } };
    for (const init of [{ body: form }, bytes]) {
      const response = await fetch(`${url}/length`, { method: 'POST', ...init });
      expect(await errorOf(response)).toMatchObject({
        status: 415,
        data: { errorCode: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    }
  });
});

describe('one call per request', () => {
  test('batch=1 is 400 with one error object, and creates no context', async () => {
    const { url, contexts } = await startAdapter();
    for (const path of ['hello', 'hello,nested.deep']) {
      expect(await errorOf(await fetch(`${url}/${path}?batch=1&input=%7B%7D`))).toMatchObject({
        status: 400,
        type: 'application/json; charset=utf-8',
        message: 'Send one call a request: batches are not taken.',
        code: -32600,
        data: {
          code: 'BAD_REQUEST',
          httpStatus: 400,
          errorCode: 'INVALID_INPUT',
          fields: { batch: ['Send one call a request: batches are not taken.'] },
        },
      });
    }
    expect(contexts).toEqual([]);
  });

  test('commas in the path without batch=1, encoded or not, are 404', async () => {
    const { url } = await startAdapter();
    for (const path of ['hello,hello', 'hello%2Chello']) {
      const refused = await errorOf(await fetch(`${url}/${path}`));
      expect(refused).toMatchObject({ status: 404, data: { path: 'hello,hello' } });
    }
  });
});

describe('paths', () => {
  test('an unknown procedure is 404 in the error format', async () => {
    const { url } = await startAdapter();
    expect(await errorOf(await fetch(`${url}/no.such`))).toEqual({
      status: 404,
      type: 'application/json',
      message: 'No procedure found on path "no.such"',
      code: -32004,
      data: {
        code: 'NOT_FOUND',
        httpStatus: 404,
        path: 'no.such',
        errorCode: 'NOT_FOUND',
        messageKey: 'errors.notFound',
      },
    });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hello.toString', 'nested', 'hello/x', ''])(
    '"%s" is 404',
    async (path) => {
      const { url } = await startAdapter();
      expect((await errorOf(await fetch(`${url}/${path}`))).status).toBe(404);
    },
  );

  test('a bad url is 400 in the error format, and the server keeps running', async () => {
    const { port, url } = await startAdapter();
    const bad = [
      'GET /api/trpc/hello HTTP/1.1\r\nHost: hotmail-com.olc.protection.outlook.com%3A25\r\n\r\n',
      'GET /api/trpc/%zz HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/trpc/hello%00 HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    for (const bytes of bad) {
      const connection = await connectRaw(port);
      connection.send(bytes);
      expect(await connection.untilClosed()).toMatch(
        /^HTTP\/1.1 400 .*\{"error":\{"json":\{"message":"[^"]+","code":-32600/s,
      );
    }
    expect((await fetch(`${url}/hello`)).status).toBe(200);
  });
});

describe('unreadable input is INVALID_INPUT', () => {
  test.each([
    ['broken JSON', '{'],
    ['null', 'null'],
    ['a bare string', '"x"'],
    ['an unwrapped body', '{"name":"Ann"}'],
    ['meta that does not fit', '{"json":{"name":1},"meta":{"values":{"a.b.c":["Date"]}}}'],
  ])('%s', async (_name, body) => {
    const { url, logs } = await startAdapter();
    const response = await fetch(`${url}/validated`, { method: 'POST', headers: JSON_TYPE, body });
    const refused = await errorOf(response);
    expect(refused).toMatchObject({
      status: 400,
      code: -32600,
      data: {
        code: 'BAD_REQUEST',
        errorCode: 'INVALID_INPUT',
        messageKey: 'errors.invalidInput',
        path: 'validated',
      },
    });
    expect(refused.message).not.toMatch(/destructure|JSON|undefined/);
    expect(logs).toEqual([]);
  });

  test('the error for invalid JSON says so', async () => {
    const { url } = await startAdapter();
    for (const body of ['{', '{}{}', "{'json':1}", 'undefined']) {
      const response = await fetch(`${url}/validated`, { method: 'POST', headers: JSON_TYPE, body });
      expect((await errorOf(response)).data.fields).toEqual({ _: ['This is not JSON.'] });
    }
  });

  test('a schema failure names the fields', async () => {
    const { url } = await startAdapter();
    const refused = await errorOf(
      await postJson(`${url}/validated`, { json: { name: 'A', rooms: [{ size: 'x' }] } }),
    );
    expect(refused.data.fields).toEqual({ name: [expect.any(String)], 'rooms.0.size': [expect.any(String)] });
    const whole = await errorOf(await postJson(`${url}/validated`, { json: 7 }));
    expect(whole.data.fields).toEqual({ _: [expect.any(String)] });
  });
});

describe('failures', () => {
  const fail = async (kind: string) => {
    const server = await startAdapter();
    return { refused: await errorOf(await fetch(`${server.url}/fail?${inputOf(kind)}`)), logs: server.logs };
  };

  test.each(['plain', 'string', 'object'])('a thrown %s is masked and logged (tRPC #4217)', async (kind) => {
    const { refused, logs } = await fail(kind);
    expect(refused).toMatchObject({
      status: 500,
      message: expect.stringMatching(/^Something went wrong on our side/),
    });
    expect(refused.data).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      httpStatus: 500,
      path: 'fail',
      errorCode: 'INTERNAL_ERROR',
      messageKey: 'errors.internal',
    });
    expect(logs).toMatchObject([{ level: 'error', fields: { route: 'fail' } }]);
  });

  test('output that does not fit its schema is masked', async () => {
    const { url } = await startAdapter();
    expect((await errorOf(await fetch(`${url}/badOutput`))).data.errorCode).toBe('INTERNAL_ERROR');
  });

  test.each(['terminated', 'poolTimeout', 'refusedEverywhere'])(
    'an unreachable database (%s) is 503',
    async (kind) => {
      const { refused, logs } = await fail(kind);
      expect(refused).toMatchObject({
        status: 503,
        code: -32603,
        data: { code: 'SERVICE_UNAVAILABLE', errorCode: 'SERVICE_UNAVAILABLE' },
      });
      expect(logs).toMatchObject([{ level: 'warn' }]);
    },
  );

  test.each([
    ['unprocessable', 422, 'PHOTO_BROKEN', 'photo.broken'],
    ['wrapped', 412, 'STAGING_UNAVAILABLE', 'staging.unavailable'],
    ['conflict', 409, 'CONFLICT', 'errors.conflict'],
  ])('custom http status: %s is %i %s', async (kind, httpStatus, errorCode, messageKey) => {
    const { refused, logs } = await fail(kind);
    expect(refused).toMatchObject({ status: httpStatus, data: { httpStatus, errorCode, messageKey } });
    expect(logs).toEqual([]);
  });

  test('when the context throws: masked with its path, a public error kept, an outage 503', async () => {
    const errors = [
      [new Error('hunter2'), 500],
      [new PublicError('RATE_LIMITED'), 429],
      [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 503],
    ] as const;
    for (const [error, status] of errors) {
      const { url } = await startAdapter({
        createContext: async () => {
          throw error;
        },
      });
      expect(await errorOf(await fetch(`${url}/hello`))).toMatchObject({ status, data: { path: 'hello' } });
    }
  });

  test('a signed-out caller gets 401, a customer 403 AGENT_REQUIRED, an agent passes', async () => {
    const out = await startAdapter();
    for (const path of ['me', 'agentsOnly']) {
      expect(await errorOf(await fetch(`${out.url}/${path}`))).toMatchObject({
        status: 401,
        data: { errorCode: 'UNAUTHORIZED' },
      });
    }
    const customer = await startAdapter({ user: { ...agent, role: 'customer' } });
    expect((await fetch(`${customer.url}/me`)).status).toBe(200);
    expect(await errorOf(await fetch(`${customer.url}/agentsOnly`))).toMatchObject({
      status: 403,
      data: { code: 'FORBIDDEN', errorCode: 'AGENT_REQUIRED' },
    });
    const allowed = await startAdapter({ user: agent });
    expect((await fetch(`${allowed.url}/agentsOnly`)).status).toBe(200);
  });
});
