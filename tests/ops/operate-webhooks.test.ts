import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { parseEnv } from 'node:util';
import { createTransport } from '@sentry/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operate } from '../../ops/cli/operate.ts';
import { freePort } from '../../ops/dev/stack/free-port.ts';
import { sendTestEvents } from '../../ops/operate/test-event.ts';
import { vapidProblems } from '../../src/config/vapid.ts';
import { readFailure } from '../../src/operations/webhook-answer.ts';
import type { CrashReportOptions } from '../../src/telemetry/crash-reports.ts';
import { openSimulator, TOKEN } from '../support/worlds/simulator-harness.ts';

/** The commands that call other servers, against real ones. */
const ops = async (args: string[], environment: Record<string, string> = {}) => {
  const [out, err]: string[][] = [[], []];
  const code = await operate({
    args,
    environment,
    signal: new AbortController().signal,
    screen: { out: (text) => void out?.push(text), err: (text) => void err?.push(text) },
  });
  return { code, out: out?.join('\n') ?? '', err: err?.join('\n') ?? '' };
};

interface Answer {
  status: number;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}
async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  );
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
/** A receiver, or a server in its place. */
async function receiver(answer: Answer | ((path: string, response: ServerResponse) => void)) {
  const asked: { method: string; path: string; signed: boolean; body: string }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push({
        method: request.method ?? '',
        path,
        signed: 'webhook-signature' in request.headers,
        body,
      });
      if (typeof answer === 'function') return answer(path, response);
      const { status, type = 'application/json', headers = {} } = answer;
      response.writeHead(status, { 'content-type': type, ...headers });
      return response.end(answer.body ?? '');
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

const JSON_BODY = '{"error":{"code":"UNAUTHORIZED"}}';
const HTML_BODY = '<!doctype html><html><body>Welcome</body></html>';

describe('probe-webhook', () => {
  test('an origin: both spellings of the path are probed, unsigned; a 401 of the application is right', async () => {
    const { url, asked } = await receiver({ status: 401, body: JSON_BODY });
    const { code, out } = await ops(['probe-webhook', url]);
    expect([code, out.match(/^right /gm)?.length]).toEqual([0, 2]);
    expect(asked.map(({ method, signed }) => [method, signed])).toEqual([
      ['POST', false],
      ['POST', false],
    ]);
    expect(asked[0]?.path).toMatch(/^\/api\/webhooks\/provider\/staging\/[0-9a-f-]{36}$/);
    expect(asked[1]?.path).toBe(`${asked[0]?.path}/`);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ id: 'probe', status: 'succeeded' });
  });

  test('a full URL is probed unchanged', async () => {
    const { url, asked } = await receiver({ status: 401, body: JSON_BODY });
    expect(await ops(['probe-webhook', `${url}/hooks/7`])).toMatchObject({ code: 0 });
    expect(asked.map(({ path }) => path)).toEqual(['/hooks/7']);
  });

  const CASES: [string, Answer, RegExp][] = [
    ['404', { status: 404, body: JSON_BODY }, /404: the route or the path of the proxy is missing/],
    ['404 as a page', { status: 404, type: 'text/html', body: HTML_BODY }, /404: the route/],
    ['502', { status: 502, type: 'text/html', body: HTML_BODY }, /502: the API host is unhealthy/],
    ['503', { status: 503, body: '{}' }, /503: the API host is unhealthy/],
    ['500', { status: 500, body: '{}' }, /500: .*signing secret is missing/],
    ['200', { status: 200, body: '{"received":true}' }, /200 for an unsigned request: a security failure/],
    ['204', { status: 204 }, /204 for an unsigned request: a security failure/],
    [
      'an HTML page',
      { status: 200, type: 'text/html; charset=utf-8', body: HTML_BODY },
      /an HTML page \(status 200\)/,
    ],
    ['an HTML page that says otherwise', { status: 200, body: HTML_BODY }, /an HTML page/],
    ['403', { status: 403, body: '{}' }, /403: something in front/],
    ['405', { status: 405, body: '{}' }, /405: POST is not allowed/],
    ['418', { status: 418, body: '{}' }, /418, which the receiver never answers/],
    ['a login page', { status: 401, type: 'text/html', body: HTML_BODY }, /401, but not from the receiver/],
    [
      'basic auth',
      { status: 401, body: JSON_BODY, headers: { 'www-authenticate': 'Basic realm="x"' } },
      /a login is asked for/,
    ],
    [
      '401 without JSON',
      { status: 401, type: 'text/plain', body: 'no' },
      /401, but not from the receiver \(no JSON\)/,
    ],
    [
      'a redirect to another host',
      { status: 301, headers: { location: 'https://www.example.com/secret-path?x=1' } },
      /a redirect \(301\) to https:\/\/www\.example\.com\n/,
    ],
    [
      'a redirect to itself',
      { status: 308, headers: { location: '/elsewhere/' } },
      /to http:\/\/127\.0\.0\.1:\d+, itself/,
    ],
    ['a redirect to nowhere', { status: 302 }, /to nowhere/],
  ];
  test.each(CASES)('%s is reported, with what to do; exit code 1', async (_, answer, words) => {
    const { url, asked } = await receiver(answer);
    const { code, out } = await ops(['probe-webhook', `${url}/hook`]);
    expect([code, out]).toEqual([1, expect.stringMatching(words)]);
    expect(out.split('\n').length).toBeGreaterThanOrEqual(3);
    expect(asked).toHaveLength(1);
  });

  test('if one of the two spellings fails, the probe fails', async () => {
    const { url } = await receiver((path, response) => {
      const slash = path.endsWith('/');
      response.writeHead(slash ? 308 : 401, {
        'content-type': 'application/json',
        location: path.slice(0, -1),
      });
      response.end(JSON_BODY);
    });
    const { code, out } = await ops(['probe-webhook', url]);
    expect([code, out]).toEqual([1, expect.stringMatching(/right .*\n.*\nWRONG .*\n.*a redirect \(308\)/)]);
  });

  test('no listener, a port that speaks no HTTP, and a host that hangs are reported', async () => {
    const closed = await ops(['probe-webhook', `http://127.0.0.1:${await freePort()}/hook`]);
    expect(closed).toMatchObject({
      code: 1,
      out: expect.stringContaining('nothing listens there (ECONNREFUSED)'),
    });
    const rude = createTcpServer((socket) => socket.destroy());
    const cut = await ops(['probe-webhook', `http://127.0.0.1:${await listening(rude)}/hook`]);
    expect(cut).toMatchObject({ code: 1, out: expect.stringContaining('without an HTTP answer') });
    const { url } = await receiver(() => {});
    const hung = await ops(['probe-webhook', `${url}/hook`, '--timeout', '0.3']);
    expect(hung).toMatchObject({ code: 1, out: expect.stringContaining('no answer in time') });
  });

  test('https on a port that speaks plain HTTP is a failure of TLS', async () => {
    const { url } = await receiver({ status: 401, body: JSON_BODY });
    const { code, out } = await ops(['probe-webhook', `${url.replace('http', 'https')}/hook`]);
    expect([code, out]).toEqual([1, expect.stringContaining('TLS fails')]);
  });

  test.each([
    ['ENOTFOUND', 'the host name is not known'],
    ['CERT_HAS_EXPIRED', 'TLS fails'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS fails'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS fails'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time'],
    ['EHOSTUNREACH', 'nothing listens there'],
    ['EWHATEVER', 'no answer (EWHATEVER)'],
  ])('%s is reported', (code, words) => {
    const cause = Object.assign(new Error('inner'), { code });
    expect(readFailure(new TypeError('failed', { cause }))).toMatchObject({
      right: false,
      what: expect.stringContaining(words),
      advice: expect.stringMatching(/\.$/),
    });
  });

  test.each([
    ['not an address', 'Give a whole address'],
    ['http://api.example.com', 'must be reached by https'],
    ['ftp://api.example.com', 'must be reached by https'],
    ['https://user:pass@api.example.com', 'leave them out'],
  ])('%s is not probed', async (address, words) => {
    const { code, err } = await ops(['probe-webhook', address]);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    expect(err).not.toContain('pass@');
  });
});

test('vapid-keys prints a new pair each time, which the API host takes', async () => {
  const [one, other] = [await ops(['vapid-keys'], {}), await ops(['vapid-keys'], {})];
  expect([one.code, other.code, one.out === other.out]).toEqual([0, 0, false]);
  const settings: Record<string, string | undefined> = {
    ...parseEnv(one.out),
    VAPID_SUBJECT: 'mailto:push@homes.example',
  };
  expect(vapidProblems(settings)).toEqual([]);
  expect(Object.keys(settings).toSorted()).toEqual([
    'VAPID_PRIVATE_KEY',
    'VAPID_PUBLIC_KEY',
    'VAPID_SUBJECT',
  ]);
  expect(one.err).not.toContain(settings.VAPID_PRIVATE_KEY);
});

describe('fetch-webhook-secret', () => {
  test('prints only the key on standard output, and the key nowhere else', async () => {
    const simulator = await openSimulator();
    const { code, out, err } = await ops(['fetch-webhook-secret'], {
      PROVIDER_BASE_URL: simulator.url,
      PROVIDER_API_TOKEN: TOKEN,
    });
    expect([code, out]).toEqual([0, simulator.webhookSecret]);
    expect(out).toMatch(/^whsec_/);
    expect(err).not.toContain('whsec_');
  });

  test('a token that is rejected', async () => {
    const simulator = await openSimulator();
    const { code, out, err } = await ops(['fetch-webhook-secret'], {
      PROVIDER_BASE_URL: simulator.url,
      PROVIDER_API_TOKEN: 'r8_another_token',
    });
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('refuses the token (401)')]);
    expect(err).not.toContain('r8_another_token');
  });

  test.each([
    ['404', { status: 404, body: '{}' }, /has no \/v1\/webhooks\/default\/secret \(404\)/],
    ['500', { status: 500, body: '{}' }, /problem of its own \(500\)/],
    ['429', { status: 429, body: '{}' }, /asks for patience/],
    ['a redirect, which is not followed', { status: 302, headers: { location: '/x' } }, /answers 302/],
    ['no key', { status: 200, body: '{"other":1}' }, /no key that begins with whsec_/],
    [
      'a key of another kind',
      { status: 200, body: '{"key":"sk_live_1234567890"}' },
      /no key that begins with whsec_/,
    ],
    ['no JSON', { status: 200, body: HTML_BODY }, /no key that begins with whsec_/],
  ] as [string, Answer, RegExp][])('%s', async (_, answer, words) => {
    const { url, asked } = await receiver(answer);
    const { code, out, err } = await ops(['fetch-webhook-secret'], {
      PROVIDER_BASE_URL: url,
      PROVIDER_API_TOKEN: TOKEN,
    });
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(words)]);
    expect(err).not.toContain('sk_live');
    expect(asked).toHaveLength(1);
  });

  test('a provider that is unreachable', async () => {
    const { code, err } = await ops(['fetch-webhook-secret'], {
      PROVIDER_BASE_URL: `http://127.0.0.1:${await freePort()}`,
      PROVIDER_API_TOKEN: TOKEN,
    });
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be reached (ECONNREFUSED)')]);
  });

  test('settings that are missing or would send the token unencrypted', async () => {
    const { code, err } = await ops(['fetch-webhook-secret'], {
      PROVIDER_BASE_URL: 'http://api.example.com',
    });
    expect(code).toBe(2);
    expect(err).toContain('PROVIDER_API_TOKEN is not set');
    expect(err).toContain('PROVIDER_BASE_URL must be an https origin');
  });
});

describe('send-test-event', () => {
  /** What the SDK would do over the network, with an answer of the test's. */
  const answering =
    (statusCode: number): NonNullable<CrashReportOptions['transport']> =>
    (options) =>
      createTransport(options, async () => ({ statusCode }));
  const send = async (environment: Record<string, string>, statusCode = 200) => {
    const said: string[] = [];
    const screen = {
      out: (text: string) => void said.push(text),
      err: (text: string) => void said.push(text),
    };
    const code = await sendTestEvents({ environment, screen, transport: answering(statusCode) });
    return { code, said: said.join('\n') };
  };
  const DSN = 'https://key@o1.example.com/1';

  test('says for each address whether the report was taken', async () => {
    const { code, said } = await send({ SENTRY_DSN: DSN, SITE_SENTRY_DSN: DSN });
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(
        /^SENTRY_DSN: taken, event [0-9a-f]{32}\nSITE_SENTRY_DSN: taken, event [0-9a-f]{32}$/,
      ),
    ]);
    const refused = await send({ SENTRY_DSN: DSN }, 403);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('NOT taken (403)')]);
  });

  test('without an https address, names the settings and sends nothing', async () => {
    const { code, err } = await ops(['send-test-event'], { SENTRY_DSN: 'placeholder' });
    expect([code, err]).toEqual([2, 'Set SENTRY_DSN or SITE_SENTRY_DSN to an https ingest address.']);
    expect((await ops(['send-test-event', '--help'])).out).toContain('Usage:');
  });
});
