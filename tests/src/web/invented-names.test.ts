import { expect, test } from 'vitest';
import { useApiHost } from '../../support/http/api-host.ts';
import { connectRaw } from '../../support/http/raw-client.ts';

/** Defects that fuzzing found where a client sends an invented name. */
const host = useApiHost();

async function answerTo(line: string): Promise<string> {
  const connection = await connectRaw(Number(new URL(host.url).port));
  connection.send(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return connection.until(/\r\n\r\n\S/);
}

test('methods that a client invents share one label, so that the number of metrics stays bounded', async () => {
  for (const method of ['INVENTED', 'MADEUP', 'get'])
    expect(await answerTo(`${method} /healthz`)).toContain(' 405 ');
  const metrics = await (await fetch(`${host.opsUrl}/metrics`)).text();
  const labels = new Set(
    [...metrics.matchAll(/http_requests_total\{method="([^"]*)"/g)].map(([, label]) => label),
  );
  expect([...labels].filter((label) => label !== 'GET')).toEqual(['other']);
});

test.each(['constructor', '__proto__', 'toString'])(
  'a sign-in path that is the name of an inherited property is not found: %s',
  async (name) => {
    const answer = await answerTo(`GET /api/auth/../auth${name}`);
    expect(answer).toContain(' 404 ');
    expect(answer).not.toMatch(/undefined/);
  },
);
