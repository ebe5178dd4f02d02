import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { createTcpGate, type TcpGate } from '../../support/http/tcp-gate.ts';
import { sharedStack } from '../../support/platform/stack.ts';

/** What pages and the API answer while the database is away. */
let host: ApiHost;
let gate: TcpGate;
beforeAll(async () => {
  gate = await createTcpGate(sharedStack().databaseUrl);
  host = await startApiHost({ settings: { SITE_ENABLED: 'true' }, databaseThrough: gate.through });
});
afterAll(async () => {
  await gate.open();
  await host.stop();
  await gate.cut();
});

test('every answer is 503, says when to come back, and may be kept by no one', async () => {
  const { propertyId } = await host.listing(await host.signedIn());
  await gate.cut();
  const asBrowser = { headers: { accept: 'text/html' } };
  const visitor = host.anonymous();
  const answers = [
    await visitor.send('GET', `/properties/${propertyId}`, asBrowser),
    await visitor.send('GET', '/search?beds=1', asBrowser),
    await visitor.query('properties.getDetail', { propertyId }),
  ];
  for (const { status, headers } of answers)
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
      503,
      '5',
      'no-store',
    ]);
});
