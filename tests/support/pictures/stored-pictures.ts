import { createHash, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { createObjectStorage } from '../../../src/storage/object-storage.ts';
import { createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { GIVE_UP_FINGERPRINTS } from '../database/photo-verdicts.ts';
import { seedOriginal, seedVariant } from '../database/seed.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Person } from '../http/person.ts';
import { noWaiting } from '../manual-time.ts';
import { NEVER_STOPPED } from '../never-stopped.ts';
import { bothQueues, createRecordingQueue, createRecordingReporter } from '../worlds/recording-ports.ts';

export interface PictureAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}
export interface Asking {
  as?: Person | undefined;
  headers?: Record<string, string>;
  method?: 'GET' | 'HEAD';
}

/** Requests a path and keeps the bytes. */
export async function ask(
  host: Pick<ApiHost, 'url'>,
  path: string,
  asking: Asking = {},
): Promise<PictureAnswer> {
  const cookie: Record<string, string> = asking.as?.cookie ? { cookie: asking.as.cookie } : {};
  const response = await request(host.url + path, {
    method: asking.method ?? 'GET',
    headers: { ...cookie, ...asking.headers },
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  return { status: response.statusCode, headers, bytes };
}

/** The parts of two answers that must be equal to reveal nothing: all but the date and the request id. */
export function told({ status, headers, bytes }: PictureAnswer) {
  const { date: _, 'x-request-id': __, ...others } = headers;
  return { status, headers: others, text: bytes.toString() };
}

/** Format and size of a picture, as a decoder sees it. */
export async function looks(bytes: Buffer): Promise<string> {
  const { format, compression, width, height } = await sharp(bytes).metadata();
  return `${compression === 'av1' ? 'avif' : format} ${width}x${height}`;
}

interface StoredPicture {
  propertyId: string;
  bytes: Buffer;
  format: 'jpeg' | 'png' | 'webp';
}

async function outputColumns({ bytes, format }: Omit<StoredPicture, 'propertyId'>) {
  const { width, height } = await sharp(bytes).metadata();
  const outputChecksum = createHash('sha256').update(bytes).digest('hex');
  return {
    outputBytes: bytes.length,
    outputWidth: width,
    outputHeight: height,
    outputFormat: format,
    outputChecksum,
  };
}

/** An original with its object, as an upload leaves it. */
export async function storedOriginal(host: ApiHost, { propertyId, ...picture }: StoredPicture) {
  const objectKey = `originals/${propertyId}/${randomUUID()}`;
  const columns = { propertyId, objectKey, ...(await outputColumns(picture)) };
  await host.putObject(objectKey, picture.bytes);
  const original = await seedOriginal(host.pool, columns);
  return { ...original, objectKey };
}

/** A staged image with its object, as the pipeline leaves it. */
export async function storedVariant(
  host: ApiHost,
  original: { imageId: string; propertyId: string },
  { reviewStatus, ...picture }: Omit<StoredPicture, 'propertyId'> & { reviewStatus: string },
): Promise<string> {
  const objectKey = `staged/${original.imageId}/${randomUUID()}`;
  const columns = { reviewStatus, objectKey, ...(await outputColumns(picture)) };
  await host.putObject(objectKey, picture.bytes);
  return seedVariant(host.pool, original, columns);
}

/** Runs the worker's drain at a very late time, so that everything queued for deletion is deleted. */
export async function drainEverything(host: ApiHost): Promise<void> {
  const { pool, config } = host;
  await pool.query(GIVE_UP_FINGERPRINTS);
  const storage = createObjectStorage(config.s3);
  const actorSystem = createActorSystem({
    store: createPostgresActorStore(pool),
    queues: bothQueues(createRecordingQueue()),
    reporter: createRecordingReporter(),
    nudges: { publish: () => {} },
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0 },
  });
  try {
    await drainDeletions(
      {
        actorSystem,
        clock: { now: () => Date.UTC(2100, 0, 1) },
        chance: { id: randomUUID, jitter: () => 0 },
        reporter: createRecordingReporter(),
        checkpoint: () => {},
        node: 'drain',
        deleter: {
          async delete(objectKey) {
            await storage.delete(objectKey);
            return { kind: 'deleted' };
          },
        },
      },
      NEVER_STOPPED,
    );
  } finally {
    await storage.close();
  }
}

/** A comparison of the staged image with its heat map, as the worker leaves them; the heat map's bytes. */
export async function storedDrift(host: ApiHost, imageId: string): Promise<Buffer> {
  const heatMapKey = `drift/${imageId}-${randomUUID()}.png`;
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#e0203080' } })
    .png()
    .toBuffer();
  await host.putObject(heatMapKey, bytes);
  await host.rows(
    `update drift_comparisons set "comparedAt" = now(), "nextTryAt" = null, algorithm = 1, score = 0.8, boxes = $3,
       "geometryMoved" = true, flags = '{GEOMETRY_MOVED,FLOOR_CHANGED}', measures = '{"scale": 0.05}', "heatMapKey" = $2
     where "stagedImageId" = $1`,
    [imageId, heatMapKey, JSON.stringify([{ left: 0.1, top: 0.2, width: 0.3, height: 0.1 }])],
  );
  return bytes;
}
