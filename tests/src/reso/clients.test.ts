import { beforeAll, describe, expect, test } from 'vitest';
import { addToken } from '../../../persistence/reso/api-clients.ts';
import { hashOf, newSecret } from '../../../src/auth/client-secrets.ts';
import { createApiClients } from '../../../src/operations/api-clients.ts';
import { systemChance } from '../../../src/time.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { numberAll, openFeedClient, seedClient, tokenRequest } from '../../support/reso/feed-client.ts';

/** Clients of the feed and their tokens (docs/feeds.md#clients). */
const host = useApiHost();
const operations = () =>
  createApiClients({
    pool: host.pool,
    clock: { now: Date.now },
    chance: systemChance,
    scrub: (text) => text,
  });
const ASKING = { by: 'ops', reason: 'a contract' };
const read = (token: string, path = '/Property') =>
  fetch(`${host.url}/reso/odata${path}`, { headers: { authorization: `Bearer ${token}` } });
beforeAll(async () => {
  await seedProperty(host.pool, { standardStatus: 'Active' });
  await numberAll(host);
});

describe('a token', () => {
  test('is given for credentials in the body and as Basic, lasts an hour, and is stored as a hash', async () => {
    const { clientId, secret } = await seedClient(host);
    const grant = { grant_type: 'client_credentials' };
    const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
    for (const response of [
      await tokenRequest(host, { ...grant, client_id: clientId, client_secret: secret, scope: 'reso.read' }),
      await tokenRequest(host, grant, { authorization: `Basic ${basic}` }),
    ]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const answer = (await response.json()) as { access_token: string };
      expect(answer).toEqual({
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'reso.read',
      });
      expect((await read(answer.access_token)).status).toBe(200);
      expect(
        await host.rows(`select from api_tokens where hash = $1`, [hashOf(answer.access_token)]),
      ).toHaveLength(1);
    }
    const lines = JSON.stringify(host.lines);
    expect(lines).not.toContain(secret);
    const stored = JSON.stringify(await host.rows('select * from api_clients'));
    expect(stored).not.toContain(secret);
  });

  test.each([
    ['another secret', { client_secret: newSecret() }, 401, 'invalid_client'],
    ['no secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another client', { client_id: '00000000-0000-0000-0000-000000000000' }, 401, 'invalid_client'],
    ['an id that is none', { client_id: "' or true" }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['another scope', { scope: 'reso.write' }, 400, 'invalid_scope'],
  ])('is not given for %s', async (_what, change, status, error) => {
    const { clientId, secret } = await seedClient(host);
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...change };
    const response = await tokenRequest(host, form);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error });
  });

  test('is needed: without one, and with one that has ended, 401', async () => {
    const { token, clientId } = await openFeedClient(host);
    const bare = await fetch(`${host.url}/reso/odata/Property`);
    expect(bare.status).toBe(401);
    expect(bare.headers.get('odata-version')).toBe('4.01');
    expect((await read(newSecret())).status).toBe(401);
    await host.rows('update api_tokens set "expiresAt" = now() where "clientId" = $1', [clientId]);
    expect((await read(token)).status).toBe(401);
  });

  test('guesses of one client are bounded, and others are not in their way', async () => {
    const { clientId } = await seedClient(host);
    const guess = () =>
      tokenRequest(host, { grant_type: 'client_credentials', client_id: clientId, client_secret: 'guess' });
    const statuses: number[] = [];
    for (let count = 0; count < 35; count += 1) statuses.push((await guess()).status);
    expect(statuses.slice(0, 30).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(30)).toEqual([429, 429, 429, 429, 429]);
    expect((await guess()).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('a client has at most twenty', async () => {
    const { clientId, secret } = await seedClient(host);
    for (let count = 0; count < 25; count += 1)
      await addToken(host.pool, { clientId, secretHash: hashOf(secret), tokenHash: hashOf(newSecret()) });
    expect(await host.rows('select from api_tokens where "clientId" = $1', [clientId])).toHaveLength(20);
  });
});

describe('a client', () => {
  test('is limited to its rate', async () => {
    const { get } = await openFeedClient(host, { perMinute: 3 });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await get('/Property?$top=1')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('that an operator adds reads until it is revoked, with an act for each', async () => {
    const added = await operations().add({ name: 'Portal', perMinute: '600', days: '30' }, ASKING);
    if (!('clientId' in added)) throw new Error('not added');
    const { clientId, secret } = added;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
    const { access_token: token } = (await (await tokenRequest(host, form)).json()) as {
      access_token: string;
    };
    expect((await read(token)).status).toBe(200);
    expect(await operations().add({ name: 'Portal', perMinute: '600', days: '30' }, ASKING)).toEqual({
      outcome: 'taken',
    });
    expect(await operations().revoke('Portal', ASKING)).toEqual({ outcome: 'revoked' });
    expect((await read(token)).status).toBe(401);
    expect((await tokenRequest(host, form)).status).toBe(401);
    expect(await operations().revoke(clientId, ASKING)).toEqual({ outcome: 'ended' });
    expect(
      await host.rows('select act, by, reason from operator_acts where "clientId" = $1 order by at', [
        clientId,
      ]),
    ).toEqual([
      { act: 'add-client', by: 'operator:ops', reason: 'a contract' },
      { act: 'revoke-client', by: 'operator:ops', reason: 'a contract' },
    ]);
  });

  test('that has ended has no token', async () => {
    const { clientId, secret } = await seedClient(host, { expiresAt: Date.now() - 1_000 });
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
    expect((await tokenRequest(host, form)).status).toBe(401);
  });

  test.each([
    ['', '600', '30'],
    ['a', '0', '30'],
    ['a', '600', '9999'],
    ['a', 'x', '30'],
  ])('named %j with rate %s and %s days is refused', async (name, perMinute, days) => {
    expect(await operations().add({ name, perMinute, days }, ASKING)).toMatchObject({
      problems: [expect.any(String)],
    });
  });
});
