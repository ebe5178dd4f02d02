/**
 * Smaller copies of pictures: made once, kept in the object store and, the hottest, in memory. Always true: only copies
 * of public pictures are kept anywhere; a stored copy is named by a row that goes with its picture, and an object
 * without a row is named by the deletion outbox; no more pictures are decoded at a time than the decoder has processes,
 * and no more requests wait for that than `MAX_WAITING`. Whether somebody may see a picture is decided
 * before this is asked, with every request. A crash leaves at most an object that the outbox knows.
 */
import type { VisibleImage } from '../../persistence/image-visibility.ts';
import { findRendition, forgetRendition, recordRendition } from '../../persistence/rendition-queries.ts';
import { guardUploads } from '../../persistence/upload-guards.ts';
import { PublicError } from '../errors.ts';
import type { Decoder } from '../images/decoder.ts';
import { StorageError } from '../object-storage.ts';
import { removeAll } from '../property-images/photo-storage.ts';
import type { Services } from '../web/services.ts';
import { createByteCache } from './byte-cache.ts';
import type { RenditionPlan } from './rendition-plan.ts';
import { createSharedWork } from './shared-work.ts';

export interface Renditions {
  /**
   * The bytes of the planned copy.
   * @throws StorageError of the picture itself (`missing` when it is gone), PublicError SERVICE_UNAVAILABLE when too
   *   many wait, the signal's reason.
   */
  of(image: VisibleImage, plan: RenditionPlan, signal: AbortSignal): Promise<Buffer>;
  /** Resolves when no copy that was answered with is still being kept. */
  settled(): Promise<void>;
}

export type RenditionPorts = Pick<Services, 'pool' | 'storage' | 'clock' | 'chance' | 'logger'> & {
  decoder: Decoder;
};

const CACHE_BYTES = 32 * 1024 * 1024;
const CACHE_ENTRY_BYTES = 1024 * 1024;
/** A page of pictures is a few dozen; more than this at once is worth coming back for. */
const MAX_WAITING = 200;
const RETRY_AFTER_SECONDS = 2;
/** Copies that may be in the keeping after their answers went out; whoever makes one more waits for his own. */
const MAX_KEEPING = 16;
/**
 * Copies stored of one picture. All combinations of steps are thousands, real clients ask for a dozen; what goes
 * beyond is made each time, so that nobody can fill the bucket by counting.
 */
export const MAX_STORED_VARIANTS = 48;

export function createRenditions(ports: RenditionPorts): Renditions {
  const memory = createByteCache({ maxBytes: CACHE_BYTES, maxEntryBytes: CACHE_ENTRY_BYTES });
  const shared = createSharedWork<Buffer>();
  const keeping = new Set<Promise<void>>();
  return {
    settled: async () => void (await Promise.all(keeping)),
    async of(image, plan, signal) {
      const key = `${image.imageId}/${plan.variant}`;
      const hot = image.isPublic ? memory.get(key) : undefined;
      if (hot !== undefined) return hot;
      if (shared.size >= MAX_WAITING)
        throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      // A private copy never joins the work for a public one, which would be kept.
      return shared.join(`${image.isPublic}/${key}`, signal, async (abort) => {
        if (!image.isPublic) return make(ports, { image, plan }, abort);
        const bytes = await findOrMake({ ...ports, keeping }, { image, plan }, abort);
        memory.put(key, bytes);
        return bytes;
      });
    },
  };
}

interface Order {
  image: VisibleImage;
  plan: RenditionPlan;
}
async function findOrMake(
  ports: RenditionPorts & { keeping: Set<Promise<void>> },
  order: Order,
  signal: AbortSignal,
): Promise<Buffer> {
  const { imageId } = order.image;
  const { variant } = order.plan;
  const found = await findRendition(ports.pool, { imageId, variant });
  if (found.objectKey !== null) {
    const { objectKey } = found;
    const kept = await readKept(ports, objectKey, signal);
    if (kept !== null) return kept;
    ports.logger.warn({ imageId, variant, objectKey }, 'a stored rendition is gone; it is made again');
    await forgetRendition(ports.pool, { imageId, variant, objectKey });
  }
  const bytes = await make(ports, order, signal);
  if (found.stored < MAX_STORED_VARIANTS) await keepLater(ports, order, bytes);
  return bytes;
}

/** Nobody who waits for a picture waits for two commits and a put, too, unless many copies are being kept already. */
async function keepLater(
  { keeping, ...ports }: RenditionPorts & { keeping: Set<Promise<void>> },
  order: Order,
  bytes: Buffer,
): Promise<void> {
  const kept = keep(ports, order, bytes).finally(() => keeping.delete(kept));
  keeping.add(kept);
  if (keeping.size > MAX_KEEPING) await kept;
}

async function readKept(
  { storage }: RenditionPorts,
  key: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  try {
    return (await storage.get(key, { signal })).bytes;
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'missing') return null;
    throw error;
  }
}

/** The stored picture is read only when its turn to be decoded has come: those who wait hold no bytes. */
function make(
  { decoder, storage }: RenditionPorts,
  { image, plan }: Order,
  signal: AbortSignal,
): Promise<Buffer> {
  const { imageId, objectKey, isStyled } = image;
  return decoder.run('rendition', [plan, { isStaged: isStyled }], {
    load: async () => (await storage.get(objectKey, { signal })).bytes,
    signal,
    about: { imageId },
  });
}

/**
 * Persist, then act, as uploads do. The key is new each time, so that the guard of a copy that was given up can never
 * delete one that was recorded later. Failing here costs the next request the work, and this one nothing.
 */
async function keep(ports: RenditionPorts, { image, plan }: Order, bytes: Buffer): Promise<void> {
  const { pool, storage, clock, chance, logger } = ports;
  const { imageId } = image;
  const { variant, format } = plan;
  const key = `renditions/${imageId}/${variant.slice(0, variant.lastIndexOf('.'))}-${chance.id()}.${format}`;
  try {
    const guards = await guardUploads(pool, { keys: [key], at: clock.now() });
    await storage.put(key, bytes, { contentType: `image/${format}` });
    const rendition = { imageId, variant, objectKey: key, bytes: bytes.length, at: clock.now() };
    if (!(await recordRendition(pool, rendition, guards))) await removeAll(ports, [{ key }]);
  } catch (error) {
    logger.warn({ err: error, imageId, variant }, 'a rendition could not be kept');
  }
}
