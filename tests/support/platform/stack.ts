import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { ObjectStoreAddress } from '../../../ops/dev/stack/loopback.ts';
import type { ProviderEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import type { SharedStack } from '../global-setup.ts';
import { Opened, onLeakCheck } from '../leak-check.ts';

/** The stack that the whole run shares. Its Redis is shared too: use a queue suffix or key prefix of your own. */
export function sharedStack(): SharedStack {
  return inject('stack');
}

/** Where the shared Redis answers. */
export function kvUrl(): string {
  return sharedStack().kvUrl;
}

/**
 * The provider simulator of the run. Its ledger and settings are shared by all files; tests that inject faults start
 * one of their own.
 */
export function sharedProvider(): ProviderEnvironment {
  const { provider, providerMissing } = sharedStack();
  if (!provider) throw new Error(`no provider simulator: ${providerMissing}`);
  return provider;
}

/** A bucket of its own on the shared object store. */
export interface TestBucket extends ObjectStoreAddress {
  readonly client: S3Client;
  /** Removes the bucket with all objects and closes the client. */
  remove(): Promise<void>;
}

const buckets = new Opened<TestBucket>();
const directories = new Opened<string>();

onLeakCheck('buckets', async () => {
  const forgotten = buckets.leaked();
  for (const bucket of forgotten) await bucket.remove();
  return forgotten.map(({ bucket }) => `bucket ${bucket} was not removed`);
});

onLeakCheck('directories', async () => {
  directories.leaked().forEach(removeDirectory);
  return [];
});

/** Makes an empty bucket. A file that does not remove it fails. */
export async function createBucket(): Promise<TestBucket> {
  const address = { ...sharedStack().s3, bucket: `test-${randomUUID()}` };
  const client = new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    credentials: address,
    forcePathStyle: true,
    // The loopback store does not know the trailing checksums that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket: address.bucket }));
  const bucket: TestBucket = {
    ...address,
    client,
    async remove() {
      if (!buckets.delete(bucket)) return;
      for (const Key of await listKeys(client, address.bucket)) {
        await client.send(new DeleteObjectCommand({ Bucket: address.bucket, Key }));
      }
      await client.send(new DeleteBucketCommand({ Bucket: address.bucket }));
      client.destroy();
    },
  };
  buckets.add(bucket);
  return bucket;
}

/** Every key in a bucket, in order. */
export async function listKeys(client: S3Client, bucket: string): Promise<string[]> {
  const keys: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken }));
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  return keys;
}

/** A temporary directory that goes with the test file, or earlier. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'proscenium-test-'));
  directories.add(directory);
  return directory;
}

/** Removes a temporary directory before the end of its file. */
export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  directories.delete(directory);
}
