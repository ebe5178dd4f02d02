import { expect, test } from 'vitest';
import { securityContactRoutes } from '../../../src/web/security-contact.ts';
import { startApiHost } from '../../support/http/api-host.ts';
import { startServer } from '../../support/http/test-server.ts';

const PATH = '/.well-known/security.txt';

test('security.txt names the contact, its own address and an end in the future', async () => {
  const host = await startApiHost({ settings: { SECURITY_CONTACT: 'mailto:security@example.com' } });
  try {
    const { status, text, headers } = await host.anonymous().send('GET', PATH);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(': ', 2) as [string, string]),
    );
    expect(lines.get('Contact')).toBe('mailto:security@example.com');
    expect(lines.get('Canonical')).toBe(`https://api.example.com${PATH}`);
    const days = (Date.parse(lines.get('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(170);
    expect(days).toBeLessThan(365);
  } finally {
    await host.stop();
  }
});

test('without a contact there is no file', async () => {
  const clock = { now: () => 0 };
  const routes = securityContactRoutes({ contact: null, publicBaseUrl: 'https://x.example', clock });
  const { origin } = await startServer(routes);
  expect((await fetch(origin + PATH)).status).toBe(404);
});
