import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import { startApiHost } from '../../support/http/api-host.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import {
  CHUNKED_BODIES,
  ended,
  expectOwnAddress,
  expectPagePolicy,
  FORGED,
  foundProgram,
  raw,
  statusesOfCutLines,
  useProxy,
  withPagePolicy,
} from './found-program.ts';

/** The proxy configuration of compose.yaml, run by a real Caddy in front of a real API host. */
const CADDYFILE = fileURLToPath(new URL('../../../ops/deploy/Caddyfile', import.meta.url));

const caddy = foundProgram('caddy', 'version');
const why = 'missing' in caddy ? ` (skipped: ${caddy.missing})` : '';

interface Proxy {
  port: number;
  /** Where plain http of a site with a certificate is answered. */
  httpPort: number;
  stop(): Promise<void>;
}
/** @param site SITE_ADDRESS; plain http on a free port by default */
async function startProxy(upstreamPort: number, site?: string): Promise<Proxy> {
  if ('missing' in caddy) throw new Error(caddy.missing);
  const [port, httpPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
  const home = temporaryDirectory();
  const child = spawn(caddy.program, ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      SITE_ADDRESS: site ?? `http://127.0.0.1:${port}`,
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      WEB_HOST: 'localhost',
      WEB_PORT: String(upstreamPort),
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(`caddy ended: ${said}`);
      return said.includes('serving initial configuration');
    },
    { what: 'the proxy to serve' },
  );
  return {
    port,
    httpPort,
    stop: () => ended(child),
  };
}

describe.skipIf('missing' in caddy)(`the reverse proxy${why}`, () => {
  const suite = useProxy(startProxy);

  test('passes on whole a request line that arrives in two packets', async () => {
    expect(new Set(await statusesOfCutLines(suite.proxy.port))).toEqual(new Set([200]));
  });

  test('passes calls and error responses of the API host through', async () => {
    const catalog = await fetch(suite.at('/api/trpc/search.getFilterCatalog'));
    expect(catalog.status).toBe(200);
    expect(await catalog.json()).toHaveProperty('result.data.json.featureGroups');
    const missing = await fetch(suite.at('/api/nothing'));
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^application\/json/),
    ]);
    const unsigned = await fetch(suite.at('/api/webhooks/provider/staging/x'), {
      method: 'POST',
      body: '{}',
    });
    expect(unsigned.status).toBe(401);
    expect(unsigned.headers.get('strict-transport-security')).toContain('max-age');
    expect(unsigned.headers.get('server')).toBeNull();
  });

  test('exposes no page for operators', async () => {
    for (const path of ['/metrics', '/console', '/queues', '/sign-in'])
      expect((await fetch(suite.at(path))).status, path).toBe(404);
  });

  test('rejects heads with two lengths or too many bytes before they reach the API host', async () => {
    const head = (lines: string[]) =>
      `${['GET /api/trpc/search.getFilterCatalog HTTP/1.1', `Host: 127.0.0.1:${suite.proxy.port}`, 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;
    expect(await raw(suite.proxy.port, head([]))).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(suite.proxy.port, head(['Content-Length: 1', 'Content-Length: 2']))).toMatch(
      /^HTTP\/1.1 400 /,
    );
    expect(await raw(suite.proxy.port, head([`X-Long: ${'a'.repeat(40_000)}`]))).toMatch(/^HTTP\/1.1 431 /);
  });

  test.each(Object.entries(CHUNKED_BODIES))(
    'a body in chunks %s is rejected, and no request behind it is served',
    async (_name, bytes) => {
      const answer = await raw(suite.proxy.port, bytes);
      expect(answer).not.toContain('featureGroups');
      expect(answer).toMatch(/^HTTP\/1\.1 (?:411|502) /);
      expect(answer).toMatch(/^content-type: application\/json/im);
    },
  );

  test('answers a health check by HTTP/1.0', async () => {
    const answer = await raw(
      suite.proxy.port,
      `GET /healthz HTTP/1.0\r\nHost: 127.0.0.1:${suite.proxy.port}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
    expect(answer).toContain('{"status":"ok"');
  });

  test('rejects a body above the largest upload', async () => {
    const body = Buffer.alloc(28 * 1024 * 1024);
    const answer = await fetch(suite.at('/api/property-images'), { method: 'POST', body });
    expect(answer.status).toBe(413);
  });
});

describe.skipIf('missing' in caddy)(`a site with a certificate${why}`, () => {
  test('answers callbacks also on http, and redirects everything else to https', async () => {
    const host = await startApiHost();
    const proxy = await startProxy(Number(new URL(host.url).port), 'localhost');
    const plain = `http://localhost:${proxy.httpPort}`;
    const callback = { method: 'POST', body: '{}', redirect: 'manual' } as const;
    try {
      for (const path of ['/api/webhooks/provider/staging/x', '/api/webhooks/provider/staging/x/']) {
        const answer = await fetch(plain + path, callback);
        expect([answer.status, await answer.json()]).toMatchObject([
          401,
          { error: { code: 'WEBHOOK_SIGNATURE_INVALID' } },
        ]);
      }
      const path = '/api/trpc/search.getFilterCatalog?x=1';
      for (const method of ['GET', 'POST']) {
        const { status, headers } = await fetch(plain + path, { method, redirect: 'manual' });
        expect([status, headers.get('location')]).toEqual([308, `https://localhost${path}`]);
      }
    } finally {
      await proxy.stop();
      await host.stop();
    }
  });
});

describe.skipIf('missing' in caddy)(`what the proxy passes on${why}`, () => {
  test('the client’s real address, whatever the client sends; and JSON when no server is behind it', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const upstream = createServer((request, response) => {
      seen.push(request.headers);
      withPagePolicy(request, response);
      response.end('{}');
    });
    upstream.listen(0, 'localhost');
    await once(upstream, 'listening');
    const proxy = await startProxy((upstream.address() as AddressInfo).port);
    try {
      await fetch(`http://127.0.0.1:${proxy.port}/`, { headers: FORGED });
      expectOwnAddress(seen[0]);
      await expectPagePolicy(proxy.port);
      seen.splice(1);
      // uWebSockets.js would stop at the empty header name; the proxy rewrites the head before.
      const lines = [
        'GET / HTTP/1.1',
        `Host: 127.0.0.1:${proxy.port}`,
        ': hidden',
        'X-After: 1',
        'Connection: close',
      ];
      const answer = await raw(proxy.port, `${lines.join('\r\n')}\r\n\r\n`);
      if (!answer.startsWith('HTTP/1.1 400')) expect(seen[1]).toMatchObject({ 'x-after': '1' });
      expect(seen.some((headers) => '' in headers)).toBe(false);
      upstream.closeAllConnections();
      upstream.close();
      const alone = await fetch(`http://127.0.0.1:${proxy.port}/`);
      expect([alone.status, alone.headers.get('content-type')]).toEqual([502, 'application/json']);
      expect(await alone.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    } finally {
      upstream.close();
      await proxy.stop();
    }
  });
});
