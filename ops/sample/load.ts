import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createPostgresActorStore, inTransaction } from '../../persistence/actors/postgres-actor-store.ts';
import { insertOriginal } from '../../persistence/images/image-queries.ts';
import { guardUploads } from '../../persistence/images/upload-guards.ts';
import { lockOriginal, submitFor } from '../../persistence/jobs/staging-submissions.ts';
import { recordPastSales } from '../../persistence/listings/price-events.ts';
import {
  type ChangeOutcome,
  createProperty,
  setPropertyStatus,
  updateProperty,
} from '../../persistence/listings/property-writes.ts';
import {
  addSamplePerson,
  beginSample,
  endSample,
  giveSampleVerdicts,
  markAsSample,
  removeSample,
  SAMPLE_MODEL,
  sampleState,
} from '../../persistence/sample/sample-town.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { systemChance, systemTimers } from '../../src/time.ts';
import { type ActorSystem, createActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Message } from '../../supervisors/actors/messages.ts';
import type { JobQueue } from '../../supervisors/ports.ts';
import { createDrawings, type Drawings } from './pictures.ts';
import {
  AGENTS,
  CUSTOMERS,
  type PlannedHome,
  type PlannedPhoto,
  type PlannedTour,
  planTown,
  type StagedEnd,
} from './town.ts';

/**
 * Loads the sample town (docs/contract.md#sample) by the roads that people's work takes: listings, photos, submissions,
 * reviews and tours are born and changed as the API and the workers do it, at times in the past. Nothing is bought: the
 * pictures are drawn here, and their model is `sample`. Killed at any moment, the next load removes the part and begins
 * again.
 */
interface SampleParts {
  /** With the rights of the tables' owner. */
  readonly pool: Pool;
  readonly storage: Pick<ObjectStorage, 'put'>;
  now(): number;
}

export type SampleOutcome = 'LOADED' | 'ALREADY_THERE' | 'REMOVED_BEFORE' | 'HAS_LISTINGS';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Homes at a time: the object store and the database work next to the drawing. */
const LANES = 6;
const NO_LIMITS = {
  listingsDay: 0,
  listingsFirstDay: 0,
  newAgentDelayMinutes: 0,
  photosOfListing: 0,
  photosDay: 0,
  photoMegabytesDay: 0,
  toursDay: 0,
  toursOfListingDay: 0,
} as const;

export async function loadSample(parts: SampleParts): Promise<SampleOutcome> {
  const { pool, now } = parts;
  const state = await sampleState(pool);
  if (state === 'LOADED') return 'ALREADY_THERE';
  if (state === 'REMOVED') return 'REMOVED_BEFORE';
  if (state === 'LOADING') await removeSample(pool);
  if (!(await beginSample(pool))) return 'HAS_LISTINGS';
  const startedAt = now();
  const people = await addPeople(pool, startedAt);
  const town = {
    ...parts,
    ...people,
    startedAt,
    drawings: createDrawings(),
    actors: createActorSystem({
      store: createPostgresActorStore(pool),
      queues: { stagingJob: SILENT_QUEUE, descriptionJob: SILENT_QUEUE },
      nudges: { publish() {} },
      reporter: SILENT_REPORTER,
      timers: systemTimers,
      chance: systemChance,
    }),
  };
  await inLanes(planTown(new Date(startedAt).getUTCFullYear()), (home) => addHome(town, home));
  await endSample(pool);
  return 'LOADED';
}

const SILENT_QUEUE: JobQueue = {
  enqueue: async () => {},
  remove: async () => {},
  missing: async () => [],
  pauseStarts: async () => {},
};
/** No alert and no figure is made of the sample; a problem ends the load. */
const SILENT_REPORTER = {
  report() {},
  alert() {},
  transition() {},
  count() {},
  problem(what: string, error: unknown) {
    throw new Error(what, { cause: error });
  },
};

interface Town extends SampleParts {
  readonly startedAt: number;
  readonly agentIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly drawings: Drawings;
  readonly actors: ActorSystem;
}

async function addPeople(pool: Pool, startedAt: number): Promise<Pick<Town, 'agentIds' | 'customerIds'>> {
  const at = startedAt - 400 * DAY;
  const agentIds: string[] = [];
  for (const { name, mailbox, phone, licenseNumber, officeName } of AGENTS) {
    const id = randomUUID();
    await addSamplePerson(pool, { id, name, mailbox, phone, agent: { licenseNumber, officeName }, at });
    agentIds.push(id);
  }
  const customerIds: string[] = [];
  for (const { name, mailbox } of CUSTOMERS) {
    const id = randomUUID();
    await addSamplePerson(pool, { id, name, mailbox, phone: null, agent: null, at });
    customerIds.push(id);
  }
  return { agentIds, customerIds };
}

async function inLanes<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) await work(item, index);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: LANES }, () =>
      lane().catch((error: unknown) => {
        next = items.length;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function addHome(town: Town, home: PlannedHome): Promise<void> {
  const { pool, startedAt } = town;
  const agentId = town.agentIds[home.agent];
  if (agentId === undefined) throw new Error('no agent');
  const propertyId = randomUUID();
  const listedAt = startedAt - home.listedDaysAgo * DAY - 2 * HOUR;
  changed(
    await createProperty(
      pool,
      {
        propertyId,
        ownerAgentId: agentId,
        listing: home.listing,
        assignedAgentIds: [],
        limits: NO_LIMITS,
        siteCurrency: home.listing.currency,
        at: listedAt,
      },
      (client) => markAsSample(client, { propertyId, key: home.key }),
    ),
  );
  const { pastSale, change, move, photos, tour } = home;
  if (pastSale !== null)
    await recordPastSales(pool, {
      sales: [{ propertyId, at: Date.UTC(pastSale.year, 5, 14, 12), price: pastSale.price }],
      at: listedAt,
    });
  for (const [index, photo] of photos.entries())
    await addPhoto(town, { propertyId, agentId, photo, at: listedAt + index * MINUTE });
  await giveSampleVerdicts(pool, propertyId);
  if (change !== null)
    changed(
      await updateProperty(pool, {
        propertyId,
        agentId,
        listing: { listPrice: change.price },
        siteCurrency: home.listing.currency,
        at: startedAt - change.daysAgo * DAY,
      }),
    );
  if (tour !== null) await addTour(town, { propertyId, agentId, tour, place: Number(home.key.slice(-3)) });
  if (move === null) return;
  const at = startedAt - move.daysAgo * DAY;
  const sale =
    move.to === 'Closed'
      ? { closePrice: move.price, closeDate: new Date(at - DAY).toISOString().slice(0, 10) }
      : null;
  changed(await setPropertyStatus(pool, { propertyId, agentId, standardStatus: move.to, sale, at }));
}

function changed(outcome: ChangeOutcome): void {
  if (outcome.outcome !== 'changed')
    throw new Error(`a home of the sample was refused: ${JSON.stringify(outcome)}`);
}

interface PhotoToAdd {
  readonly propertyId: string;
  readonly agentId: string;
  readonly photo: PlannedPhoto;
  readonly at: number;
}

async function addPhoto(town: Town, { propertyId, agentId, photo, at }: PhotoToAdd): Promise<void> {
  const { pool, storage } = town;
  const { bytes, ...described } = await town.drawings(photo.picture, null);
  const imageId = randomUUID();
  const objectKey = `originals/${propertyId}/${imageId}.jpg`;
  // A drawing has a shape that is sent whole: the copy for a provider is the photo itself.
  const paddedInputKey = photo.staged.length > 0 ? `provider-inputs/${imageId}/${imageId}.jpg` : null;
  const keys = [objectKey, ...(paddedInputKey === null ? [] : [paddedInputKey])];
  const guards = await guardUploads(pool, { keys, at: town.now() });
  for (const key of keys) await storage.put(key, bytes, { contentType: 'image/jpeg' });
  const stored = await insertOriginal(
    pool,
    {
      ...described,
      imageId,
      propertyId,
      agentId,
      objectKey,
      providerInputKey: null,
      paddedInputKey,
      roomType: photo.roomType,
      bytes: bytes.length,
      fileBytes: bytes.length,
      alteration: null,
      credentials: null,
      limits: NO_LIMITS,
      at,
    },
    guards,
    async () => {},
  );
  if (stored === null) throw new Error('a photo of the sample was refused');
  for (const { style, end } of photo.staged)
    await addStaged(town, { imageId, propertyId, agentId, photo, style, end, at: at + 20 * MINUTE });
}

interface StagedToAdd extends PhotoToAdd {
  readonly imageId: string;
  readonly style: PlannedPhoto['staged'][number]['style'];
  readonly end: StagedEnd;
}

/** A job from its submission to its end, a second or more between two events. */
async function addStaged(town: Town, staged: StagedToAdd): Promise<void> {
  const { pool, storage, actors } = town;
  const { imageId: originalImageId, agentId, photo, style, end, at } = staged;
  const jobId = randomUUID();
  const roomType = photo.roomType;
  if (roomType === null) throw new Error('only rooms are staged');
  await inTransaction(pool, async (client) => {
    const original = await lockOriginal(client, originalImageId);
    if (original === null) throw new Error('a photo of the sample is gone');
    await submitFor(
      client,
      {
        aiJobId: jobId,
        originalImageId,
        requestedByUserId: agentId,
        canonicalRoomType: roomType,
        canonicalStyle: style,
        styleModifier: null,
        submittedStyle: style,
        legacyStyle: null,
        prompt: 'Drawn for the sample town. No model was asked.',
        promptVersion: SAMPLE_MODEL,
        providerModel: SAMPLE_MODEL,
        quality: 'medium',
        framing: 'photo',
        aspectRatio: '3:2',
        outputFormat: 'jpeg',
        outputCompression: 88,
        at,
      },
      original,
    );
  });
  if (end === 'CANCELED') {
    await deliver(
      actors,
      { to: 'stagingJob', id: jobId, event: { type: 'CANCEL_ASKED', at: at + 1_000 } },
      `user:${agentId}`,
    );
    return;
  }
  const attemptId = randomUUID();
  const taken = await createPostgresActorStore(pool).acquireLease({
    jobId,
    owner: SAMPLE_MODEL,
    at: town.now(),
    ttlMs: HOUR,
  });
  if (taken === null) throw new Error('a job of the sample is held by another process');
  const origin = { by: `worker:${SAMPLE_MODEL}`, lease: taken.lease };
  const tell = (message: Message) => applied(actors.deliver(message, origin));
  await tell({
    to: 'stagingJob',
    id: jobId,
    event: {
      type: 'WORKER_STARTED',
      at: at + 1_000,
      enabled: true,
      attemptId,
      queueAttempt: 1,
      waitedMs: 1_000,
      startsPerMinute: null,
    },
  });
  const toAttempt = (event: Extract<Message, { to: 'providerAttempt' }>['event']) =>
    tell({ to: 'providerAttempt', id: attemptId, event });
  await toAttempt({ type: 'SEND_CLAIMED', at: at + 2_000, token: randomUUID() });
  const predictionId = `sample-${attemptId}`;
  await toAttempt({ type: 'PREDICTION_CREATED', at: at + 3_000, predictionId, providerStatus: 'starting' });
  if (end === 'FAILED') {
    await toAttempt({
      type: 'PREDICTION_FAILED',
      at: at + 30_000,
      errorCode: 'PROVIDER_MODERATION',
      jitter: 0,
      providerStatus: 'failed',
    });
    return;
  }
  const { bytes, ...output } = await town.drawings(photo.picture, style);
  const objectKey = `staged/${attemptId}.jpg`;
  await toAttempt({ type: 'PREDICTION_SUCCEEDED', at: at + 30_000, providerStatus: 'succeeded', objectKey });
  await storage.put(objectKey, bytes, { contentType: 'image/jpeg' });
  const imageId = randomUUID();
  await toAttempt({
    type: 'OUTPUT_STORED',
    at: at + 32_000,
    jitter: 0,
    imageId,
    output: { ...output, bytes: bytes.length },
  });
  await review(town, { imageId, agentId, end, at: at + 10 * MINUTE });
}

async function review(
  { actors }: Town,
  { imageId, agentId, end, at }: { imageId: string; agentId: string; end: StagedEnd; at: number },
): Promise<void> {
  if (end === 'WAITING_FOR_REVIEW') return;
  const by = `user:${agentId}`;
  if (end === 'REJECTED') {
    const event = { type: 'REJECT', at, byUserId: agentId, reason: 'The sofa hides the fireplace.' } as const;
    await deliver(actors, { to: 'imageReview', id: imageId, event }, by);
    return;
  }
  await deliver(
    actors,
    { to: 'imageReview', id: imageId, event: { type: 'APPROVE', at, byUserId: agentId } },
    by,
  );
  if (end === 'WITHDRAWN')
    await deliver(
      actors,
      {
        to: 'imageReview',
        id: imageId,
        event: { type: 'WITHDRAW', at: at + HOUR, by: 'AGENT', byUserId: agentId },
      },
      by,
    );
}

const deliver = (actors: ActorSystem, message: Message, by: string): Promise<void> =>
  applied(actors.deliver(message, { by }));

async function applied(delivery: ReturnType<ActorSystem['deliver']>): Promise<void> {
  const { outcome } = await delivery;
  if (outcome !== 'applied') throw new Error(`an event of the sample was not applied: ${outcome}`);
}

/** Ten in the morning in Seattle in winter, and of no weight in summer. */
const atTen = (day: number): number => Math.floor(day / DAY) * DAY + 18 * HOUR;

async function addTour(
  town: Town,
  {
    propertyId,
    agentId,
    tour,
    place,
  }: { propertyId: string; agentId: string; tour: Exclude<PlannedTour, null>; place: number },
): Promise<void> {
  const { actors, startedAt } = town;
  const id = randomUUID();
  const customerId = town.customerIds[place % town.customerIds.length];
  if (customerId === undefined) throw new Error('no customer');
  const isOver = tour === 'COMPLETED';
  const at = isOver ? startedAt - 12 * DAY : startedAt - 5 * HOUR;
  // Each tour on another day, so that no two times of an agent overlap.
  const days = Math.floor(place / 9);
  const day = isOver ? startedAt - (3 + days / 5) * DAY : startedAt + (2 + days) * DAY;
  const slot = (hours: number) => ({
    startsAt: atTen(day) + hours * HOUR,
    endsAt: atTen(day) + (hours + 1) * HOUR,
  });
  const hour = place % 5;
  const slots = [slot(hour), slot(hour + 2)];
  const asCustomer = { actor: 'customer', userId: customerId, note: null } as const;
  const asAgent = { actor: 'agent', userId: agentId, note: null } as const;
  await deliver(
    actors,
    {
      to: 'newTour',
      id,
      details: {
        customerId,
        propertyId,
        kind: place % 4 === 0 ? 'VIRTUAL' : 'IN_PERSON',
        note: 'Is there a place for two bicycles?',
      },
      event: { ...asCustomer, type: 'TOUR_REQUESTED', at, slots },
      limits: NO_LIMITS,
    },
    `user:${customerId}`,
  );
  const tell = (event: Extract<Message, { to: 'tour' }>['event']) =>
    deliver(actors, { to: 'tour', id, event }, `user:${agentId}`);
  if (tour === 'REQUESTED') return;
  if (tour === 'DECLINED')
    return tell({
      ...asAgent,
      type: 'REQUEST_DECLINED',
      at: at + HOUR,
      note: 'The owners are away this week.',
    });
  if (tour === 'RESCHEDULE_PROPOSED')
    return tell({ ...asAgent, type: 'SLOTS_PROPOSED', at: at + HOUR, slots: [slot(hour + 4)] });
  await tell({ ...asAgent, type: 'REQUEST_ACCEPTED', at: at + HOUR, slot: slots[0] ?? slot(hour) });
  if (isOver) await tell({ ...asAgent, type: 'VISIT_COMPLETED', at: slot(hour).endsAt + HOUR });
}
