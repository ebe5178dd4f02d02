import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createObjectStorage,
  type ObjectStorage,
  StorageError,
} from '../../../src/storage/object-storage.ts';
import { createBucket, type TestBucket } from '../../support/platform/stack.ts';

let bucket: TestBucket;
let storage: ObjectStorage;

beforeAll(async () => {
  bucket = await createBucket();
  storage = createObjectStorage(bucket);
});
afterAll(async () => {
  storage?.close();
  await bucket?.remove();
});

async function failure(call: Promise<unknown>): Promise<StorageError> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof StorageError)) throw new Error('did not fail with a StorageError', { cause: error });
  return error;
}

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.list(prefix)) keys.push(key);
  return keys;
}

describe('objects', () => {
  test('a stored object is returned byte for byte, with its type', async () => {
    const bytes = randomBytes(300_000);
    await storage.put('originals/a b+ü.jpg', bytes, { contentType: 'image/jpeg' });
    const found = await storage.get('originals/a b+ü.jpg');
    expect(found.bytes.equals(bytes)).toBe(true);
    expect([found.contentType, found.size]).toEqual(['image/jpeg', 300_000]);
  });

  test('an object opens as a stream', async () => {
    const bytes = randomBytes(200_000);
    await storage.put('stream', bytes, { contentType: 'image/webp' });
    const { stream, size, contentType } = await storage.open('stream');
    expect([size, contentType]).toEqual([200_000, 'image/webp']);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });

  test('storing again replaces', async () => {
    await storage.put('twice', Buffer.from('one'), { contentType: 'text/plain' });
    await storage.put('twice', Buffer.from('two'), { contentType: 'image/png' });
    expect(await storage.get('twice')).toMatchObject({ bytes: Buffer.from('two'), contentType: 'image/png' });
  });

  test('a missing object: get is classed missing, exists is false, delete succeeds', async () => {
    expect(await failure(storage.get('nowhere'))).toMatchObject({ kind: 'missing', code: 'NoSuchKey' });
    expect(await failure(storage.open('nowhere'))).toMatchObject({ kind: 'missing' });
    expect(await storage.exists('nowhere')).toBe(false);
    await expect(storage.delete('nowhere')).resolves.toBeUndefined();
  });

  test('a deleted object is missing, and deleting it again succeeds', async () => {
    await storage.put('gone', Buffer.from('x'), { contentType: 'text/plain' });
    expect(await storage.exists('gone')).toBe(true);
    await storage.delete('gone');
    expect(await storage.exists('gone')).toBe(false);
    await storage.delete('gone');
  });

  test('keys are listed by prefix', async () => {
    for (const key of ['list/1', 'list/2', 'listing', 'other/1']) {
      await storage.put(key, Buffer.from(key), { contentType: 'text/plain' });
    }
    expect(await keysUnder('list/')).toEqual(['list/1', 'list/2']);
    expect(await keysUnder('none/')).toEqual([]);
  });
});

describe('presigned URLs', () => {
  test('work without credentials, for this object only', async () => {
    await storage.put('shown.jpg', Buffer.from('picture'), { contentType: 'image/jpeg' });
    const address = await storage.presignGet('shown.jpg', 7_200);
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('7200');
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'image/jpeg',
      'picture',
    ]);
    const other = await fetch(address.replace('shown.jpg', 'gone'));
    await other.arrayBuffer();
    expect(other.status).toBe(403);
  });

  test('can name the file; a name that would break the header is rejected', async () => {
    const address = await storage.presignGet('shown.jpg', 60, { downloadName: 'attempt-1.jpg' });
    const answer = await fetch(address);
    expect(answer.headers.get('content-disposition')).toBe('inline; filename="attempt-1.jpg"');
    expect(await answer.text()).toBe('picture');
    const hostile = storage.presignGet('shown.jpg', 60, { downloadName: 'a"; x="b' });
    await expect(hostile).rejects.toThrow(RangeError);
  });

  test.each([0, -1, 1.5, 604_801])('%s seconds are rejected', async (seconds) => {
    await expect(storage.presignGet('shown.jpg', seconds)).rejects.toThrow(RangeError);
  });
});

describe('the bucket', () => {
  const elsewhere = (changes: Partial<TestBucket>): ObjectStorage =>
    createObjectStorage({ ...bucket, ...changes });

  test('is ready', async () => {
    await expect(storage.check()).resolves.toBeUndefined();
  });

  test('is created once, and then left unchanged', async () => {
    const name = `${bucket.bucket}-made`;
    const fresh = elsewhere({ bucket: name });
    expect(await failure(fresh.check())).toMatchObject({ kind: 'needs-person', code: 'NoSuchBucket' });
    await fresh.ensureBucket();
    await fresh.put('kept', Buffer.from('x'), { contentType: 'text/plain' });
    await fresh.ensureBucket();
    expect(await fresh.exists('kept')).toBe(true);
    await fresh.delete('kept');
    fresh.close();
    await bucket.client.send(new DeleteBucketCommand({ Bucket: name }));
  });

  test('is never mistaken for a missing object when it is missing itself', async () => {
    const lost = elsewhere({ bucket: `${bucket.bucket}-none` });
    const calls = [
      () => lost.get('k'),
      () => lost.exists('k'),
      () => lost.delete('k'),
      () => lost.put('k', Buffer.from('x'), { contentType: 'text/plain' }),
      () => lost.check(),
    ];
    for (const call of calls) {
      expect(await failure(call())).toMatchObject({ kind: 'needs-person', code: 'NoSuchBucket' });
    }
    lost.close();
  });

  test.each([
    ['another secret', { secretAccessKey: 'not-the-secret' }, 'SignatureDoesNotMatch'],
    ['another key id', { accessKeyId: 'UNKNOWN' }, 'InvalidAccessKeyId'],
  ])('%s is classed needs-person', async (_name, changes, code) => {
    const wrongAccount = elsewhere(changes);
    const put = wrongAccount.put('k', Buffer.from('x'), { contentType: 'text/plain' });
    expect(await failure(put)).toMatchObject({ kind: 'needs-person', code });
    expect(await failure(wrongAccount.check())).toMatchObject({ kind: 'needs-person', code: 'AccessDenied' });
    wrongAccount.close();
  });
});
