import { describe, expect, onTestFinished, test } from 'vitest';
import { BoundReached, PublicError } from '../../../src/errors/errors.ts';
import type { ExchangeReport } from '../../../src/http/exchange.ts';
import { createHttpServer, ListenError } from '../../../src/http/server.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw } from '../../support/http/raw-client.ts';
import { gate, get, memoryLogger, post, startServer, text } from '../../support/http/test-server.ts';

describe('routing', () => {
  test('an unknown route is 404 JSON, never HTML', async () => {
    const { origin } = await startServer([get('/a', () => text('a'))]);
    for (const path of ['/', '/nowhere', '/a/b', '//a', '/a//', '/index.html']) {
      const response = await fetch(origin + path, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toEqual({
        error: { code: 'NOT_FOUND', message: expect.any(String), messageKey: expect.any(String) },
      });
    }
  });

  test('another method is 405 with an allow header', async () => {
    const { origin } = await startServer([get('/a', () => text('a')), post('/a', () => text('b'))]);
    const response = await fetch(`${origin}/a`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await response.json()).toEqual({
      error: {
        code: 'METHOD_NOT_ALLOWED',
        message: expect.any(String),
        messageKey: expect.any(String),
      },
    });
  });

  test('a trailing slash is answered directly, without a redirect', async () => {
    const { origin } = await startServer([post('/hooks/:id', ({ params }) => text(`hook ${params.id}`))]);
    for (const path of ['/hooks/7', '/hooks/7/']) {
      const response = await fetch(origin + path, { method: 'POST', body: '{}', redirect: 'manual' });
      expect([response.status, await response.text()]).toEqual([200, 'hook 7']);
    }
  });

  test('the route sees path, query, parameters and wildcard', async () => {
    const { origin } = await startServer([
      get('/files/:owner/*', ({ path, url, query, params }) =>
        text(JSON.stringify({ path, url, q: query.getAll('q'), params })),
      ),
    ]);
    const response = await fetch(`${origin}/files/me%20too/a/b%2Fc?q=1&q=%C3%A9`);
    expect(await response.json()).toEqual({
      path: '/files/me%20too/a/b%2Fc',
      url: '/files/me%20too/a/b%2Fc?q=1&q=%C3%A9',
      q: ['1', 'é'],
      params: { owner: 'me too', '*': 'a/b/c' },
    });
  });

  test('errors before the handler are in the format of the route', async () => {
    const own = post('/own', () => text('never'), {
      bodyLimit: 3,
      errorResponse: (error, { path }) => text(`${error.code} at ${path}`, error.httpStatus),
    });
    const { origin } = await startServer([own]);
    expect(await (await fetch(`${origin}/own`, { method: 'PUT' })).text()).toBe('METHOD_NOT_ALLOWED at /own');
    const tooLarge = await fetch(`${origin}/own`, { method: 'POST', body: 'four' });
    expect([tooLarge.status, await tooLarge.text()]).toEqual([413, 'PAYLOAD_TOO_LARGE at /own']);
  });
});

describe('answers', () => {
  test('HEAD of a GET route has its headers and length, and no body', async () => {
    const { port } = await startServer([
      get('/a', () => ({ status: 200, headers: [['etag', '"1"']], body: 'twelve bytes' })),
    ]);
    const connection = await connectRaw(port);
    connection.send('HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n');
    const head = await connection.until(/\r\n\r\n$/);
    expect(head).toMatch(/^content-length: 12\r$/im);
    expect(head).toMatch(/^etag: "1"\r$/m);
    connection.send('GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await connection.untilClosed()).slice(head.length)).toMatch(
      /^HTTP\/1.1 200 OK.*\r\n\r\ntwelve bytes$/s,
    );
  });

  test('several set-cookie headers stay separate', async () => {
    const { origin } = await startServer([
      get('/a', () => ({
        status: 200,
        headers: [
          ['set-cookie', 'a=1; Path=/'],
          ['Set-Cookie', 'b=2'],
        ],
        body: null,
      })),
    ]);
    expect((await fetch(`${origin}/a`)).headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
  });

  test('an empty 204 and an empty 200 are sent', async () => {
    const { origin } = await startServer([
      get('/none', () => ({ status: 204, headers: [], body: null })),
      get('/empty', () => ({ status: 200, headers: [], body: null })),
    ]);
    const none = await fetch(`${origin}/none`);
    expect([none.status, none.headers.get('content-length')]).toEqual([204, null]);
    expect((await fetch(`${origin}/empty`)).headers.get('content-length')).toBe('0');
  });

  test('framing headers of a route are dropped, and one that would corrupt the message is a 500', async () => {
    const { origin, logs } = await startServer([
      get('/framing', () => ({
        status: 200,
        headers: [
          ['content-length', '99'],
          ['connection', 'close'],
          ['transfer-encoding', 'x'],
        ],
        body: 'abc',
      })),
      get('/injected', () => ({ status: 200, headers: [['x-a', 'b\r\nset-cookie: stolen=1']], body: 'abc' })),
    ]);
    const framing = await fetch(`${origin}/framing`);
    expect([framing.headers.get('content-length'), await framing.text()]).toEqual(['3', 'abc']);
    const injected = await fetch(`${origin}/injected`);
    expect([injected.status, injected.headers.getSetCookie()]).toEqual([500, []]);
    expect(logs).toHaveLength(1);
  });

  test('a PublicError gives its status, code, fields and retry-after', async () => {
    const { origin, logs } = await startServer([
      get('/limited', () => {
        throw new PublicError('RATE_LIMITED', { retryAfterSeconds: 1.5, details: { secret: 'internal' } });
      }),
      get('/wrapped', () => {
        throw new Error('outer', {
          cause: new PublicError('INVALID_INPUT', { fields: { name: ['Too long'] } }),
        });
      }),
    ]);
    const limited = await fetch(`${origin}/limited`);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await limited.text()).not.toContain('internal');
    const wrapped = await fetch(`${origin}/wrapped`);
    expect(wrapped.status).toBe(400);
    expect(await wrapped.json()).toEqual({
      error: {
        code: 'INVALID_INPUT',
        message: expect.any(String),
        messageKey: expect.any(String),
        fields: { name: ['Too long'] },
      },
    });
    expect(logs).toEqual([]);
  });

  test('an exhausted limit is answered 503 and not logged as an outage', async () => {
    const full = (cause: Error) => () => {
      throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause });
    };
    const { origin, logs } = await startServer([
      get('/full', full(new BoundReached())),
      get('/away', full(new Error('no answer'))),
    ]);
    const response = await fetch(`${origin}/full`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(logs).toEqual([]);
    await fetch(`${origin}/away`);
    expect(logs.map(({ message }) => message)).toEqual(['request refused: part of the system is away']);
  });

  test('any other error is a 500 without details, and is logged', async () => {
    const { origin, logs } = await startServer([
      get('/boom', () => {
        throw new Error('password=hunter2 at /srv/app');
      }),
      get('/string', () => {
        throw 'hunter2';
      }),
    ]);
    for (const path of ['/boom', '/string']) {
      const response = await fetch(origin + path);
      const body = await response.text();
      expect(response.status).toBe(500);
      expect(JSON.parse(body)).toEqual({
        error: { code: 'INTERNAL_ERROR', message: expect.any(String), messageKey: expect.any(String) },
      });
      expect(body).not.toMatch(/hunter2|srv|at /);
    }
    expect(logs.map(({ level }) => level)).toEqual(['error', 'error']);
  });

  test('the database being away is a 503', async () => {
    const { origin } = await startServer([
      get('/a', () => {
        throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
      }),
    ]);
    const response = await fetch(`${origin}/a`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: expect.not.stringContaining('5432'),
        messageKey: expect.any(String),
      },
    });
  });

  test('a route that takes too long is answered 503, and its signal is aborted', async () => {
    const aborted = gate();
    const { origin } = await startServer(
      [
        get(
          '/a',
          ({ signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                aborted.open();
                resolve(text('late'));
              });
            }),
        ),
      ],
      { limits: { responseTimeoutMs: 50 } },
    );
    expect((await fetch(`${origin}/a`)).status).toBe(503);
    await aborted.opened;
  });

  test('a stream returned after the timeout is canceled', async () => {
    const [late, stopped] = [gate(), gate()];
    const body = (): AsyncIterator<Uint8Array> => ({
      next: async () => ({ done: false, value: Buffer.from('x') }),
      async return() {
        stopped.open();
        return { done: true, value: undefined };
      },
    });
    const handler = async () => {
      await late.opened;
      return { status: 200, headers: [], body: { [Symbol.asyncIterator]: body } };
    };
    const { origin } = await startServer([get('/a', handler)], { limits: { responseTimeoutMs: 50 } });
    expect((await fetch(`${origin}/a`)).status).toBe(503);
    late.open();
    await stopped.opened;
  });
});

describe('requests', () => {
  test('repeated headers are joined, cookies with a semicolon; of single-value headers the first is kept', async () => {
    const { port } = await startServer([
      get('/a', ({ headers }) =>
        text(
          JSON.stringify(
            ['accept', 'cookie', 'authorization', '__proto__'].map((name) => headers.get(name) ?? null),
          ),
        ),
      ),
    ]);
    const connection = await connectRaw(port);
    connection.send(
      'GET /a HTTP/1.1\r\nHost: x\r\nAccept: a\r\nCookie: a=1\r\naccept: b\r\ncookie: b=2\r\nAuthorization: first\r\nAuthorization: second\r\nConnection: close\r\n\r\n',
    );
    expect(await connection.untilClosed()).toContain(JSON.stringify(['a, b', 'a=1; b=2', 'first', null]));
  });

  test.each([
    [0, '127.0.0.1', null],
    [1, '203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.2', '198.51.100.2'],
    [9, '192.0.2.66', '192.0.2.66'],
  ])('with %i trusted proxies the client is %s', async (trustedProxyHops, address, forwarded) => {
    const { origin } = await startServer(
      [
        get('/a', ({ remoteAddress, headers }) =>
          text(
            JSON.stringify([
              remoteAddress,
              headers.get('x-forwarded-for') ?? null,
              headers.get('x-real-ip') ?? null,
            ]),
          ),
        ),
      ],
      { trustedProxyHops },
    );
    const response = await fetch(`${origin}/a`, {
      headers: { 'x-forwarded-for': '192.0.2.66, 198.51.100.2, 203.0.113.7', 'x-real-ip': '192.0.2.66' },
    });
    expect(await response.json()).toEqual([address, forwarded, null]);
  });

  test('a client that disconnects aborts the signal, and the late answer is dropped', async () => {
    const arrived = gate();
    const aborted = gate<string>();
    const reports: ExchangeReport[] = [];
    const { port, logs } = await startServer(
      [
        get('/a', async ({ signal }) => {
          arrived.open();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          aborted.open(signal.reason.code);
          return text('too late');
        }),
      ],
      { onRequest: (report) => reports.push(report) },
    );
    const connection = await connectRaw(port);
    connection.send('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.opened;
    connection.socket.destroy();
    expect(await aborted.opened).toBe('CLIENT_CLOSED_REQUEST');
    await eventually(() => reports.length === 1, { what: 'the report' });
    expect(reports).toEqual([{ method: 'GET', route: '/a', status: 499, seconds: expect.any(Number) }]);
    expect(logs).toEqual([]);
  });

  test('keep-alive: requests one after the other share a connection', async () => {
    const { port } = await startServer([get('/:n', ({ params }) => text(`answer ${params.n};`))]);
    const connection = await connectRaw(port);
    for (const n of [1, 2, 3]) {
      connection.send(`GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await connection.until(new RegExp(`answer ${n};`));
    }
    expect(connection.closed).toBe(false);
  });

  test('a pipelined request before the answer closes the connection, so that answers never mix', async () => {
    const aborted = gate();
    const { port, origin } = await startServer([
      get(
        '/slow',
        ({ signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => aborted.open());
          }),
      ),
      get('/fast', () => text('fast')),
    ]);
    const connection = await connectRaw(port);
    connection.send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /fast HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await connection.untilClosed()).toBe('');
    await aborted.opened;
    expect((await fetch(`${origin}/fast`)).status).toBe(200);
  });
});

describe('observing', () => {
  test('every exchange is reported once with its route, and carries a request id', async () => {
    const reports: ExchangeReport[] = [];
    let clock = 10;
    const { origin } = await startServer([get('/a/:id', () => text('a'))], {
      onRequest: (report) => reports.push(report),
      newRequestId: () => 'request-1',
      monotonicSeconds: () => clock++,
    });
    expect((await fetch(`${origin}/a/1`)).headers.get('x-request-id')).toBe('request-1');
    await fetch(`${origin}/b`);
    await eventually(() => reports.length === 2, { what: 'two reports' });
    expect(reports).toEqual([
      { method: 'GET', route: '/a/:id', status: 200, seconds: 1 },
      { method: 'GET', route: 'unmatched', status: 404, seconds: 1 },
    ]);
  });

  test('a port in use is an error, not a shared port', async () => {
    const make = () =>
      createHttpServer({ routes: [], logger: memoryLogger([]), onFault() {}, trustedProxyHops: 0 });
    const [probe, first, second] = [make(), make(), make()];
    onTestFinished(async () => {
      for (const server of [probe, first, second]) await server.close(AbortSignal.timeout(0));
    });
    // A chosen port number: the system would share it, but never a port that it chose itself.
    const { port } = await probe.listen('127.0.0.1', 0);
    await probe.close(AbortSignal.timeout(0));
    await first.listen('127.0.0.1', port);
    await expect(second.listen('127.0.0.1', port)).rejects.toThrow(ListenError);
  });
});

test('a request whose client our own proxy names unreadably is reported, and no other', async () => {
  let unreadable = 0;
  const { origin } = await startServer([get('/a', () => text('a'))], {
    trustedProxyHops: 1,
    onUnreadableHop: () => {
      unreadable += 1;
    },
  });
  const send = (forwarded: string) => fetch(`${origin}/a`, { headers: { 'x-forwarded-for': forwarded } });
  for (const readable of ['203.0.113.7', '[2001:db8::1]:443', 'unknown, 203.0.113.7:50000'])
    expect((await send(readable)).status).toBe(200);
  expect((await fetch(`${origin}/a`)).status).toBe(200);
  expect(unreadable).toBe(0);
  for (const wrong of ['unknown', '203.0.113.7, _hidden', '203.0.113.7,'])
    expect((await send(wrong)).status).toBe(200);
  expect(unreadable).toBe(3);
});

test('an uncounted proxy is logged once', async () => {
  const { origin, logs } = await startServer([get('/a', () => text('a'))]);
  for (let calls = 0; calls < 3; calls += 1)
    await fetch(`${origin}/a`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(logs.filter(({ fields }) => 'setting' in fields)).toEqual([
    expect.objectContaining({ level: 'warn', fields: { setting: 'TRUSTED_PROXY_HOPS' } }),
  ]);
});
