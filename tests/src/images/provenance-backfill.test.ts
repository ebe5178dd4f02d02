import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isShownVariant } from '../../../persistence/database/listing-visibility.ts';
import { createObjectStorage } from '../../../src/storage/object-storage.ts';
import { createProvenanceBackfill } from '../../../src/worker/provenance-backfill.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { createManualTime, MANUAL_EPOCH } from '../../support/manual-time.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** Records of pictures that were approved before there were records (docs/contract.md#provenance). */
const host = useApiHost();

/** An approved picture as an old release left it: no checksums, no person, listed for its record. */
async function oldPicture(): Promise<{ originalId: string; imageId: string; keys: [string, string] }> {
  const { propertyId, imageId: originalId } = await host.listing(await host.signedIn());
  const imageId = randomUUID();
  const keys: [string, string] = [`originals/${randomUUID()}`, `staged/${imageId}`];
  const client = await host.pool.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica`);
    await client.query('update property_images set "objectKey" = $2, "outputChecksum" = null where id = $1', [
      originalId,
      keys[0],
    ]);
    await client.query(
      `insert into property_images (id, "propertyId", "styledFromId", "isStyled", "objectKey", style, "reviewStatus", "reviewedAt", version)
       values ($1, $2, $3, true, $4, 'no-furniture', 'APPROVED', now(), 1)`,
      [imageId, propertyId, originalId, keys[1]],
    );
    await client.query(
      `insert into property_image_review_events (kind, "imageId", "objectKey", reason, at) values ('APPROVED', $1, $2, 'MIGRATED', now())`,
      [imageId, keys[1]],
    );
    await client.query('insert into provenance_due ("stagedImageId", "nextTryAt") values ($1, $2)', [
      imageId,
      new Date(MANUAL_EPOCH),
    ]);
    await client.query('commit');
  } finally {
    client.release();
  }
  return { originalId, imageId, keys };
}

const sum = (text: string) => createHash('sha256').update(text).digest('hex');
const recordsOf = (imageId: string) =>
  host.rows(
    `select "originalImageId", "originalChecksum", "outputChecksum", "legacyStyle", "approvedByUserId"
     from provenance_records where "stagedImageId" = $1`,
    [imageId],
  );
const dueFor = (imageId: string) =>
  host.rows('select tries from provenance_due where "stagedImageId" = $1', [imageId]);
const isShown = async (imageId: string) =>
  (await host.rows(`select from property_images i where i.id = $1 and ${isShownVariant('i')}`, [imageId]))
    .length === 1;

test('the record is written from the stored objects; a lost object is reported, tried later, and holds up no other', async () => {
  const time = createManualTime(MANUAL_EPOCH);
  const reporter = createRecordingReporter();
  const storage = createObjectStorage(host.config.s3);
  const backfill = createProvenanceBackfill({
    clock: time,
    timers: time,
    reporter,
    storage,
    database: { pool: host.pool },
    timings: { provenanceMs: 1_000 },
  });
  const [lost, found] = [await oldPicture(), await oldPicture()];
  for (const key of [...found.keys, lost.keys[0]]) await host.putObject(key, Buffer.from(key));
  const rests = () => expect.poll(() => time.sleeping().length).toBe(1);
  await backfill.start();
  await rests();
  expect(await recordsOf(found.imageId)).toEqual([
    {
      originalImageId: found.originalId,
      originalChecksum: sum(found.keys[0]),
      outputChecksum: sum(found.keys[1]),
      legacyStyle: expect.any(String),
      approvedByUserId: null,
    },
  ]);
  expect(await dueFor(found.imageId)).toEqual([]);
  expect([await recordsOf(lost.imageId), await dueFor(lost.imageId)]).toEqual([[], [{ tries: 1 }]]);
  expect(reporter.problems).toHaveLength(1);
  expect([await isShown(found.imageId), await isShown(lost.imageId)]).toEqual([true, true]);

  // Not before its pause is over.
  time.advance(1_000);
  await rests();
  expect(await dueFor(lost.imageId)).toEqual([{ tries: 1 }]);
  await host.putObject(lost.keys[1], Buffer.from(lost.keys[1]));
  time.advance(10 * 60_000);
  await rests();
  expect(await recordsOf(lost.imageId)).toMatchObject([{ outputChecksum: sum(lost.keys[1]) }]);
  expect(await dueFor(lost.imageId)).toEqual([]);
  await backfill.stop(AbortSignal.timeout(0));
});
