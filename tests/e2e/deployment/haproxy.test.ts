import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  CHUNKED_BODIES,
  expectOwnAddress,
  expectPagePolicy,
  FORGED,
  raw,
  statusesOfCutLines,
  useProxy,
  withPagePolicy,
} from './found-program.ts';
import { haproxy, haproxyMissing, startHaproxy } from './haproxy.ts';

/** The HAProxy configuration, run by a real HAProxy in front of a real API host. */
describe.skipIf('missing' in haproxy)(`HAProxy${haproxyMissing}`, () => {
  const suite = useProxy(startHaproxy);

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

  test('a request line that arrives in two packets reaches the API host whole; its own port answers 505 to some', async () => {
    expect(new Set(await statusesOfCutLines(suite.proxy.port))).toEqual(new Set([200]));
    expect(await statusesOfCutLines(Number(new URL(suite.host.url).port))).toContain(505);
  });

  test('answers a health check by HTTP/1.0 on its own and on the operators’ port', async () => {
    const check = 'GET /healthz HTTP/1.0\r\n\r\n';
    for (const port of [suite.proxy.port, Number(new URL(suite.host.opsUrl).port)]) {
      const answer = await raw(port, check);
      expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
      expect(answer).toContain('{"status":"ok"');
    }
  });

  test('the client’s real address is passed on, whatever headers it sends, and a page keeps its policy', async () => {
    const upstream = createServer((request, response) => {
      withPagePolicy(request, response);
      response.end(JSON.stringify(request.headers));
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const other = await startHaproxy((upstream.address() as AddressInfo).port);
    try {
      const seen = await (await fetch(`http://127.0.0.1:${other.port}/`, { headers: FORGED })).json();
      expectOwnAddress(seen);
      await expectPagePolicy(other.port);
    } finally {
      await other.stop();
      upstream.closeAllConnections();
      upstream.close();
    }
  });
});
