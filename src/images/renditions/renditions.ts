/**
 * Smaller copies of pictures: made once and kept in the object store, the most requested also in memory. Always
 * true: only copies of public pictures are kept. Each stored copy has a row that is deleted with its picture, and
 * each object without a row is in the deletion outbox. A kept copy is served without waiting for copies in
 * progress. Clients and pictures get fair shares of the work. The caller's right to see a picture is checked
 * before, with every request. A crash leaves at most an object that is in the outbox.
 */
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import {
  type Candidate,
  findRendition,
  forgetRendition,
  recordRendition,
} from '../../../persistence/images/rendition-queries.ts';
import { guardUploads } from '../../../persistence/images/upload-guards.ts';
import { createCache } from '../../cache.ts';
import { PublicError } from '../../errors/errors.ts';
import { createFairQueue, type FairQueue, QueueFull } from '../../limits/fair-queue.ts';
import { StorageError } from '../../storage/object-storage.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { canonicalVariants, changesOf, longSideOf, type RenditionPlan } from '../decoding/rendition-plan.ts';
import type { Marks } from '../marks/marks.ts';
import { removeAll } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { createSingleFlight, type Joining } from './single-flight.ts';
import { providerCopyFor, type StoredSource, storedPicture } from './stored-source.ts';

export type RenditionPorts = Pick<ImageServices, 'pool' | 'storage' | 'clock' | 'chance' | 'logger'> & {
  decoder: Decoder;
  marks: Pick<Marks, 'signed'>;
};

const CACHE_BYTES = 32 * 1024 * 1024;
const CACHE_ENTRY_BYTES = 1024 * 1024;
/** Copies made at one time: the number of processes of their decoder. */
export const RENDITION_LANES = 2;
/** Of these, for one client: a flood uses one processor, and a lane is left for other clients. */
const LANES_EACH = 1;
/** A page has a few dozen pictures; with more than this waiting, the client should retry later. */
const MOST_WAITING = 200;
const RETRY_AFTER_SECONDS = 2;
/** Rejections are logged at most this often. */
const TELL_MS = 10_000;
/**
 * How many copies may still be stored after their answers were sent. Beyond that, a request waits until its own
 * copy is stored.
 */
const MAX_KEEPING = 16;

export function createRenditions(given: RenditionPorts) {
  const memory = createCache<Buffer>({
    clock: given.clock,
    maxAgeMs: Number.POSITIVE_INFINITY,
    maxSize: CACHE_BYTES,
    maxEntrySize: CACHE_ENTRY_BYTES,
    sizeOf: (bytes) => bytes.length,
  });
  const shared = createSingleFlight<Buffer>();
  const turns = createFairQueue({ lanes: RENDITION_LANES, lanesEach: LANES_EACH, mostWaiting: MOST_WAITING });
  const keeping = new Set<Promise<void>>();
  const ports: MakingPorts = { ...given, turns, keeping };
  const reportRejection = rejectionReporter(given);
  const answer = async (order: Order): Promise<Buffer> => {
    const { image, plan } = order;
    if (!image.isPublic) return make(ports, order);
    const bytes = await findOrMake(ports, order);
    memory.set(`${image.imageId}/${plan.variant}`, bytes);
    return bytes;
  };
  return {
    /** Resolves when no served copy is still being stored. */
    settled: async () => void (await Promise.all(keeping)),
    /**
     * The bytes of the planned copy.
     * @throws StorageError of the picture itself (`missing` when it was deleted), PublicError SERVICE_UNAVAILABLE
     *   when too many wait, NotSigned when the plan asks for a signature that cannot be made, or the signal's reason.
     */
    async of(image: VisibleImage, plan: RenditionPlan, asking: Joining): Promise<Buffer> {
      const key = `${image.imageId}/${plan.variant}`;
      const hot = image.isPublic ? memory.get(key) : undefined;
      if (hot !== undefined) return hot;
      try {
        // A private copy never shares the work for a public one, because the public one is kept.
        return await shared.join(`${image.isPublic}/${key}`, asking, (piece) =>
          answer({ ...piece, image, plan }),
        );
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        reportRejection();
        throw new PublicError('SERVICE_UNAVAILABLE', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      }
    },
  };
}

type MakingPorts = RenditionPorts & { turns: FairQueue; keeping: Set<Promise<void>> };

interface Order {
  image: VisibleImage;
  plan: RenditionPlan;
  signal: AbortSignal;
  /** The clients that wait for this copy. */
  clients: readonly string[];
}

function rejectionReporter({ clock, logger }: RenditionPorts): () => void {
  let refused = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    refused += 1;
    if (clock.now() - toldAt < TELL_MS) return;
    logger.warn({ refused, waiting: MOST_WAITING }, 'renditions refused: too many wait to be made');
    refused = 0;
    toldAt = clock.now();
  };
}

async function findOrMake(ports: MakingPorts, order: Order): Promise<Buffer> {
  const { imageId } = order.image;
  const { variant } = order.plan;
  const canonical = canonicalVariants(order.image, order.plan.mark);
  const candidate = { imageId, variant, canonical, at: ports.clock.now() };
  const found = await findRendition(ports.pool, candidate);
  if (found.objectKey !== null) {
    const { objectKey } = found;
    const kept = await readKept(ports, objectKey, order.signal);
    if (kept !== null) return kept;
    ports.logger.warn({ imageId, variant, objectKey }, 'a stored rendition is gone; it is made again');
    await forgetRendition(ports.pool, { imageId, variant, objectKey });
  }
  const bytes = await makeMarked(ports, order);
  if (found.hasRoom) await keepLater(ports, candidate, { bytes, format: order.plan.format });
  return bytes;
}

interface Made {
  bytes: Buffer;
  format: RenditionPlan['format'];
}

/** A request does not wait for the two commits and the put of its copy, unless many copies are already being stored. */
async function keepLater(
  { keeping, ...ports }: MakingPorts,
  candidate: Candidate,
  made: Made,
): Promise<void> {
  const kept = keep(ports, candidate, made).finally(() => keeping.delete(kept));
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
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof StorageError && error.kind === 'missing';

/** A signed copy when its plan says so; nothing is signed that is only read. */
function makeMarked(ports: MakingPorts, order: Order): Promise<Buffer> {
  const { image, plan } = order;
  const { variant, format } = plan;
  const render = () => make(ports, order);
  if (plan.mark?.isSigned !== true) return render();
  const copy = { image, variant, format, changes: changesOf(image, plan), longSide: longSideOf(image, plan) };
  return ports.marks.signed(copy, render);
}

/** Reads the stored picture only when its turn to be decoded comes: waiting tasks hold no bytes. */
function make(ports: MakingPorts, order: Order): Promise<Buffer> {
  const { image, plan, signal, clients } = order;
  const { imageId } = image;
  const render = async () => {
    const copy = providerCopyFor(image, plan);
    if (copy === null) return renderFrom(ports, order, storedPicture(image));
    try {
      return await renderFrom(ports, order, copy);
    } catch (error) {
      if (!isMissing(error)) throw error;
      ports.logger.warn({ imageId, objectKey: copy.objectKey }, 'a copy for the provider is gone');
      return renderFrom(ports, order, storedPicture(image));
    }
  };
  return ports.turns.run({ clients, subject: imageId }, render, signal);
}

function renderFrom(
  { decoder, storage }: MakingPorts,
  { image: { imageId, isStyled, isPublic }, plan, signal }: Order,
  { objectKey, pad, photo }: StoredSource,
): Promise<Buffer> {
  // A private copy that is saved says what it is: to people in the picture, and to intake by its pixels.
  const burnedLabel = isStyled && !isPublic ? DISCLOSURE_LABEL : null;
  return decoder.run('rendition', [plan, { pad, photo, burnedLabel }], {
    async load() {
      const { bytes } = await storage.get(objectKey, { signal });
      signal.throwIfAborted();
      return bytes;
    },
    // Without the signal: a decoder cannot be canceled, so its time counts for the client even after a
    // disconnect.
    about: { imageId },
  });
}

/**
 * Persist, then act, as uploads do. The key is new each time, so that the guard of an abandoned copy can never
 * delete a copy that was recorded later. A failure here does not affect this request; the next one repeats the
 * work.
 */
async function keep(ports: RenditionPorts, candidate: Candidate, { bytes, format }: Made): Promise<void> {
  const { pool, storage, clock, chance, logger } = ports;
  const { imageId, variant } = candidate;
  const key = `renditions/${imageId}/${variant.slice(0, variant.lastIndexOf('.'))}-${chance.id()}.${format}`;
  try {
    const guards = await guardUploads(pool, { keys: [key], at: clock.now() });
    await storage.put(key, bytes, { contentType: `image/${format}` });
    const rendition = { ...candidate, objectKey: key, bytes: bytes.length, at: clock.now() };
    if (!(await recordRendition(pool, rendition, guards))) await removeAll(ports, [{ key }]);
  } catch (error) {
    logger.warn({ err: error, imageId, variant }, 'a rendition could not be kept');
  }
}
