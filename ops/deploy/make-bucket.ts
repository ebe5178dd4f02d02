import { createObjectStorage } from '../../src/storage/object-storage.ts';

/**
 * Creates the bucket of a new object store; an existing one is not an error. On failure it prints one line and
 * exits with 1.
 */

const {
  S3_ENDPOINT,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  S3_BUCKET,
  S3_REGION = 'us-east-1',
} = process.env;
if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY || !S3_BUCKET) {
  console.error('S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_BUCKET must be set.');
  process.exit(1);
}

const storage = createObjectStorage({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  accessKeyId: S3_ACCESS_KEY_ID,
  secretAccessKey: S3_SECRET_ACCESS_KEY,
  bucket: S3_BUCKET,
});
try {
  await storage.ensureBucket();
  console.log(`Bucket ${S3_BUCKET} is there`);
} catch (error) {
  console.error(`Bucket ${S3_BUCKET} could not be made: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await storage.close();
}
