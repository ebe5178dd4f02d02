import type { ActorKind, AnyActor } from '../../../../persistence/actors/actor-kinds.ts';
import { type ActorTransaction, StaleActorError } from '../../../../persistence/actors/actor-store.ts';
import type { RefusedOutput } from '../../../../persistence/actors/refused-outputs.ts';
import type { ProviderAttemptActor } from '../../../../persistence/actors/rows/attempt-row.ts';
import type { DeletionItemActor } from '../../../../persistence/actors/rows/deletion-row.ts';
import type { JobActor, JobAggregate } from '../../../../persistence/actors/rows/job-row.ts';
import { START_WINDOW_MS } from '../../../../persistence/actors/start-rate.ts';
import type { WebhookReceipt } from '../../../../persistence/actors/webhook-receipts.ts';
import { cancelJobsOf, scheduleDeletion } from './database-triggers.ts';
import { isOnTrustedServer } from './server-identity.ts';
import type { Hops, Session } from './session.ts';
import { FINAL_JOBS, type StoredJob } from './tables.ts';

/** The statements of one open transaction; each is a hop to the database. */
export function createMemoryTransaction(session: Session, hop: Hops['hop']): ActorTransaction {
  const locked = async <T>(label: string, rows: string[], read: () => T): Promise<T> => {
    await hop(label);
    for (const row of rows) await session.lock(row);
    return read();
  };
  const deletions = (wanted: (item: DeletionItemActor) => boolean, by: (item: DeletionItemActor) => number) =>
    session
      .all('deletionItem')
      .filter(wanted)
      .sort((a, b) => by(a) - by(b) || (a.id < b.id ? -1 : 1));
  const lockFree = (items: DeletionItemActor[], limit: number) => {
    const taken: DeletionItemActor[] = [];
    for (const item of items) {
      if (taken.length === limit) break;
      if (session.tryLock(`deletion ${item.id}`)) taken.push(item);
    }
    return taken;
  };

  return {
    ...ELSEWHERE,
    lockJob: (jobId) => locked('lock job', [`job ${jobId}`], () => jobAggregate(session, jobId)),
    async lockJobsOfOriginal(imageId) {
      await hop('lock jobs of original');
      const found: JobAggregate[] = [];
      for (const { id } of activeJobsOf(session, imageId)) {
        await session.lock(`job ${id}`);
        const aggregate = jobAggregate(session, id);
        if (aggregate && !FINAL_JOBS.has(aggregate.job.state)) found.push(aggregate);
      }
      return found;
    },
    async jobIdOfAttempt(attemptId) {
      await hop('job of attempt');
      return session.read('providerAttempt', attemptId)?.jobId ?? null;
    },
    async attemptOfPrediction(predictionId) {
      await hop('attempt of prediction');
      const knows = ({ context }: ProviderAttemptActor) =>
        context.providerPredictionId === predictionId || context.strayPredictionId === predictionId;
      return session.all('providerAttempt').find(knows)?.id ?? null;
    },
    lock: async (kind, id) =>
      isSimulated(kind)
        ? ((await locked(`lock ${kind}`, [`${LOCK_NAMES[kind]} ${id}`], () =>
            session.read(kind, id),
          )) as never)
        : null,
    async lockVariantsOfOriginal(imageId) {
      await hop('lock variants');
      const variants = session.all('imageReview').filter((image) => image.styledFromId === imageId);
      for (const { id } of variants) await session.lock(`image ${id}`);
      return variants.flatMap(({ id }) => session.read('imageReview', id) ?? []);
    },
    async lockDueDeletions({ at, limit }) {
      await hop('lock due deletions');
      const due = deletions(
        (item) => isDueDeletion(item, at),
        ({ context }) => context.nextAttemptAt,
      );
      return lockFree(due, limit);
    },
    async lockExpiredDeletions({ claimedBefore, limit }) {
      await hop('lock expired deletions');
      const expired = deletions(
        (item) => isExpiredClaim(item, claimedBefore),
        ({ context }) => context.claimedAt ?? 0,
      );
      return lockFree(expired, limit);
    },
    async save(actor, next, entry) {
      await hop('save');
      const kind = actor.kind === 'descriptionJob' ? 'stagingJob' : actor.kind;
      if (!isSimulated(kind)) throw new Error(`a ${kind} is not simulated`);
      await session.lock(`${LOCK_NAMES[kind]} ${actor.id}`);
      const row = session.read(kind, actor.id) as AnyActor | null;
      if (row === null || row.version !== actor.version) throw new StaleActorError(actor.kind, actor.id);
      const version = actor.version + 1;
      if (row.kind === 'stagingJob' || row.kind === 'descriptionJob')
        writeJob(session, row as StoredJob, next, entry.event.at);
      else session.write(kind, actor.id, { ...row, ...next, version } as never);
      session.append(entry);
      return { ...actor, ...next, version };
    },
    async takeStartPlace(perMinute) {
      await hop('take start place');
      const now = session.server.now();
      const places = Array.from({ length: perMinute }, (_, index) => {
        const id = `${index}`;
        return { id, usedAt: session.read('startPlace', id)?.usedAt ?? Number.NEGATIVE_INFINITY };
      }).sort((a, b) => a.usedAt - b.usedAt);
      const free = places.find(
        ({ id, usedAt }) => usedAt <= now - START_WINDOW_MS && session.tryLock(`start place ${id}`),
      );
      const [oldest] = places;
      if (!free) return { waitMs: Math.max(1_000, (oldest?.usedAt ?? now) + START_WINDOW_MS - now) };
      session.write('startPlace', free.id, { usedAt: now });
      return { at: now };
    },
    async insertReceipt(receipt) {
      await hop('insert receipt');
      return takeReceipt(session, receipt);
    },
    settleReceipt: () => hop('settle receipt'),
    async create({ actor, entry }) {
      await hop(`create ${actor.kind}`);
      if (actor.kind === 'tour' || actor.kind === 'mismatchReport' || actor.kind === 'feed')
        throw new Error(`a ${actor.kind} is not simulated`);
      if (actor.kind === 'providerAttempt') checkNumber(session, actor);
      session.write(actor.kind, actor.id, actor as never);
      session.append(entry);
    },
    async createStagedImage({ actor, entry }, { job, attempt: { context } }) {
      await hop('create imageReview');
      const { originalImageId, canonicalStyle, canonicalRoomType } = job.details;
      await session.lock(`original ${originalImageId}`);
      const original = session.read('original', originalImageId);
      if (original === null) throw new Error(`original image of job ${job.id} is gone`);
      const images = session.all('imageReview');
      session.unique(!images.some(({ jobId }) => jobId === job.id), 'property_images_aiJobId_uidx');
      const live = images.filter(({ styledFromId }) => styledFromId === originalImageId);
      session.unique(
        !live.some((image) => image.canonicalStyle === canonicalStyle && image.state !== 'WITHDRAWN'),
        'property_images_live_staged_variant_uidx',
      );
      session.write('imageReview', actor.id, {
        ...actor,
        propertyId: original.propertyId,
        styledFromId: originalImageId,
        canonicalStyle,
        roomType: canonicalRoomType,
        jobId: job.id,
        objectKey: String(context.objectKey),
      });
      session.append(entry);
    },
    async storeText(jobId, { text }) {
      await hop('store text');
      const job = session.read('stagingJob', jobId);
      if (job?.kind !== 'descriptionJob') throw new Error(`job ${jobId} is about no text`);
      session.write('stagingJob', jobId, { ...job, text });
    },
    async liftQuarantine(jobId) {
      await hop('lift quarantine');
      await session.lock(`job ${jobId}`);
      const job = session.read('stagingJob', jobId);
      if (job !== null) session.write('stagingJob', jobId, { ...job, quarantinedAt: null, failures: 0 });
    },
    async insertReviewEvent(image, { kind, at }) {
      await hop('insert review event');
      const id = `${image.id} ${kind}`;
      session.unique(
        session.read('reviewEvent', id) === null,
        'property_image_review_events_imageId_kind_key',
      );
      session.write('reviewEvent', id, { kind, imageId: image.id, objectKey: image.objectKey, at });
    },
    async insertProvenance(imageId) {
      await hop('insert provenance');
      const image = session.read('imageReview', imageId);
      if (image === null || session.read('provenance', imageId) !== null) return;
      const { objectKey, styledFromId, context } = image;
      session.write('provenance', imageId, {
        stagedImageId: imageId,
        originalImageId: styledFromId,
        objectKey,
        approvedByUserId: context.reviewedByUserId,
      });
    },
    // Pictures are not compared in virtual time.
    hasMovedGeometry: async () => false,
    async isOnTrustedServer() {
      await hop('trusted server');
      return isOnTrustedServer(session);
    },
    async isSubmittedAgain(imageId) {
      await hop('lock the original of an image');
      const image = session.read('imageReview', imageId);
      if (image === null) return false;
      await session.lock(`original ${image.styledFromId}`);
      await hop('submitted again');
      return isSubmittedAgain(session, imageId);
    },
    async showsOtherRoom(imageId) {
      await hop('lock the original of an image');
      const image = session.read('imageReview', imageId);
      if (image === null) return false;
      await session.lock(`original ${image.styledFromId}`);
      await hop('other rooms');
      return showsOtherRoom(session, imageId);
    },
    async refusedOutput(jobId) {
      await hop('lock the original of a job');
      const job = session.read('stagingJob', jobId);
      if (job?.kind === 'stagingJob') await session.lock(`original ${job.details.originalImageId}`);
      await hop('refused output');
      return refusedOutput(session, jobId);
    },
    deleteImage: (imageId) => deleteImage(session, hop, imageId),
    async variantExists(originalImageId, style) {
      await hop('variant exists');
      return session
        .all('imageReview')
        .some(
          (image) =>
            image.styledFromId === originalImageId &&
            image.canonicalStyle === style &&
            image.state !== 'WITHDRAWN',
        );
    },
    async isDeletionQueued({ objectKey, notBefore }) {
      await hop('deletion queued');
      const items = session.all('deletionItem').filter((item) => item.objectKey === objectKey);
      return items.some(({ state, context }) => state === 'PENDING' && context.nextAttemptAt >= notBefore);
    },
    async isObjectReferenced(objectKey) {
      await hop('object referenced');
      return isReferenced(session, objectKey);
    },
  };
}

export const isDueDeletion = ({ state, context }: DeletionItemActor, at: number): boolean =>
  state === 'PENDING' && context.nextAttemptAt <= at;
export const isExpiredClaim = ({ state, context }: DeletionItemActor, claimedBefore: number): boolean =>
  state === 'PROCESSING' && (context.claimedAt ?? 0) < claimedBefore;

/**
 * Tours, reports after visits, altered photos and search documents are tested on PostgreSQL alone, because its constraints and triggers enforce
 * their rules.
 */
export const isSimulated = (kind: ActorKind): kind is keyof typeof LOCK_NAMES =>
  Object.hasOwn(LOCK_NAMES, kind);
const ELSEWHERE: Pick<
  ActorTransaction,
  | 'lockListing'
  | 'firstFreeSlot'
  | 'countTour'
  | 'findReport'
  | 'undecidedReportsOf'
  | 'visitEndedAt'
  | 'approvedWithdrawn'
  | 'photoIsAltered'
  | 'alterPhoto'
> = {
  lockListing: async () => null,
  firstFreeSlot: async () => null,
  countTour: async () => {},
  findReport: async () => null,
  undecidedReportsOf: async () => [],
  visitEndedAt: async () => null,
  approvedWithdrawn: async () => false,
  photoIsAltered: async () => false,
  alterPhoto: async () => 'missing',
};

/** The lock that PostgreSQL takes for an UPDATE of the actor's row. */
const LOCK_NAMES = {
  stagingJob: 'job',
  providerAttempt: 'attempt',
  imageReview: 'image',
  deletionItem: 'deletion',
  startGate: 'gate',
} as const;

const attemptsOf = (session: Session, jobId: string) =>
  session
    .all('providerAttempt')
    .filter((attempt) => attempt.jobId === jobId)
    .sort((a, b) => a.context.attemptNumber - b.context.attemptNumber);

/** The constraints of `ai_provider_attempts`. */
function checkNumber(session: Session, { jobId, context: { attemptNumber } }: ProviderAttemptActor): void {
  if (attemptNumber !== 1 && attemptNumber !== 2)
    session.refuse('23514', 'violates check constraint "ai_provider_attempts_attemptNumber_check"');
  const numbers = attemptsOf(session, jobId).map(({ context }) => context.attemptNumber);
  session.unique(!numbers.includes(attemptNumber), 'ai_provider_attempts_aiJobId_attemptNumber_key');
}

/** False when this webhook id was received before. */
export async function takeReceipt(
  session: Session,
  { webhookId, providerAttemptId }: WebhookReceipt,
): Promise<boolean> {
  await session.lock(`receipt ${webhookId}`);
  if (session.read('receipt', webhookId) !== null) return false;
  session.write('receipt', webhookId, { id: webhookId, attemptId: providerAttemptId });
  return true;
}

export function jobAggregate(session: Session, jobId: string): JobAggregate | null {
  const row = session.read('stagingJob', jobId);
  if (row === null) return null;
  const attempts = attemptsOf(session, jobId);
  const { quarantinedAt, dedupeKey: _, text: __, ...job } = row;
  const context = { ...job.context, attemptCount: attempts.length };
  return { job: { ...job, context, quarantined: quarantinedAt !== null } as JobActor, attempts };
}

export const activeJobsOf = (session: Session, originalImageId: string): StoredJob[] =>
  session.all('stagingJob').filter((job) => isOf(job, originalImageId) && !FINAL_JOBS.has(job.state));

/** As `SUBMITTED_AGAIN`: a later job of the image's photo and style, or another variant that is not withdrawn. */
function isSubmittedAgain(session: Session, imageId: string): boolean {
  const image = session.read('imageReview', imageId);
  if (image === null) return false;
  const hasOther = session
    .all('imageReview')
    .some(
      (other) =>
        other.id !== imageId &&
        other.styledFromId === image.styledFromId &&
        other.canonicalStyle === image.canonicalStyle &&
        other.state !== 'WITHDRAWN',
    );
  if (hasOther) return true;
  const own = image.jobId === null ? null : session.read('stagingJob', image.jobId);
  return session
    .all('stagingJob')
    .some(
      (job) =>
        isOf(job, image.styledFromId) &&
        job.kind === 'stagingJob' &&
        job.details.canonicalStyle === image.canonicalStyle &&
        job.id !== image.jobId &&
        job.createdAt >= (own?.createdAt ?? 0),
    );
}

/** As `REFUSED_OUTPUT`; the journal has the time of the provider's end. */
function refusedOutput(session: Session, jobId: string): RefusedOutput {
  const job = session.read('stagingJob', jobId);
  const last = attemptsOf(session, jobId).at(-1);
  const entries = session.server.database.journal.filter(({ id }) => id === last?.id);
  const ended = entries.findLast(({ event }) => event.type === 'PREDICTION_SUCCEEDED');
  const found = { host: null, completedAt: ended?.event.at ?? null };
  if (job?.kind !== 'stagingJob') return { ...found, obstacle: null };
  const { originalImageId, canonicalStyle } = job.details;
  if (session.read('original', originalImageId) === null) return { ...found, obstacle: 'PHOTO_GONE' };
  const hasVariant = session
    .all('imageReview')
    .some(
      (image) =>
        image.styledFromId === originalImageId &&
        image.canonicalStyle === canonicalStyle &&
        image.state !== 'WITHDRAWN',
    );
  const isLater = (other: StoredJob) =>
    other.kind === 'stagingJob' &&
    isOf(other, originalImageId) &&
    other.details.canonicalStyle === canonicalStyle &&
    other.id !== jobId &&
    other.createdAt >= job.createdAt;
  const isTaken = hasVariant || session.all('stagingJob').some(isLater);
  return { ...found, obstacle: isTaken ? 'SUBMITTED_AGAIN' : null };
}

/** As `OTHER_ROOM_SHOWN`. */
function showsOtherRoom(session: Session, imageId: string): boolean {
  const image = session.read('imageReview', imageId);
  return session
    .all('imageReview')
    .some(
      (other) =>
        other.styledFromId === image?.styledFromId &&
        other.state === 'APPROVED' &&
        isOtherRoom(other.roomType, image.roomType),
    );
}
const isOtherRoom = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;

const isOf = ({ kind, details }: StoredJob, originalImageId: string): boolean =>
  kind === 'stagingJob' && details.originalImageId === originalImageId;

/** A final job gives its lease back in the same write (I14). */
function writeJob(
  session: Session,
  row: StoredJob,
  next: { state: string; context: unknown },
  at: number,
): void {
  session.write('stagingJob', row.id, {
    ...row,
    ...(next as Pick<StoredJob, 'state' | 'context'>),
    version: row.version + 1,
    heartbeatAt: at,
    localPass: null,
    lease: FINAL_JOBS.has(next.state) ? null : row.lease,
  } as StoredJob);
}

async function deleteImage(session: Session, hop: Hops['hop'], imageId: string): Promise<boolean> {
  await hop('delete image');
  const variant = session.read('imageReview', imageId);
  if (variant !== null) {
    const orphan = session.read('original', variant.styledFromId) === null;
    session.write('imageReview', imageId, null);
    scheduleDeletion(session, variant.objectKey, orphan ? 'ORIGINAL_IMAGE_DELETED' : 'STAGED_IMAGE_DELETED');
    return true;
  }
  await session.lock(`original ${imageId}`);
  const original = session.read('original', imageId);
  if (original === null) return false;
  await cancelJobsOf(session, imageId);
  session.write('original', imageId, null);
  for (const key of [original.objectKey, original.providerInputKey])
    scheduleDeletion(session, key, 'ORIGINAL_IMAGE_DELETED');
  for (const image of session.all('imageReview').filter(({ styledFromId }) => styledFromId === imageId)) {
    await session.lock(`image ${image.id}`);
    session.write('imageReview', image.id, null);
    scheduleDeletion(session, image.objectKey, 'ORIGINAL_IMAGE_DELETED');
  }
  return true;
}

function isReferenced(session: Session, objectKey: string): boolean {
  const originals = session.all('original');
  return (
    originals.some((row) => row.objectKey === objectKey || row.providerInputKey === objectKey) ||
    session.all('imageReview').some((image) => image.objectKey === objectKey) ||
    session
      .all('providerAttempt')
      .some(({ state, context }) => state === 'COLLECTING' && context.objectKey === objectKey)
  );
}
