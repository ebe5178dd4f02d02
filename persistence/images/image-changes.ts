import type { Pool, PoolClient } from 'pg';
import { type PhotoSubject, ROOM_SUBJECTS, storedSubject } from '../../machines/disclosure/photo-subject.ts';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import type { SeenPhotoState } from '../database/photo-state.ts';
import { takeTurn } from '../database/photo-turn.ts';
import { oneOf } from '../database/sql-values.ts';
import type { PropertyImage } from '../entities/property-image.ts';
import { imagesForAgent, type PropertyImageView } from './image-queries.ts';

/**
 * Changes of an original photo by its agents. Always true after each: the originals of a listing have an order, at most
 * one is the cover, and no staged image is the cover. The lock of the listing's row serializes changes and uploads of
 * one listing. `position` is an index among the originals from 0; an index beyond the end means the end.
 */
export type OriginalChange = {
  [C in 'isMain' | 'position' | 'roomType']?: PropertyImage[C] | undefined;
} & {
  /** What the photo shows: a room as well. Not with `roomType`, which does not end another subject when it is null. */
  imageOf?: PhotoSubject | null | undefined;
  /** The agent's answer to the question whether it is a true photo (docs/contract.md#intake). */
  isTruePhoto?: true | undefined;
};

export type ChangeResult =
  | { outcome: 'changed'; image: PropertyImageView }
  | { outcome: 'missing' }
  | { outcome: 'in-use' }
  | { outcome: 'altered' }
  | { outcome: 'no-question'; state: SeenPhotoState['photoState'] };

/**
 * Changes the given fields in one transaction. `missing`: the image is gone, staged, or no longer the agent's.
 * `altered`: an altered or refused photo cannot be the cover. `no-question`: nothing was asked about the photo.
 * `in-use`: what it shows cannot change while a staging job uses the image. Fails with 55P03 while a deletion or
 * submission is under way; nothing is written then, and the caller retries.
 */
export function changeOriginal(
  pool: Pool,
  request: { imageId: string; propertyId: string; agentId: string; change: OriginalChange; at: number },
): Promise<ChangeResult> {
  const { imageId, propertyId, agentId, change } = request;
  return inTransaction(pool, async (client) => {
    await takeTurn(client, propertyId);
    const [image] = await imagesForAgent(client, { imageIds: [imageId], agentId });
    if (image === undefined || image.isStyled) return { outcome: 'missing' };
    if (change.isTruePhoto && image.photoState !== 'PHOTO' && !(await answerQuestion(client, request)))
      return { outcome: 'no-question', state: image.photoState };
    if (change.isMain && (image.alteration !== null || image.photoState === 'STAGED_PICTURE'))
      return { outcome: 'altered' };
    const subject = subjectAfter(change, image);
    if (subject !== image.imageOf) {
      if (await isBeingStaged(client, imageId)) return { outcome: 'in-use' };
      const { roomType, imageOf } = storedSubject(subject);
      await client.query(`UPDATE property_images SET "roomType" = $2, "imageOf" = $3 WHERE id = $1`, [
        imageId,
        roomType,
        imageOf,
      ]);
    }
    if (change.isMain !== undefined) await setMain(client, image, change.isMain);
    if (change.position !== undefined) await moveTo(client, image, change.position);
    const [changed] = await imagesForAgent(client, { imageIds: [imageId], agentId });
    return changed ? { outcome: 'changed', image: changed } : { outcome: 'missing' };
  });
}

/** A photo without a room may show something else. */
function subjectAfter(
  { roomType, imageOf }: OriginalChange,
  image: Pick<PropertyImageView, 'roomType' | 'imageOf'>,
): PhotoSubject | null {
  if (imageOf !== undefined) return imageOf;
  if (roomType === undefined) return image.imageOf;
  if (roomType !== null) return ROOM_SUBJECTS[roomType];
  return image.roomType === null ? image.imageOf : null;
}

async function isBeingStaged(client: PoolClient, imageId: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM ai_room_staging_jobs s JOIN ai_jobs j ON j.id = s."aiJobId"
       WHERE s."originalImageId" = $1
         AND j.status IN ${oneOf(ACTIVE_JOB_STATUSES)}) AS found`,
    [imageId],
  );
  return rows[0]?.found === true;
}

/** Operators see the answer in the console. */
async function answerQuestion(
  client: PoolClient,
  { imageId, agentId, at }: { imageId: string; agentId: string; at: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE photo_checks SET answer = 'PHOTO', "answeredBy" = 'AGENT', "answeredAt" = $3, "answeredByUserId" = $2
     WHERE "imageId" = $1 AND verdict = 'STAGED_PICTURE' AND "isQuestion" AND NOT "isOlder" AND answer IS NULL`,
    [imageId, agentId, toDate(at)],
  );
  return rowCount === 1;
}

type ImageRef = Pick<PropertyImageView, 'imageId' | 'propertyId'>;

async function setMain(
  client: PoolClient,
  { imageId, propertyId }: ImageRef,
  isMain: boolean,
): Promise<void> {
  if (isMain)
    await client.query(
      `UPDATE property_images SET "isMain" = false WHERE "propertyId" = $1 AND "isMain" AND id <> $2`,
      [propertyId, imageId],
    );
  await client.query(
    `UPDATE property_images SET "isMain" = $2 WHERE id = $1 AND NOT "isStyled" AND "isMain" <> $2`,
    [imageId, isMain],
  );
}

/** Renumbers all originals of the listing: 0, 1, 2 …; only rows that move are written. */
async function moveTo(
  client: PoolClient,
  { imageId, propertyId }: ImageRef,
  position: number,
): Promise<void> {
  await client.query(
    `WITH others AS (
       SELECT id, row_number() OVER (ORDER BY position, "createdAt", id) - 1 AS place
       FROM property_images WHERE "propertyId" = $1 AND NOT "isStyled" AND id <> $2),
     target AS (SELECT least($3::bigint, count(*)) AS place FROM others),
     placed AS (
       SELECT o.id, CASE WHEN o.place >= t.place THEN o.place + 1 ELSE o.place END AS place
       FROM others o CROSS JOIN target t
       UNION ALL SELECT $2::uuid, place FROM target)
     UPDATE property_images i SET position = placed.place FROM placed
     WHERE i.id = placed.id AND i.position <> placed.place`,
    [propertyId, imageId, position],
  );
}
