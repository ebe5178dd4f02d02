import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import sharp from 'sharp';
import { providerCopy } from '../../../src/images/decoding/provider-copy.ts';
import { createObjectStorage } from '../../../src/storage/object-storage.ts';
import type { BenchEnvironment } from '../load/bench-environment.ts';

export interface Photo {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** As the noise of a sensor; blurred, so that it compresses like a photo and not like static. */
const GRAIN = { type: 'gaussian', mean: 128, sigma: 48 } as const;
const QUALITY = 88;

export async function makePhoto({
  width,
  height,
  blur,
}: {
  width: number;
  height: number;
  blur: number;
}): Promise<Photo> {
  const canvas = { width, height, channels: 3, background: '#888888', noise: GRAIN } as const;
  const bytes = await sharp({ create: canvas }).blur(blur).jpeg({ quality: QUALITY }).toBuffer();
  return { bytes, width, height };
}

/** A public listing without photos. */
export async function seedListing(pool: Pool): Promise<string> {
  const [agentId, propertyId] = [randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", role, "createdAt", "updatedAt")
     VALUES ($1, 'Ada Agent', $2, true, 'agent', now(), now())`,
    [agentId, `${agentId}@example.com`],
  );
  await pool.query(
    `INSERT INTO properties (id, "ownerAgentId", "listPrice", address, city)
     VALUES ($1, $2, 725000, '1 Test Lane', 'Seattle')`,
    [propertyId, agentId],
  );
  return propertyId;
}

/** Photos of the listing that were never requested: rows and objects as uploads leave them. */
export async function storePhotos(
  { pool, stack }: BenchEnvironment,
  { propertyId, photo, count }: { propertyId: string; photo: Photo; count: number },
): Promise<string[]> {
  const storage = createObjectStorage(stack.s3);
  const ids = Array.from({ length: count }, () => randomUUID());
  const copy = await providerCopy(photo, 'photo');
  try {
    for (const id of ids) {
      const objectKey = `originals/${id}.jpg`;
      const inputKey = `inputs/${id}.jpg`;
      await storage.put(objectKey, photo.bytes, { contentType: 'image/jpeg' });
      if (copy !== null) await storage.put(inputKey, copy.bytes, { contentType: 'image/jpeg' });
      await pool.query(
        `INSERT INTO property_images (id, "propertyId", "objectKey", "paddedInputKey", "roomType", "outputBytes",
           "outputWidth", "outputHeight", "outputFormat", "outputChecksum")
         VALUES ($1, $2, $3, $4, 'LIVING_ROOM', $5, $6, $7, 'jpeg', $3)`,
        [id, propertyId, objectKey, copy && inputKey, photo.bytes.length, photo.width, photo.height],
      );
    }
  } finally {
    await storage.close();
  }
  return ids;
}
