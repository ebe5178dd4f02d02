import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import {
  CHUNKED_BODIES,
  ended,
  expectOwnAddress,
  FORGED,
  foundProgram,
  raw,
  useProxy,
} from './found-program.ts';

/** The HAProxy configuration, run by a real HAProxy in front of a real API host. */
const CONFIGURATION = fileURLToPath(new URL('../../../ops/deploy/haproxy.cfg', import.meta.url));
const haproxy = foundProgram('haproxy', '-v');
const why = 'missing' in haproxy ? ` (skipped: ${haproxy.missing})` : '';

interface Proxy {
  port: number;
  stop(): Promise<void>;
}

async function startProxy(upstreamPort: number): Promise<Proxy> {
  if ('missing' in haproxy) throw new Error(haproxy.missing);
  const port = await freePort();
  const child = spawn(haproxy.program, ['-f', CONFIGURATION, '-db'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HTTP_PORT: String(port),
      WEB_HOST: '127.0.0.1',
      WEB_PORT: String(upstreamPort),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended: ${said}`);
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
      return answer !== null && answer.status !== 503;
    },
    { what: 'the proxy to serve' },
  );
  return {
    port,
    stop: () => ended(child),
  };
}

describe.skipIf('missing' in haproxy)(`HAProxy${why}`, () => {
  const suite = useProxy(startProxy);

  test('passes calls and error responses of the API host through', async () => {
    const catalog = await fetch(suite.at('/api/trpc/search.getFilterCatalog'));
    expect(await catalog.json()).toHaveProperty('result.data.json.featureGroups');
    const unsigned = await fetch(suite.at('/api/webhooks/provider/staging/x'), {
      method: 'POST',
      body: '{}',
    });
    expect(unsigned.status).toBe(401);
  });

  test.each(Object.entries(CHUNKED_BODIES))(
    'a body in chunks %s is rejected, and no request behind it is served',
    async (_name, bytes) => {
      const answer = await raw(suite.proxy.port, bytes);
      expect(answer).not.toContain('featureGroups');
      // HAProxy answers 400 with its own text to what it cannot parse, and 411 to the rest.
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400 |411 .*LENGTH_REQUIRED)/s);
      expect(answer).toMatch(/^connection: close\r$/im);
    },
  );

  test('answers a health check by HTTP/1.0 on its own and on the operators’ port', async () => {
    const check = 'GET /healthz HTTP/1.0\r\n\r\n';
    for (const port of [suite.proxy.port, Number(new URL(suite.host.opsUrl).port)]) {
      const answer = await raw(port, check);
      expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
      expect(answer).toContain('{"status":"ok"}');
    }
  });

  test('passes on the client’s real address, whatever headers the client sends', async () => {
    const upstream = createServer((request, response) => response.end(JSON.stringify(request.headers)));
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const other = await startProxy((upstream.address() as AddressInfo).port);
    try {
      const seen = await (await fetch(`http://127.0.0.1:${other.port}/`, { headers: FORGED })).json();
      expectOwnAddress(seen);
    } finally {
      await other.stop();
      upstream.closeAllConnections();
      upstream.close();
    }
  });
});
