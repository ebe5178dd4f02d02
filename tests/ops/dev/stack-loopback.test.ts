import { readdirSync } from 'node:fs';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { startLoopbackServices } from '../../../ops/dev/stack/loopback.ts';
import { readMail, waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { s3ErrorOf } from '../../../ops/dev/stack/objects/s3-signature.ts';
import { createBucket, listKeys, sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';

describe('the loopback object store', () => {
  test('stores and returns bytes, type and metadata under any key, and reports a missing object', async () => {
    const { client, bucket: Bucket, remove } = await createBucket();
    const Key = 'a b/ü+(1)*!.jpg';
    const Body = Buffer.from([0, 255, 13, 10, 128]);
    await client.send(
      new PutObjectCommand({ Bucket, Key, Body, ContentType: 'image/jpeg', Metadata: { x: 'y' } }),
    );
    const found = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? [])).toEqual(Body);
    expect([found.ContentType, found.Metadata]).toEqual(['image/jpeg', { x: 'y' }]);
    expect(await listKeys(client, Bucket)).toEqual([Key]);
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'none' }))).rejects.toThrow(
      expect.objectContaining({ name: 'NotFound' }),
    );
    await remove();
  });

  test('a presigned link works as signed and until it expires; unsigned requests and other secrets are rejected', async () => {
    const { client, remove, ...address } = await createBucket();
    const object = { Bucket: address.bucket, Key: 'photo.jpg' };
    await client.send(new PutObjectCommand({ ...object, Body: 'photo' }));
    const link = await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: 7_200 });
    expect(await (await fetch(link)).text()).toBe('photo');
    expect((await fetch(link.replace('photo.jpg', 'other.jpg'))).status).toBe(403);
    expect((await fetch(link.replace('X-Amz-Expires=7200', 'X-Amz-Expires=7201'))).status).toBe(403);
    expect((await fetch(link.split('?')[0] ?? '')).status).toBe(403);
    const { pathname, search, host } = new URL(link);
    const request = { method: 'GET', url: `${pathname}${search}`, headers: { host } };
    expect(s3ErrorOf(request, address, Date.now())).toBeUndefined();
    expect(s3ErrorOf(request, address, Date.now() + 7_201_000)?.message).toBe('Request has expired');
    const otherUser = new S3Client({
      endpoint: address.endpoint,
      region: address.region,
      forcePathStyle: true,
      credentials: { ...address, secretAccessKey: 'guessed' },
    });
    await expect(otherUser.send(new GetObjectCommand(object))).rejects.toThrow(/signature does not match/);
    otherUser.destroy();
    await remove();
  });

  test('an upload whose encoding would be stored as content is rejected', async () => {
    const { client, remove, ...address } = await createBucket();
    const { endpoint, region, bucket } = address;
    const trailing = new S3Client({ endpoint, region, credentials: address, forcePathStyle: true });
    const { Readable } = await import('node:stream');
    const upload = new PutObjectCommand({
      Bucket: bucket,
      Key: 'stream',
      Body: Readable.from([Buffer.from('bytes')]),
      ContentLength: 5,
    });
    await expect(trailing.send(upload)).rejects.toThrow(/WHEN_REQUIRED/);
    expect(await listKeys(client, bucket)).toEqual([]);
    trailing.destroy();
    await remove();
  });

  test('starts with its objects on the same port after a crash', async () => {
    const services = await startLoopbackServices({ dataDir: temporaryDirectory() });
    const { s3 } = services;
    const client = new S3Client({
      endpoint: s3.endpoint,
      region: s3.region,
      credentials: s3,
      forcePathStyle: true,
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const object = { Bucket: s3.bucket, Key: 'kept' };
    await client.send(new PutObjectCommand({ ...object, Body: 'kept' }));
    await services.crash();
    await expect(client.send(new HeadObjectCommand(object))).rejects.toThrow();
    await services.start();
    expect((await client.send(new HeadObjectCommand(object))).ContentLength).toBe(4);
    client.destroy();
    await Promise.all([services.stop(), services.stop()]);
  });
});

describe('the mail sink', () => {
  test('keeps each message for each recipient as a file, which waitForMail finds', async () => {
    const { smtpUrl, mailDir } = sharedStack();
    const transport = createTransport(smtpUrl);
    const to = [`Ana+${crypto.randomUUID()}@example.com`, `bo-${crypto.randomUUID()}@example.com`];
    await transport.sendMail({
      from: 'p@example.com',
      to,
      subject: 'Código',
      text: '123456',
      html: '<b>123456</b>',
    });
    transport.close();
    for (const address of to) {
      const { email } = await waitForMail(mailDir, { to: address });
      expect([email.subject, email.text?.trim(), email.html?.trim()]).toEqual([
        'Código',
        '123456',
        '<b>123456</b>',
      ]);
    }
    expect(readdirSync(mailDir).some((name) => name.endsWith(`-${to[0]}.eml`))).toBe(true);
  });

  test('finds only mail sent since the given time, and names the recipient when there is none', async () => {
    const { smtpUrl, mailDir } = sharedStack();
    const transport = createTransport(smtpUrl);
    const to = `cy-${crypto.randomUUID()}@example.com`;
    await transport.sendMail({ from: 'p@example.com', to, subject: 'one', text: '1' });
    transport.close();
    const { receivedAt } = await waitForMail(mailDir, { to });
    expect(await readMail(mailDir, { to, since: receivedAt + 1 })).toEqual([]);
    await expect(waitForMail(mailDir, { to, since: receivedAt + 1, timeoutMs: 1 })).rejects.toThrow(
      `No mail for ${to} arrived`,
    );
  });
});
