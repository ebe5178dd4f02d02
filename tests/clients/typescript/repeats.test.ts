import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../clients/typescript/client.ts';
import { memoryStore } from '../../../clients/typescript/session.ts';
import { type Transport, TransportError } from '../../../clients/typescript/transport.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import {
  clientOf,
  proxiedTransport,
  rejection,
  startServer,
  succeed,
} from '../../support/http/client-under-test.ts';
import { corners } from '../../support/pictures/photo-fixtures.ts';

/** The client makes a lost answer harmless. */
describe('the idempotency key', () => {
  const varied = () => {
    let turn = 0;
    return () => {
      turn = (turn * 7 + 13) % 1009;
      return turn / 1009;
    };
  };
  const withChance = (url: string) => {
    const { timing } = clientOf(url);
    return clientOf(url, { timing: { ...timing, random: varied() } }).client;
  };

  test('is the same for all tries of a call, and new for the next call', async () => {
    const { url, seen } = await startServer((_request, response, raw) =>
      seen.length < 3 ? raw.socket.destroy() : succeed(response, {}),
    );
    const client = withChance(url);
    await client.properties.create({ listPrice: 1, address: 'a', city: 'b' });
    await client.properties.create({ listPrice: 1, address: 'a', city: 'b' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^\d{36}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('is sent with every call that changes something, and with no other', async () => {
    const { url, seen } = await startServer((_request, response) => succeed(response, {}));
    const { client } = clientOf(url);
    const bytes = new Uint8Array([1]);
    await client.users.getMe();
    await client.users.updateProfile({});
    await client.images.upload({ propertyId: 'p', picture: { bytes } });
    await client.images.change({ imageId: 'i', isMain: true });
    await client.images.remove('i');
    await client.images.uploadAvatar({ bytes });
    await client.images.removeAvatar();
    await client.auth.sendOtp('a@example.com');
    const keyed = seen.map(({ headers }) => headers['idempotency-key'] !== undefined);
    expect(keyed).toEqual([false, true, true, true, true, true, true, false]);
  });

  test('IDEMPOTENCY_KEY_IN_FLIGHT is retried on a repeat, but not on a first try', async () => {
    const busy = (response: Parameters<typeof succeed>[0]) => {
      const data = { code: 'CONFLICT', httpStatus: 409, errorCode: 'IDEMPOTENCY_KEY_IN_FLIGHT' };
      response.writeHead(409, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end(JSON.stringify({ error: { json: { message: 'Busy.', code: -32009, data } } }));
    };
    const { url, seen } = await startServer((_request, response, raw) => {
      if (seen.length === 1) raw.socket.destroy();
      else if (seen.length === 2) busy(response);
      else succeed(response, { propertyId: 'p' });
    });
    const { client } = clientOf(url);
    expect(await client.properties.create({ listPrice: 1, address: 'a', city: 'b' })).toEqual({
      propertyId: 'p',
    });
    const other = await startServer((_request, response) => busy(response));
    const refused = await rejection(clientOf(other.url).client.users.updateProfile({}));
    expect(refused).toMatchObject({ errorCode: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    expect(other.seen).toHaveLength(1);
  });
});

describe('against the API host, when every first answer is lost', () => {
  let host: ApiHost;
  beforeAll(async () => {
    host = await startApiHost();
  });
  afterAll(() => host.stop());

  /** The work is done, but the answer to the first try of each call does not arrive. */
  function lossy(): Transport {
    const inner = proxiedTransport();
    const known = new Set<string>();
    return {
      async send(request) {
        const answer = await inner.send(request);
        const call = `${request.method} ${request.url}`;
        if (known.has(call)) return answer;
        known.add(call);
        throw new TransportError('the answer was lost');
      },
      close: inner.close,
    };
  }

  test('a listing and its photo are created once', async () => {
    const person = await host.signedIn();
    const store = memoryStore(person.cookie);
    const client = createClient({ baseUrl: host.url, transport: lossy(), store });
    onTestFinished(() => client.close());
    const address = randomUUID();
    const { propertyId } = await client.properties.create({ listPrice: 1, address, city: 'b' });
    const bytes = await corners().jpeg().toBuffer();
    const { imageId } = await client.images.upload({ propertyId, picture: { bytes } });
    expect(await host.rows('select id from properties where address = $1', [address])).toEqual([
      { id: propertyId },
    ]);
    expect(await host.rows('select id from property_images where "propertyId" = $1', [propertyId])).toEqual([
      { id: imageId },
    ]);
    await client.images.remove(imageId);
  });
});
