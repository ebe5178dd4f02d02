import { expect, test } from 'vitest';
import type { HttpRequest, Route } from '../../../src/http/message.ts';
import { fromWebResponse, toWebRequest } from '../../../src/http/web-bridge.ts';
import { connectRaw } from '../../support/http/raw-client.ts';
import { startServer } from '../../support/http/test-server.ts';

/** A server whose only route passes the request to a Fetch handler, as for better-auth. */
function startBridge(
  handler: (request: Request, original: HttpRequest) => Response | Promise<Response>,
  options: { origin?: string; bodyLimit?: number } = {},
) {
  const { bodyLimit = 1000, origin = 'https://bridge.test' } = options;
  const route: Route = {
    methods: '*',
    path: '/api/auth/*',
    bodyLimit,
    handler: async (request) => fromWebResponse(await handler(await toWebRequest(request, origin), request)),
  };
  return startServer([route]);
}

test('method, URL, headers and body are passed on; the forwarded address is ours', async () => {
  const { origin } = await startBridge(
    async (request) =>
      Response.json({
        method: request.method,
        url: request.url,
        own: request.headers.get('x-own'),
        forwarded: request.headers.get('x-forwarded-for'),
        body: await request.text(),
      }),
    { origin: 'https://example.test/' },
  );
  const response = await fetch(`${origin}/api/auth/sign-in?x=%2F1`, {
    method: 'POST',
    body: 'é',
    headers: { 'x-own': 'yes', 'x-forwarded-for': '192.0.2.1' },
  });
  expect(await response.json()).toEqual({
    method: 'POST',
    url: 'https://example.test/api/auth/sign-in?x=%2F1',
    own: 'yes',
    forwarded: '127.0.0.1',
    body: 'é',
  });
});

test('status, headers and each set-cookie are returned once', async () => {
  const { origin } = await startBridge(() => {
    const headers = new Headers({ 'x-own': 'yes', 'content-type': 'application/json' });
    headers.append('set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
    headers.append('set-cookie', 'b=2; HttpOnly');
    return new Response('null', { status: 403, headers });
  });
  const response = await fetch(`${origin}/api/auth/get-session`);
  expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([
    403,
    'yes',
    'null',
  ]);
  expect(response.headers.getSetCookie()).toEqual([
    'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
    'b=2; HttpOnly',
  ]);
  expect(response.headers.get('content-length')).toBe('4');
});

test('an empty 404, a redirect and a stream are returned unchanged', async () => {
  const { origin } = await startBridge(({ url }) => {
    if (url.endsWith('/none')) return new Response(null, { status: 404 });
    if (url.endsWith('/moved'))
      return new Response(null, { status: 302, headers: { location: 'https://x.test/' } });
    return new Response(ReadableStream.from([Buffer.from('one'), Buffer.from('two')]));
  });
  const none = await fetch(`${origin}/api/auth/none`);
  expect([none.status, await none.text()]).toEqual([404, '']);
  const moved = await fetch(`${origin}/api/auth/moved`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://x.test/']);
  expect(await (await fetch(`${origin}/api/auth/stream`)).text()).toBe('onetwo');
});

test('a body over the limit is rejected before the handler gets the request', async () => {
  let called = false;
  const { origin } = await startBridge(
    () => {
      called = true;
      return new Response('no');
    },
    { bodyLimit: 3 },
  );
  const response = await fetch(`${origin}/api/auth/a`, { method: 'POST', body: '1234' });
  expect([response.status, called]).toEqual([413, false]);
});

test('header bytes above ASCII are passed on, and GET with a body has none', async () => {
  const { port } = await startBridge(async (request) =>
    Response.json({
      own: Buffer.from(request.headers.get('x-own') ?? '', 'latin1').toString(),
      body: await request.text(),
    }),
  );
  const connection = await connectRaw(port);
  connection.send(
    Buffer.from('GET /api/auth/a HTTP/1.1\r\nHost: x\r\nX-Own: a日本z\r\nContent-Length: 3\r\n\r\nabc'),
  );
  const transcript = Buffer.from(await connection.until(/\}$/), 'latin1').toString();
  expect(transcript).toContain(JSON.stringify({ own: 'a日本z', body: '' }));
});

test('a body that is not valid UTF-8 is rejected rather than replaced', async () => {
  const { origin } = await startBridge(async (request) => new Response(await request.text()));
  const body = Buffer.from('{"name":"caf\xe9"}', 'latin1');
  const response = await fetch(`${origin}/api/auth/sign-in`, { method: 'POST', body });
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      error: {
        code: 'INVALID_INPUT',
        message: 'The body is not valid UTF-8.',
        messageKey: 'errors.invalidInput',
      },
    },
  ]);
});
