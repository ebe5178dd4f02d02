import type { Pool } from 'pg';
import {
  type ClaimedPhoto,
  claimPhoto,
  type PhotoVerdict,
  postponePhoto,
  prolongPhotoClaim,
  recordVerdict,
} from '../../persistence/images/photo-checks.ts';
import {
  type CandidateFingerprint,
  type ClaimedFingerprint,
  candidateIds,
  claimFingerprint,
  endFingerprintTry,
  type GivenUp,
  giveUpLostFingerprints,
  MAX_FINGERPRINT_TRIES,
  readFingerprints,
  recordFingerprint,
} from '../../persistence/images/staged-fingerprints.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import { isOutage, publicErrorFrom } from '../errors/outage.ts';
import { StorageError } from '../errors/storage-error.ts';
import type { Decoder } from '../images/decoding/decoder.ts';
import type { Judgement } from '../images/fingerprints/judge.ts';
import { createPictureSeal, type PictureSeal } from '../images/fingerprints/sealed-pictures.ts';
import type { WorkerMetrics } from '../telemetry/worker-metrics.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Makes the fingerprints of staged pictures, and looks up whether a photo is one of them (docs/contract.md#intake), one at
 * a time in a separate process. Photos that only wait for this go first; then fingerprints, those that a photo waits for
 * before others; then photos that are looked up again or are older. Workers share the work by claims. Always true: what
 * cannot be decided now stays private and is tried again. A crash loses nothing: a claim lasts a minute.
 */
type CheckerParts = Pick<WorkerParts, 'timers' | 'reporter' | 'logger' | 'storage' | 'checkpoint'> & {
  config: Pick<WorkerConfig, 'userHashSecret'>;
  database: { pool: Pool };
  workerMetrics: Pick<WorkerMetrics, 'photoChecks' | 'stagedFingerprints'>;
  comparisonDecoder: Pick<Decoder, 'run'>;
  timings: { photoCheckMs: number };
};

/** After a failure, and twice as long after each further one, up to a day. */
const RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 24 * 3_600_000;
/** After an outage of ours, which counts as no try. */
const OUTAGE_MS = 15_000;
/** Candidates in one request to the decoder: half of its time at most. */
const BATCH = 12;

export function createPhotoChecker(parts: CheckerParts): Sweeper {
  const { logger, workerMetrics } = parts;
  const { pool } = parts.database;
  const seal = createPictureSeal(parts.config);
  const gaveUp = (stagedImageId: string, reason: GivenUp): void => {
    workerMetrics.stagedFingerprints.inc({ outcome: 'given_up' });
    logger.warn(
      { event: 'fingerprint.given_up', stagedImageId, reason },
      'a staged picture has no fingerprint',
    );
  };
  /** Does the most urgent piece of work; false when there is none. */
  const next = async (signal: AbortSignal): Promise<boolean> => {
    const fresh = await claimPhoto(pool, 'new');
    if (fresh !== null) return check(fresh, signal);
    const fingerprint = await claimFingerprint(pool);
    if (fingerprint !== null) return make(fingerprint, signal);
    const other = await claimPhoto(pool, 'others');
    return other !== null && check(other, signal);
  };
  const check = async (photo: ClaimedPhoto, signal: AbortSignal): Promise<boolean> => {
    await parts.checkpoint('after-photo-claim', photo.imageId);
    try {
      const verdict = await verdictOf({ ...parts, seal }, photo, signal);
      if (verdict === null || !(await recordVerdict(pool, photo, verdict))) return true;
      const outcome = !verdict.isStaged ? 'photo' : verdict.isQuestion ? 'question' : 'staged';
      workerMetrics.photoChecks.inc({ outcome });
    } catch (error) {
      if (signal.aborted) await postponePhoto(pool, photo, { inMs: 0, counts: false });
      else await postponed(error, photo, (wait) => postponePhoto(pool, photo, wait));
    }
    return true;
  };
  const make = async (fingerprint: ClaimedFingerprint, signal: AbortSignal): Promise<boolean> => {
    const { stagedImageId } = fingerprint;
    await parts.checkpoint('after-fingerprint-claim', stagedImageId);
    try {
      const made = await fingerprintOf(parts, fingerprint, signal);
      if ('givenUp' in made) {
        if (await endFingerprintTry(pool, fingerprint, made)) gaveUp(stagedImageId, made.givenUp);
        return true;
      }
      const pictures = seal.seal(made.pictures, stagedImageId);
      if (await recordFingerprint(pool, fingerprint, { ...made, pictures }))
        workerMetrics.stagedFingerprints.inc({ outcome: 'made' });
    } catch (error) {
      const isLast = fingerprint.tries >= MAX_FINGERPRINT_TRIES;
      if (signal.aborted) await endFingerprintTry(pool, fingerprint, { inMs: 0, counts: false });
      else
        await postponed(error, fingerprint, async (wait) => {
          const givenUp = wait.counts && isLast ? ({ givenUp: 'TRIES' } as const) : null;
          if ((await endFingerprintTry(pool, fingerprint, givenUp ?? wait)) && givenUp)
            gaveUp(stagedImageId, givenUp.givenUp);
        });
    }
    return true;
  };
  /** Ends a try that failed. @throws the error of an outage, so that the sweep waits */
  const postponed = async (
    error: unknown,
    claimed: ClaimedPhoto | ClaimedFingerprint,
    postpone: (wait: { inMs: number; counts: boolean }) => Promise<unknown>,
  ): Promise<void> => {
    if (isTemporary(error)) {
      await postpone({ inMs: OUTAGE_MS, counts: false });
      throw error;
    }
    const isPhoto = 'imageId' in claimed;
    (isPhoto ? workerMetrics.photoChecks : workerMetrics.stagedFingerprints).inc({ outcome: 'failed' });
    const imageId = isPhoto ? claimed.imageId : claimed.stagedImageId;
    parts.reporter.problem('a picture could not be checked', error, { imageId });
    await postpone({ inMs: Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (claimed.tries - 1)), counts: true });
  };
  return createSweeper({
    ...parts,
    name: 'photo-checker',
    intervalMs: parts.timings.photoCheckMs,
    isOutage: isTemporary,
    async sweep(signal) {
      for (const id of await giveUpLostFingerprints(pool)) gaveUp(id, 'TRIES');
      while (!signal.aborted && (await next(signal)));
    },
  });
}

/** The object store, the database or the decoder is away, or an operator must mend the store. */
const isTemporary = (error: unknown): boolean =>
  isOutage(error) ||
  (error instanceof StorageError && error.kind !== 'missing') ||
  publicErrorFrom(error)?.code === 'SERVICE_UNAVAILABLE';

async function fingerprintOf(
  { storage, comparisonDecoder }: CheckerParts,
  { stagedImageId, stagedKey, originalKey, pad }: ClaimedFingerprint,
  signal: AbortSignal,
) {
  let pictures: { bytes: Buffer }[];
  try {
    pictures = await Promise.all([storage.get(stagedKey), storage.get(originalKey)]);
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'missing') throw error;
    return { givenUp: 'OBJECT_MISSING' } as const;
  }
  const [staged, photo] = pictures as [{ bytes: Buffer }, { bytes: Buffer }];
  try {
    return await comparisonDecoder.run('fingerprint', [{ photo: photo.bytes, pad }], {
      load: () => staged.bytes,
      signal,
      about: { stagedImageId },
    });
  } catch (error) {
    if (signal.aborted || isTemporary(error)) throw error;
    return { givenUp: 'UNREADABLE' } as const;
  }
}

/** Null when the claim was lost meanwhile. */
async function verdictOf(
  { storage, comparisonDecoder, database: { pool }, seal }: CheckerParts & { seal: PictureSeal },
  photo: ClaimedPhoto,
  signal: AbortSignal,
): Promise<PhotoVerdict | null> {
  const { imageId, propertyId, objectKey } = photo;
  const { bytes } = await storage.get(objectKey);
  const about = { imageId };
  const { small, ...probes } = await comparisonDecoder.run('photo-probes', [], {
    load: () => bytes,
    signal,
    about,
  });
  const ids = await candidateIds(pool, { imageId, propertyId, ...probes });
  const size = { width: small.width, height: small.height };
  const found: Found[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    if (!(await prolongPhotoClaim(pool, photo))) return null;
    const stored = await readFingerprints(pool, { ids: ids.slice(from, from + BATCH), propertyId });
    const candidates = stored.map(({ stagedImageId, pictures, margins, isOfListing }) => ({
      pictures: seal.open(pictures, stagedImageId),
      margins,
      isOfListing,
    }));
    const judgements = await comparisonDecoder.run('photo-judgement', [{ size, candidates }], {
      load: () => Buffer.from(small.rgb),
      signal,
      about,
    });
    found.push(...judgements.map((judgement, at) => ({ ...judgement, of: stored[at]! })));
    if (found.some(({ isStaged, of }) => isStaged && !of.isQuestion)) break;
  }
  return verdictFrom(found);
}

type Found = Judgement & { of: CandidateFingerprint };

/** A staged picture before one that may be a true photo, that before the one with the most likeness. */
function verdictFrom(found: readonly Found[]): PhotoVerdict {
  const [nearest] = found
    .filter(({ likeStaged }) => likeStaged !== null)
    .toSorted(
      (a, b) =>
        Number(b.isStaged) - Number(a.isStaged) ||
        Number(a.of.isQuestion) - Number(b.of.isQuestion) ||
        (b.likeStaged ?? -1) - (a.likeStaged ?? -1),
    );
  return {
    isStaged: nearest?.isStaged ?? false,
    nearestId: nearest?.of.stagedImageId ?? null,
    likeStaged: nearest?.likeStaged ?? null,
    likePhoto: nearest?.likePhoto ?? null,
    isQuestion: nearest?.of.isQuestion ?? false,
  };
}
