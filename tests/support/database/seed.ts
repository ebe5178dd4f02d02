import { createHash, randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { CanonicalStyle } from '../../../machines/vocabulary.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';
import { giveVerdicts } from './photo-verdicts.ts';

const HOUR_MS = 3_600_000;

/** Rows that tests begin with, written by plain SQL so that they do not depend on the code under test. */
type Columns = Record<string, unknown>;

async function insert(pool: Pool, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await pool.query(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

export async function seedUser(pool: Pool, overrides: Columns = {}): Promise<string> {
  const id = randomUUID();
  const now = new Date(MANUAL_EPOCH);
  await insert(pool, 'user', {
    id,
    name: 'Ada Agent',
    email: `${id}@example.com`,
    emailVerified: true,
    role: 'agent',
    createdAt: now,
    updatedAt: now,
    ...overrides,
  });
  return id;
}

/** A listing; its owning agent is made when none is named. */
export async function seedProperty(pool: Pool, overrides: Columns = {}): Promise<string> {
  const id = randomUUID();
  const ownerAgentId = overrides.ownerAgentId ?? (await seedUser(pool));
  await insert(pool, 'properties', {
    id,
    ownerAgentId,
    listPrice: '250000.00',
    address: '1 Test Lane',
    city: 'Springfield',
    ...overrides,
  });
  return id;
}

let openHouses = 0;

/** In 2099 where nothing else is named, each at another time. */
export async function seedOpenHouse(
  pool: Pool,
  overrides: Columns & { propertyId: string },
): Promise<string> {
  const id = randomUUID();
  const now = new Date(MANUAL_EPOCH);
  openHouses += 1;
  const startsAt = Date.UTC(2099, 0, 5) + openHouses * 3 * HOUR_MS;
  await insert(pool, 'open_houses', {
    id,
    startsAt: new Date(startsAt),
    endsAt: new Date(startsAt + 2 * HOUR_MS),
    createdAt: now,
    changedAt: now,
    ...overrides,
  });
  return id;
}

export interface SeededOriginal {
  imageId: string;
  propertyId: string;
  objectKey: string;
  providerInputKey: string;
}

/** An original photo with its verdict; its listing is made when none is named. */
export async function seedOriginal(pool: Pool, overrides: Columns = {}): Promise<SeededOriginal> {
  const imageId = randomUUID();
  const propertyId = String(overrides.propertyId ?? (await seedProperty(pool)));
  const objectKey = `originals/${imageId}.jpg`;
  const providerInputKey = `inputs/${imageId}.jpg`;
  await insert(pool, 'property_images', {
    id: imageId,
    propertyId,
    objectKey,
    providerInputKey,
    roomType: 'LIVING_ROOM',
    outputChecksum: checksumOf(objectKey),
    ...overrides,
  });
  await giveVerdicts(pool, imageId);
  return { imageId, propertyId, objectKey, providerInputKey };
}

/** Any checksum: seeded pictures have no stored bytes. */
const checksumOf = (objectKey: string): string => createHash('sha256').update(objectKey).digest('hex');

/** A staged image of an original, private by default. With `reviewStatus: 'APPROVED'` it is approved as `approve` does, and with `withdrawnAt` withdrawn. */
export async function seedVariant(
  pool: Pool,
  original: Pick<SeededOriginal, 'imageId' | 'propertyId'>,
  overrides: Columns = {},
): Promise<string> {
  const { reviewStatus = 'PENDING_REVIEW', withdrawnAt, withdrawnBy = 'AGENT', ...columns } = overrides;
  const id = randomUUID();
  const objectKey = `staged/${id}.jpg`;
  await insert(pool, 'property_images', {
    id,
    propertyId: original.propertyId,
    styledFromId: original.imageId,
    isStyled: true,
    objectKey,
    style: 'MODERN',
    canonicalStyle: 'MODERN',
    roomType: 'LIVING_ROOM',
    reviewStatus: 'PENDING_REVIEW',
    outputChecksum: checksumOf(objectKey),
    createdAt: new Date(MANUAL_EPOCH),
    ...columns,
  });
  if (reviewStatus === 'APPROVED') await seedApproval(pool, id);
  if (withdrawnAt)
    await pool.query(
      `update property_images set "withdrawnAt" = $2, "withdrawnBy" = $3, withdrawals = withdrawals + 1 where id = $1`,
      [id, withdrawnAt, withdrawnBy],
    );
  return id;
}

/** A comparison with its photo, as the worker stores one that found these flags and has no heat map. */
export async function seedComparison(
  pool: Pool,
  imageId: string | undefined,
  flags: readonly string[] = [],
): Promise<void> {
  await pool.query(
    `update drift_comparisons set "comparedAt" = now(), "nextTryAt" = null, algorithm = 1, score = 0.8,
       "geometryMoved" = 'GEOMETRY_MOVED' = any ($2), flags = $2, measures = '{}', boxes = '[]'
     where "stagedImageId" = $1`,
    [imageId, flags],
  );
}

/** Approves a staged image with all that the gate asks for (0065), by the owner of its listing. */
export async function seedApproval(pool: Pool | PoolClient, imageId: string): Promise<void> {
  await pool.query(
    `with approved as (
       update property_images v set "reviewStatus" = 'APPROVED',
         "reviewedByUserId" = coalesce(v."reviewedByUserId", p."ownerAgentId"), "reviewedAt" = coalesce(v."reviewedAt", $2)
       from properties p where v.id = $1 and p.id = v."propertyId" returning v.*),
     review as (
       insert into property_image_review_events (kind, "imageId", "propertyId", "styledFromId", "actorUserId",
         "objectKey", at)
       select 'APPROVED', id, "propertyId", "styledFromId", "reviewedByUserId", "objectKey", "reviewedAt" from approved)
     insert into provenance_records ("stagedImageId", "propertyId", "originalImageId", "originalChecksum",
       "outputChecksum", "canonicalStyle", "roomType", "approvedByUserId", "approverRole", "disclosureLabel",
       "stagedAt", "approvedAt", "recordedAt")
     select v.id, v."propertyId", o.id, o."outputChecksum", v."outputChecksum", v."canonicalStyle", v."roomType",
       v."reviewedByUserId", 'agent', 'AI · Virtually staged', v."createdAt", v."reviewedAt", v."reviewedAt"
     from approved v join property_images o on o.id = v."styledFromId"`,
    [imageId, new Date(MANUAL_EPOCH)],
  );
}

/** A group of photos of one room, of the room type and style of seeded jobs. */
export async function seedRoomGroup(
  pool: Pool,
  { propertyId, imageIds, ...overrides }: { propertyId: string; imageIds: readonly string[] } & Columns,
): Promise<string> {
  const id = randomUUID();
  await insert(pool, 'room_groups', {
    id,
    propertyId,
    number: 1,
    roomType: 'LIVING_ROOM',
    style: 'MODERN',
    pieces: ['sofa', 'rug'],
    materials: ['linen'],
    colours: ['cream'],
    createdAt: new Date(MANUAL_EPOCH),
    ...overrides,
  });
  for (const [index, imageId] of imageIds.entries())
    await insert(pool, 'room_group_photos', { groupId: id, imageId, position: index + 1 });
  return id;
}

export interface SeededJob extends SeededOriginal {
  jobId: string;
  canonicalStyle: CanonicalStyle;
}

export interface JobSeed {
  original?: SeededOriginal;
  canonicalStyle?: CanonicalStyle;
  /** Milliseconds since 1970. */
  createdAt?: number;
  /** Columns of `ai_jobs`. */
  job?: Columns;
  /** Columns of `ai_room_staging_jobs`. */
  details?: Columns;
}

/** A submitted staging job in PENDING.QUEUED, as submission leaves it; everything it needs is made. */
export async function seedStagingJob(pool: Pool, seed: JobSeed = {}): Promise<SeededJob> {
  const original = seed.original ?? (await seedOriginal(pool));
  const { canonicalStyle = 'MODERN', createdAt = MANUAL_EPOCH } = seed;
  const jobId = randomUUID();
  const at = new Date(createdAt);
  await insert(pool, 'ai_jobs', {
    id: jobId,
    type: 'ROOM_STAGING',
    status: 'PENDING',
    phase: 'QUEUED',
    dedupeKey: `staging:${original.imageId}:${canonicalStyle}`,
    propertyId: original.propertyId,
    createdAt: at,
    updatedAt: at,
    ...seed.job,
  });
  await insert(pool, 'ai_room_staging_jobs', {
    aiJobId: jobId,
    originalImageId: original.imageId,
    canonicalRoomType: 'LIVING_ROOM',
    canonicalStyle,
    prompt: 'Stage this living room.',
    promptVersion: 'room-staging-v2.0',
    providerModel: 'openai/gpt-image-2',
    quality: 'medium',
    framing: 'fixed',
    aspectRatio: '1:1',
    outputFormat: 'jpeg',
    outputCompression: 92,
    providerInputKey: original.providerInputKey,
    createdAt: at,
    ...seed.details,
  });
  return { ...original, jobId, canonicalStyle };
}

/** An item of the deletion outbox, due since MANUAL_EPOCH. */
export async function seedDeletion(pool: Pool, overrides: Columns = {}): Promise<string> {
  const id = randomUUID();
  const at = new Date(MANUAL_EPOCH);
  await insert(pool, 'storage_deletion_outbox', {
    id,
    objectKey: `gone/${id}.jpg`,
    reason: 'STAGED_IMAGE_DELETED',
    nextAttemptAt: at,
    createdAt: at,
    ...overrides,
  });
  return id;
}
