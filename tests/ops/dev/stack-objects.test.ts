import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBucket } from '../../support/platform/stack.ts';

/** The local stack's store through the AWS SDK: it must answer like a bucket in the cloud. */
async function openBucket() {
  const made = await createBucket();
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = made;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  onTestFinished(async () => {
    client.destroy();
    await made.remove();
  });
  const put = async (keys: readonly string[]) => {
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(
        keys
          .slice(at, at + 50)
          .map((Key) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))),
      );
  };
  const list = async (options: Partial<ConstructorParameters<typeof ListObjectsV2Command>[0]> = {}) => {
    const pages = [];
    const asked = { Bucket: bucket, ...options };
    for await (const { Contents = [], CommonPrefixes = [], KeyCount } of paginateListObjectsV2(
      { client },
      asked,
    ))
      pages.push({
        keys: Contents.map(({ Key }) => Key),
        prefixes: CommonPrefixes.map(({ Prefix }) => Prefix),
        KeyCount,
      });
    return pages;
  };
  return { client, bucket, put, list };
}

describe('ListObjectsV2', () => {
  test('has pages in byte order, each key once', async () => {
    const { client, bucket, put, list } = await openBucket();
    // Sorted by folders, `a/1` would come before `a-1`.
    const keys = ['a-1', 'a/1', 'a/2', 'a/ä & ö+<"x">', 'ab', 'c/d/e', 'z'];
    await put(keys.toReversed());
    for (const MaxKeys of [1, 2, 3, 7, 1000]) {
      const pages = await list({ MaxKeys });
      expect(
        pages.flatMap((page) => page.keys),
        `by ${MaxKeys}`,
      ).toEqual(keys);
      expect(pages.length).toBe(Math.ceil(keys.length / MaxKeys));
    }
    expect((await list({ EncodingType: 'url' }))[0]?.keys).toContain(encodeURIComponent('a/ä & ö+<"x">'));
    expect((await list({ Prefix: 'a/', StartAfter: 'a/1' }))[0]?.keys).toEqual(keys.slice(2, 4));
    const { Contents: [first] = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }),
    );
    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'a-1' }));
    expect(first).toMatchObject({ Key: 'a-1', Size: 3, ETag: head.ETag, LastModified: expect.any(Date) });
  });

  test('groups by a delimiter, across pages too', async () => {
    const { put, list } = await openBucket();
    await put(['a/1', 'a/2', 'b', 'c/1/x', 'c/2', 'd']);
    expect(await list({ Delimiter: '/' })).toEqual([
      { keys: ['b', 'd'], prefixes: ['a/', 'c/'], KeyCount: 4 },
    ]);
    const pages = await list({ Delimiter: '/', MaxKeys: 1 });
    expect(pages.map(({ keys, prefixes }) => [...keys, ...prefixes])).toEqual([['a/'], ['b'], ['c/'], ['d']]);
    expect(await list({ Delimiter: '/', Prefix: 'c/' })).toMatchObject([
      { keys: ['c/2'], prefixes: ['c/1/'] },
    ]);
  });

  test('of a missing bucket is an error that names it', async () => {
    const { client } = await openBucket();
    await expect(client.send(new ListObjectsV2Command({ Bucket: 'no-such-bucket' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });
});

test('an object appears whole: not while its bytes arrive, and then with all of them', async () => {
  const { client, bucket, list } = await openBucket();
  const whole = randomBytes(200_000);
  const body = new PassThrough();
  const put = client.send(
    new PutObjectCommand({ Bucket: bucket, Key: 'slow', Body: body, ContentLength: whole.length }),
  );
  body.write(whole.subarray(0, 100_000));
  await expect(client.send(new GetObjectCommand({ Bucket: bucket, Key: 'slow' }))).rejects.toThrow(/key/);
  expect((await list())[0]?.keys).toEqual([]);
  body.end(whole.subarray(100_000));
  await put;
  const stored = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'slow' }));
  expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true);
});

test('DeleteObjects removes a thousand at once, missing ones included, and nothing else', async () => {
  const { client, bucket, put, list } = await openBucket();
  const keys = Array.from({ length: 1_001 }, (_, n) => `pictures/${String(n).padStart(4, '0')}-ä&<>`);
  await put(keys);
  const pages = await list();
  expect(pages.map((page) => page.keys.length)).toEqual([1_000, 1]);
  // A name that looks like a number is still a name.
  await put(['0012', '1e3']);
  const Objects = [...keys.slice(1, 998), '0012', '1e3', 'nothing'].map((Key) => ({ Key }));
  const { Deleted, Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }),
  );
  expect([Deleted?.length, Errors]).toEqual([1_000, undefined]);
  expect((await list()).flatMap((page) => page.keys)).toEqual([keys[0], ...keys.slice(998)]);
  await expect(client.send(new GetObjectCommand({ Bucket: bucket, Key: keys[5] }))).rejects.toMatchObject({
    name: 'NoSuchKey',
  });
});
