import type { Pool } from 'pg';
import { alterPhoto } from '../actors/alter-photo.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type ActTrail, recordAct } from '../console/operator-acts.ts';
import type { PropertyImage } from '../entities/property-image.ts';

/** A photo as operators see it. */
export interface PhotoForOperators extends Pick<PropertyImage, 'propertyId' | 'alteration' | 'alterationBy'> {
  /** How often its alteration was declared or taken back. */
  version: number;
}

/** Null for staged pictures too, which are actors. */
export async function photoForOperators(pool: Pool, imageId: string): Promise<PhotoForOperators | null> {
  const { rows } = await pool.query<PhotoForOperators>(
    `SELECT i."propertyId", i.alteration, i."alterationBy",
       (SELECT count(*)::int FROM photo_alteration_events e WHERE e."imageId" = i.id) AS version
     FROM property_images i WHERE i.id = $1 AND NOT i."isStyled"`,
    [imageId],
  );
  return rows[0] ?? null;
}

/** An operator's act, also against the word of a file or a feed. False when it is not altered. */
export function takeBackAlteration(pool: Pool, imageId: string, trail: ActTrail): Promise<boolean> {
  const { by, at } = trail;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ propertyId: string }>(
      'SELECT "propertyId" FROM property_images WHERE id = $1',
      [imageId],
    );
    const [photo] = rows;
    const taken = { imageId, kind: null, originalImageId: null, agentId: null, by, at };
    if (photo === undefined || (await alterPhoto(client, taken)) !== 'changed') return false;
    await recordAct(client, { act: 'take-back-alteration', propertyId: photo.propertyId }, trail);
    return true;
  });
}
