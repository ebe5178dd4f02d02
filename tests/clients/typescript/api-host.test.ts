import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../clients/typescript/client.ts';
import { memoryStore } from '../../../clients/typescript/session.ts';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';
import { proxiedTransport, rejection } from '../../support/http/client-under-test.ts';
import { corners } from '../../support/pictures/photo-fixtures.ts';
import { sharedStack } from '../../support/platform/stack.ts';

const host = useApiHost();

/** A client of the running API host that starts with the given cookie. */
function clientWith(cookie: string | null) {
  const store = memoryStore(cookie);
  const signOuts: string[] = [];
  const client = createClient({
    baseUrl: host.url,
    transport: proxiedTransport(),
    store,
    onSignedOut: (reason) => void signOuts.push(reason),
  });
  onTestFinished(() => client.close());
  return { client, store, signOuts };
}

async function agent() {
  const person = await host.signedIn();
  return { person, ...clientWith(person.cookie) };
}

describe('the first minutes of an app', () => {
  test('browse signed out, sign in with the mailed code, set the name, sign out', async () => {
    const { client, store, signOuts } = clientWith(null);
    expect((await client.ai.getStagingCatalog()).disclosureLabel).toBe('AI · Virtually staged');
    const email = `${randomUUID()}@example.com`;
    await client.auth.sendOtp(email);
    const mail = await waitForMail(sharedStack().mailDir, { to: email });
    const otp = /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0] ?? '';
    expect(await client.auth.signInWithOtp({ email, otp })).toMatchObject({ email, name: '' });
    const DEVICE = '__Host-proscenium\\.device=[^;]+';
    expect(await store.read()).toMatch(RegExp(`^${DEVICE}; __Host-better-auth\\.session_token=[^;]+$`));

    expect(await client.users.updateProfile({ name: 'Zoë 🐈', locale: 'es' })).toMatchObject({
      name: 'Zoë 🐈',
    });
    expect(await client.users.getMe()).toMatchObject({ email, locale: 'es', role: 'customer', agent: null });
    expect(await rejection(client.properties.listMine({}))).toMatchObject({
      httpStatus: 403,
      errorCode: 'AGENT_REQUIRED',
    });
    const cookie = await store.read();
    expect(await client.auth.signOut()).toEqual({ revoked: true });
    expect([await store.read(), signOuts]).toEqual([expect.stringMatching(`^${DEVICE}$`), ['asked']]);
    // The device has its cookie now: the next answer sets no new one.
    const device = await store.read();
    await client.auth.sendOtp(email);
    expect(await store.read()).toBe(device);
    // The server has ended the session too, not only the app.
    const thief = clientWith(cookie);
    expect(await rejection(thief.client.users.getMe())).toMatchObject({ httpStatus: 401 });
    expect(thief.signOuts).toEqual(['unauthorized']);
  });

  test('a wrong code and a token of another issuer are rejected with the error codes of the API', async () => {
    const { client, signOuts } = clientWith(null);
    const given = { email: 'nobody@example.com', otp: '000000' };
    expect(await rejection(client.auth.signInWithOtp(given))).toMatchObject({
      httpStatus: 400,
      errorCode: 'INVALID_OTP',
    });
    const social = await rejection(client.auth.signInSocial({ provider: 'nowhere', idToken: 'x.y.z' }));
    expect(social).toMatchObject({ name: 'ApiError', httpStatus: expect.any(Number) });
    expect((social as { httpStatus: number }).httpStatus).toBeLessThan(500);
    expect(signOuts).toEqual([]);
  });

  test('a session that ended on the server signs the app out once, however many calls fail', async () => {
    const { client, person, signOuts, store } = await agent();
    await client.users.getMe();
    await host.pool.query('delete from session where "userId" = $1', [person.id]);
    const errors = await Promise.all(Array.from({ length: 8 }, () => rejection(client.users.getMe())));
    for (const error of errors) expect(error).toMatchObject({ httpStatus: 401, errorCode: 'UNAUTHORIZED' });
    expect([signOuts, await store.read()]).toEqual([['unauthorized'], null]);
  });

  test('a session that is renewed on use is stored', async () => {
    const { client, person, store } = await agent();
    await host.pool.query(`update session set "expiresAt" = now() + interval '2 days' where "userId" = $1`, [
      person.id,
    ]);
    let writes = 0;
    const { write } = store;
    store.write = async (cookie) => {
      writes += 1;
      await write(cookie);
    };
    await client.users.getMe();
    expect(writes).toBe(1);
    expect(await client.users.getMe()).toMatchObject({ id: person.id });
  });
});

describe('an agent stages a room', () => {
  test('from the photo to the decision', async () => {
    const { client } = await agent();
    const { propertyId } = await client.properties.create({
      listPrice: 250_000.5,
      address: '1 Elm',
      city: 'Springfield',
    });
    const bytes = new Uint8Array(await corners().resize(640, 640).jpeg().toBuffer());
    const patio = await client.images.upload({ propertyId, imageOf: 'Patio', picture: { bytes } });
    expect(patio).toMatchObject({ roomType: null, imageOf: 'Patio' });
    await client.images.remove(patio.imageId);
    const photo = await client.images.upload({ propertyId, roomType: 'KITCHEN', picture: { bytes } });
    expect(photo).toMatchObject({
      propertyId,
      isStyled: false,
      roomType: 'KITCHEN',
      reviewStatus: null,
      width: 640,
    });
    expect(await client.images.change({ imageId: photo.imageId, isMain: true })).toMatchObject({
      isMain: true,
    });

    const assignments = [{ originalImageId: photo.imageId, roomType: 'TV_ROOM', style: 'MODERN' }];
    const [first] = (await client.ai.submitRoomStaging({ assignments })).results;
    const [again] = (await client.ai.submitRoomStaging({ assignments })).results;
    expect([first?.disposition, again?.disposition]).toEqual(['ENQUEUED', 'EXISTING']);
    expect(again?.aiJobId).toBe(first?.aiJobId);
    const aiJobId = first?.aiJobId ?? '';
    expect(await client.ai.getStagingJob({ aiJobId })).toMatchObject({
      status: 'PENDING',
      canonicalRoomType: 'TV_ROOM',
    });
    expect((await client.ai.listStagingJobs({ propertyId })).items).toHaveLength(1);
    expect(await client.ai.cancelStagingJob({ aiJobId })).toEqual({ aiJobId, status: 'CANCELED' });
    expect(await client.ai.cancelStagingJob({ aiJobId })).toEqual({ aiJobId, status: 'CANCELED' });

    const original = { imageId: photo.imageId, propertyId };
    const staged = await seedVariant(host.pool, original, { canonicalStyle: 'LUXURY' });
    expect(await rejection(client.images.change({ imageId: staged, isMain: true }))).toMatchObject({
      httpStatus: 400,
      errorCode: 'STAGED_CANNOT_BE_MAIN',
    });
    expect(await rejection(client.images.remove(staged))).toMatchObject({
      httpStatus: 400,
      errorCode: 'STAGED_DELETE_REFUSED',
    });
    expect(await client.ai.rejectStagedVariant({ imageId: staged })).toEqual({
      imageId: staged,
      rejected: true,
    });
    await client.images.remove(photo.imageId);
    expect((await client.ai.listStagedVariants({ propertyId })).items).toEqual([]);
  });

  test.each(['RETRYING', 'CANCEL_REQUESTED', 'CANCELED', 'FAILED'] as const)(
    'a job in %s is decoded',
    async (status) => {
      const { client, person } = await agent();
      const { propertyId, imageId } = await host.listing(person);
      const original = { imageId, propertyId, objectKey: 'o', providerInputKey: 'i' };
      const phase = status === 'RETRYING' ? 'BACKOFF' : null;
      const { jobId } = await seedStagingJob(host.pool, {
        original,
        job: { status, phase, ...columnsOf(status) },
      });
      expect((await client.ai.getStagingJob({ aiJobId: jobId })).status).toBe(status);
    },
  );
});

describe('errors', () => {
  test('fields, key and request id are available', async () => {
    const { client } = await agent();
    const error = await rejection(
      client.properties.setStatus({ propertyId: 'not-an-id', standardStatus: 'Active' }),
    );
    expect(error).toMatchObject({
      httpStatus: 400,
      code: 'BAD_REQUEST',
      errorCode: 'INVALID_INPUT',
      messageKey: 'errors.invalidInput',
      fields: { propertyId: [expect.any(String)] },
      requestId: expect.stringMatching(/\S/),
    });
  });

  test('a disabled feature flag is an explicit error', async () => {
    const off = await startApiHost({ settings: { AI_ROOM_STAGING_ENABLED: 'false' } });
    try {
      const person = await off.signedIn();
      const { imageId } = await off.listing(person);
      const client = createClient({
        baseUrl: off.url,
        transport: proxiedTransport(),
        store: memoryStore(person.cookie),
      });
      const assignments = [{ originalImageId: imageId, roomType: 'KITCHEN', style: 'MODERN' }];
      expect(await rejection(client.ai.submitRoomStaging({ assignments }))).toMatchObject({
        httpStatus: 412,
        errorCode: 'STAGING_UNAVAILABLE',
        messageKey: 'staging.unavailable',
      });
      client.close();
    } finally {
      await off.stop();
    }
  });
});

function columnsOf(status: string): Record<string, unknown> {
  const at = new Date('2026-01-15T12:00:00Z');
  if (status === 'RETRYING') return { retryAt: at };
  if (status === 'CANCEL_REQUESTED') return { cancelRequestedAt: at };
  if (status === 'CANCELED') return { cancelRequestedAt: at, canceledAt: at };
  return { errorCode: 'PROVIDER_FAILED' };
}
