/** docs/api.md lists every error that procedures answer: an undeclared error is reported and fails the test. */
import { describe, expect, test } from 'vitest';
import { UNDECLARED_ERROR } from '../../../src/api/procedure-meta.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { systemChance } from '../../../src/time.ts';
import { agent, inputOf, postJson, startAdapter } from '../../support/http/adapter-fixture.ts';
import { startApiHost } from '../../support/http/api-host.ts';

async function errorCodeOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { json: { data: { errorCode: string } } } };
  return body.error.json.data.errorCode;
}

describe('an error', () => {
  test('that is undeclared is reported by path and code, and still sent', async () => {
    const { url, logs } = await startAdapter();
    const response = await fetch(`${url}/fail?${inputOf('undeclared')}`);
    expect([response.status, await errorCodeOf(response)]).toEqual([409, 'TOUR_SLOT_TAKEN']);
    expect(logs).toEqual([
      { level: 'error', message: UNDECLARED_ERROR, fields: { procedure: 'fail', code: 'TOUR_SLOT_TAKEN' } },
    ]);
  });

  test.each([
    ['conflict', 'CONFLICT'],
    ['unprocessable', 'PHOTO_BROKEN'],
    ['limited', 'RATE_LIMITED'],
    ['no such kind', 'INVALID_INPUT'],
  ])('that is declared or common is not reported (%s)', async (kind, code) => {
    const { url, logs } = await startAdapter();
    expect(await errorCodeOf(await fetch(`${url}/fail?${inputOf(kind)}`))).toBe(code);
    expect(logs).toEqual([]);
  });

  test('of a guard is not reported', async () => {
    const customer = await startAdapter({ user: { ...agent, role: 'customer' } });
    expect(await errorCodeOf(await fetch(`${customer.url}/agentsOnly`))).toBe('AGENT_REQUIRED');
    const nobody = await startAdapter();
    for (const path of ['me', 'agentsOnly'])
      expect(await errorCodeOf(await fetch(`${nobody.url}/${path}`))).toBe('UNAUTHORIZED');
    expect([...customer.logs, ...nobody.logs]).toEqual([]);
  });

  test('of a call that reached no procedure is not reported', async () => {
    const { url, logs } = await startAdapter();
    for (const path of ['nowhere', 'constructor', 'nested'])
      expect(await errorCodeOf(await fetch(`${url}/${path}`))).toBe('NOT_FOUND');
    expect(await errorCodeOf(await fetch(`${url}/mutate`))).toBe('METHOD_NOT_ALLOWED');
    const type = { 'content-type': 'text/plain' };
    expect(await errorCodeOf(await postJson(`${url}/mutate`, {}, type))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(logs).toEqual([]);
  });
});

test('a test whose API host answered with an undeclared error fails', async () => {
  const id = () => {
    throw new PublicError('CONFLICT');
  };
  const host = await startApiHost({ overrides: { chance: { ...systemChance, id } } });
  const ann = await host.signedIn();
  const { propertyId } = await host.listing(ann);
  const refused = await ann.mutate('ai.requestDescription', { propertyId, locale: 'en' });
  expect(refused.errorCode).toBe('CONFLICT');
  await expect(host.stop()).rejects.toThrow('ai.requestDescription: CONFLICT');
});
