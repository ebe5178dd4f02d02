import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CanonicalRoomType } from '../../../../machines/vocabulary.ts';
import { testSigning } from '../../../../ops/dev/signing-certificates.ts';
import { drawSampleRoom } from '../../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../../ops/simulator/pictures/staging.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createObjectStorage, type ObjectStorage } from '../../../../src/storage/object-storage.ts';
import { createMetrics } from '../../../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../../../src/telemetry/worker-metrics.ts';
import { systemTimers } from '../../../../src/time.ts';
import { createPhotoChecker } from '../../../../src/worker/photo-checker.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';
import { FILES, HONEST } from '../../../support/pictures/passed-off.ts';
import {
  ask,
  drainEverything,
  storedOriginal,
  storedVariant,
} from '../../../support/pictures/stored-pictures.ts';
import { createRecordingReporter } from '../../../support/worlds/recording-ports.ts';
import { readZip } from '../../../support/zip-reader.ts';

/**
 * Thirty-one ways to pass a staged picture off as a photo, and honest uploads, through the API, a real store and the
 * decoder (docs/contract.md#intake). Two hundred honest ones are in tests/verification/intake.
 */
const SIZE = { width: 1080, height: 720 };
const LEAST_STOPPED = 27;

let host: ApiHost;
let agent: Person;
let other: Person;
let storage: ObjectStorage;
let stop: () => Promise<void>;
beforeAll(async () => {
  host = await startApiHost({ settings: testSigning().settings });
  [agent, other] = [await host.signedIn(), await host.signedIn()];
  storage = createObjectStorage(host.config.s3);
  const decoder = testDecoder({ lane: 'comparison', processes: 1 });
  const { registry } = createMetrics({ role: 'worker' });
  const reporter = createRecordingReporter();
  const checker = createPhotoChecker({
    timers: systemTimers,
    reporter,
    logger: { warn() {}, error() {} } as never,
    storage,
    checkpoint: () => {},
    config: { userHashSecret: 'ab'.repeat(32) },
    database: { pool: host.pool },
    workerMetrics: createWorkerMetrics(registry, { enabled: true, perMinute: 6 }),
    comparisonDecoder: decoder,
    timings: { photoCheckMs: 50 },
  });
  await checker.start();
  stop = async () => {
    await checker.stop(AbortSignal.timeout(5_000));
    await decoder.close();
    await storage.close();
    expect(reporter.problems).toEqual([]);
  };
});
afterAll(async () => {
  await stop();
  await host.stop();
});

interface Staged {
  propertyId: string;
  photo: Buffer;
  staged: Buffer;
  imageId: string;
}

/** A listing of the agent with a photo and a staged picture of it. */
async function stagedListing(
  kind: CanonicalRoomType,
  seed: number,
  reviewStatus = 'PENDING_REVIEW',
): Promise<Staged> {
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, standardStatus: 'Active' });
  const photo = await drawSampleRoom(kind, { ...SIZE, seed });
  const prompt = `a modern ${kind.toLowerCase().replace('_', ' ')}`;
  const staged = await (await stagePhoto({ ...SIZE, photo, prompt })).jpeg({ quality: 90 }).toBuffer();
  const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  const imageId = await storedVariant(host, original, { bytes: staged, format: 'jpeg', reviewStatus });
  return { propertyId, photo, staged, imageId };
}

/** What became of an upload: an error, or the state with which its wait ended. */
async function fateOf(file: Buffer, propertyId: string, person = agent): Promise<string> {
  const answer = await person.upload(file, { propertyId });
  if (answer.status !== 201) return answer.errorCode ?? String(answer.status);
  const { imageId, photoState, alteration } = answer.body;
  expect(photoState).toBe('WAITING');
  expect((await ask(host, `/api/images/${imageId}?w=64&format=jpeg`)).status).toBe(404);
  await expect
    .poll(async () => (await stateOf(imageId)) !== 'WAITING', { timeout: 30_000, interval: 25 })
    .toBe(true);
  const state = await stateOf(imageId);
  const shown = (await ask(host, `/api/images/${imageId}?w=64&format=jpeg`)).status;
  expect(shown).toBe(state === 'PHOTO' ? 200 : 404);
  return alteration ?? state;
}
const stateOf = async (imageId: string): Promise<string> =>
  (
    await host.rows<{ state: string }>('select "photoState" as state from property_images where id = $1', [
      imageId,
    ])
  )[0]!.state;

test('at least 27 of 31 ways to pass a staged picture off as a photo are stopped', {
  timeout: 180_000,
}, async () => {
  const room = await stagedListing('LIVING_ROOM', 2);
  const shown = await stagedListing('BEDROOM', 3, 'APPROVED');
  const fates: Record<string, string> = {};
  for (const [name, change] of Object.entries(FILES))
    fates[name] = await fateOf(await change(room.staged), room.propertyId);
  const saved = (imageId: string, query: string, as?: Person) =>
    ask(host, `/api/images/${imageId}${query}`, { as }).then(({ bytes }) => bytes);
  for (const format of ['jpeg', 'webp', 'avif'])
    fates[`public ${format}`] = await fateOf(
      await saved(shown.imageId, `?w=640&format=${format}`),
      shown.propertyId,
    );
  fates['public, whole'] = await fateOf(await saved(shown.imageId, ''), shown.propertyId);
  const preview = await saved(room.imageId, '?w=640&format=jpeg', agent);
  fates['private preview'] = await fateOf(preview, room.propertyId);
  fates['private preview, stripped'] = await fateOf(await sharp(preview).jpeg().toBuffer(), room.propertyId);
  const zip = await ask(host, `/api/disclosure/${shown.propertyId}.zip?market=US-CA`, { as: agent });
  const exported = readZip(zip.bytes).find(({ name }) => /staged.*\.jpg$/.test(name))!;
  fates['export file, stripped'] = await fateOf(
    await sharp(exported.bytes).jpeg().toBuffer(),
    shown.propertyId,
  );
  const others = await seedProperty(host.pool, { ownerAgentId: other.id, standardStatus: 'Active' });
  const bare = await sharp(room.staged).jpeg({ quality: 80 }).toBuffer();
  fates['another agent, another listing'] = await fateOf(bare, others, other);
  await host.rows('delete from property_images where id = $1', [room.imageId]);
  await drainEverything(host);
  fates['after deletion'] = await fateOf(bare, room.propertyId);
  fates['after deletion, another agent, cropped'] = await fateOf(
    await FILES['cropped by 15 % at every side']!(room.staged),
    others,
    other,
  );
  const passed = Object.entries(fates).filter(([, fate]) => fate === 'PHOTO');
  expect(Object.values(fates).filter((fate) => fate !== 'PHOTO' && fate !== 'STAGED_PICTURE')).toEqual([]);
  expect(Object.keys(fates)).toHaveLength(31);
  expect(passed.length, `passed: ${passed.map(([name]) => name).join(', ')}`).toBeLessThanOrEqual(
    Object.keys(fates).length - LEAST_STOPPED,
  );
});

test('honest photos of a staged kitchen are all taken', { timeout: 120_000 }, async () => {
  const { propertyId, photo } = await stagedListing('KITCHEN', 5);
  const fates: Record<string, string> = {};
  for (const [name, change] of Object.entries(HONEST))
    fates[name] = await fateOf(await change(photo), propertyId);
  const otherRoom = await drawSampleRoom('OFFICE', { ...SIZE, seed: 25 });
  fates['another room'] = await fateOf(otherRoom, propertyId);
  const elsewhere = await seedProperty(host.pool, { ownerAgentId: other.id });
  fates['the same photo by another agent'] = await fateOf(photo, elsewhere, other);
  expect(Object.entries(fates).filter(([, fate]) => fate !== 'PHOTO')).toEqual([]);
});
