import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findVisibleImage } from '../../../../persistence/images/image-visibility.ts';
import { MAX_OTHER_VARIANTS, recordRendition } from '../../../../persistence/images/rendition-queries.ts';
import { GUARD_MS, guardUploads, UploadExpired } from '../../../../persistence/images/upload-guards.ts';
import type { PublicError } from '../../../../src/errors/errors.ts';
import { BoundReached } from '../../../../src/errors/errors.ts';
import type { RenditionFormat } from '../../../../src/images/decoding/accepted-format.ts';
import type { Decoder } from '../../../../src/images/decoding/decoder.ts';
import { canonicalVariants, planRendition } from '../../../../src/images/decoding/rendition-plan.ts';
import { readRenditionRequest } from '../../../../src/images/decoding/rendition-request.ts';
import { createRenditions, type RenditionPorts } from '../../../../src/images/renditions/renditions.ts';
import { createObjectStorage, type ObjectStorage } from '../../../../src/storage/object-storage.ts';
import { systemClock } from '../../../../src/time.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import { heldTurn, testDecoder } from '../../../support/pictures/decoders.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { ask, drainEverything, looks, storedOriginal } from '../../../support/pictures/stored-pictures.ts';

let host: ApiHost;
let storage: ObjectStorage;
let photo: Buffer;
let imageId: string;
let propertyId: string;
let decoder: Decoder;
beforeAll(async () => {
  host = await startApiHost();
  storage = createObjectStorage(host.config.s3);
  decoder = testDecoder();
  photo = await noisy(640, 480).jpeg().toBuffer();
});
beforeEach(async () => {
  await host.rows('truncate storage_deletion_outbox');
  propertyId = await seedProperty(host.pool);
  ({ imageId } = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' }));
});
afterAll(async () => {
  await storage.close();
  await decoder.close();
  await host.stop();
});

const keptObjects = async () =>
  (await host.objectKeys()).filter((key) => key.startsWith(`renditions/${imageId}/`));
const keptRows = () =>
  host.rows<{ variant: string; objectKey: string; bytes: number }>(
    'select variant, "objectKey", bytes from image_renditions where "imageId" = $1 order by variant',
    [imageId],
  );
const outbox = () => host.rows<{ key: string }>('select "objectKey" as key from storage_deletion_outbox');

/** Another process: with an empty memory, counting how often it decodes. It `waits` until its copies are stored. */
function another({ waits = true, ...overrides }: Partial<RenditionPorts> & { waits?: boolean } = {}) {
  let decoded = 0;
  const given = overrides.decoder ?? decoder;
  const counting: Decoder = {
    ...given,
    run(task, order, options) {
      decoded += 1;
      return given.run(task, order, options);
    },
  };
  const warnings: unknown[] = [];
  const logger = { warn: (...line: unknown[]) => warnings.push(line) } as unknown as RenditionPorts['logger'];
  const chance = { id: randomUUID, jitter: () => 0 };
  const renditions = createRenditions({
    pool: host.pool,
    storage,
    clock: systemClock,
    chance,
    logger,
    marks: { signed: () => Promise.reject(new Error('an original is not signed')) },
    ...overrides,
    decoder: counting,
  });
  const get = async (
    query: string,
    { signal = new AbortController().signal, format = 'webp', client = '192.0.2.1' } = {},
  ) => {
    const image = await findVisibleImage(host.pool, { imageId, agentId: null });
    const request = readRenditionRequest(new URLSearchParams(query));
    if (image === null || request === null) throw new Error('nothing to render');
    const bytes = await renditions.of(image, planRendition(request, image, format as RenditionFormat, null), {
      client,
      signal,
    });
    if (waits) await renditions.settled();
    return bytes;
  };
  return { get, warnings, decoded: () => decoded, settled: renditions.settled };
}

test('a copy is made once and then stored, for every process', async () => {
  const path = `/api/images/${imageId}?w=128&format=webp`;
  const first = await ask(host, path);
  const row = await eventually(async () => (await keptRows())[0], { what: 'the copy to be kept' });
  expect(await keptObjects()).toEqual([row?.objectKey]);
  expect(row).toMatchObject({ variant: 'r1-contain-128x96-q80.webp', bytes: first.bytes.length });
  expect((await storage.get(row?.objectKey ?? '')).contentType).toBe('image/webp');
  expect(await outbox()).toEqual([]);
  expect((await ask(host, path)).bytes.equals(first.bytes)).toBe(true);
  const elsewhere = another();
  expect((await elsewhere.get('w=128')).equals(first.bytes)).toBe(true);
  expect(elsewhere.decoded()).toBe(0);
});

test('the answer does not wait until its copy is stored, unless too many are being stored', async () => {
  const released = Promise.withResolvers<void>();
  let putting = 0;
  const put: ObjectStorage['put'] = async (key, bytes, options) => {
    putting += 1;
    await released.promise;
    await storage.put(key, bytes, options);
  };
  const process = another({ storage: { ...storage, put }, waits: false });
  const widths = [64, 128, 256, 384];
  const queries = widths.flatMap((w) => [40, 60, 80, 90].map((q) => `w=${w}&q=${q}`));
  const answers = await Promise.all(queries.map((query) => process.get(query)));
  expect(answers).toHaveLength(16);
  await eventually(() => putting === 16, { what: 'sixteen copies on their way' });
  expect(await keptRows()).toEqual([]);
  let answered = false;
  const oneMore = process.get('w=512').then((bytes) => {
    answered = true;
    return bytes;
  });
  await eventually(() => putting === 17, { what: 'one copy more on its way' });
  expect(answered).toBe(false);
  released.resolve();
  expect(await looks(await oneMore)).toBe('webp 512x384');
  await process.settled();
  expect(await keptRows()).toHaveLength(17);
});

test('copies in memory are answered without the store', async () => {
  const process = another();
  const first = await process.get('w=256');
  await host.rows('delete from image_renditions');
  await drainEverything(host);
  expect(await keptObjects()).toEqual([]);
  expect((await process.get('w=256')).equals(first)).toBe(true);
  expect(process.decoded()).toBe(1);
});

test('simultaneous requests make the copy once per process, and store one in all', async () => {
  const [one, two] = [another(), another()];
  const answers = await Promise.all(
    [one, two].flatMap((process) => Array.from({ length: 10 }, () => process.get('w=256'))),
  );
  expect(answers.every((bytes) => bytes.equals(answers[0] ?? Buffer.alloc(0)))).toBe(true);
  expect([one.decoded(), two.decoded()].map((times) => times <= 1)).toEqual([true, true]);
  await drainEverything(host);
  expect(await keptObjects()).toEqual((await keptRows()).map(({ objectKey }) => objectKey));
  expect(await keptRows()).toHaveLength(1);
  expect(await looks((await storage.get((await keptObjects())[0] ?? '')).bytes)).toBe('webp 256x192');
});

test('a stored copy that was lost is made again', async () => {
  const before = await another().get('w=128');
  const [lost] = await keptObjects();
  await storage.delete(lost ?? '');
  const process = another();
  expect((await process.get('w=128')).equals(before)).toBe(true);
  expect(process.warnings).toHaveLength(1);
  expect(await keptObjects()).toHaveLength(1);
  expect(await keptObjects()).not.toContain(lost);
  expect((await outbox()).map(({ key }) => key)).toEqual([lost]);
});

test('deleting the picture, in any way, deletes every copy', async () => {
  for (const query of ['w=64', 'w=128', 'w=128&q=40', 'w=64&h=64']) await another().get(query);
  expect(await keptObjects()).toHaveLength(4);
  await host.rows('delete from properties where id = $1', [propertyId]);
  await drainEverything(host);
  expect(await keptObjects()).toEqual([]);
  expect(await keptRows()).toEqual([]);
});

test('a copy of a picture that is deleted or withdrawn meanwhile is not stored', async () => {
  for (const change of [
    `update properties set "standardStatus" = 'Incomplete' where id = $1`,
    'delete from properties where id = $1',
  ]) {
    const put: ObjectStorage['put'] = async (key, bytes, options) => {
      await storage.put(key, bytes, options);
      if (key.startsWith('renditions/')) await host.rows(change, [propertyId]);
    };
    const process = another({ storage: { ...storage, put } });
    expect(await looks(await process.get('w=128'))).toBe('webp 128x96');
    expect(await keptRows()).toEqual([]);
    expect(await keptObjects()).toEqual([]);
    await host.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [propertyId]);
  }
});

test('a crash between putting and recording leaves an object that the outbox removes', async () => {
  const put: ObjectStorage['put'] = async (key, bytes, options) => {
    await storage.put(key, bytes, options);
    throw new Error('the process dies here');
  };
  const process = another({ storage: { ...storage, put } });
  expect(await looks(await process.get('w=128'))).toBe('webp 128x96');
  expect(process.warnings).toHaveLength(1);
  expect(await keptRows()).toEqual([]);
  expect((await outbox()).map(({ key }) => key)).toEqual(await keptObjects());
  await drainEverything(host);
  expect(await keptObjects()).toEqual([]);
});

test('a guard that the sweep has claimed is not released', async () => {
  const objectKey = `renditions/${imageId}/late.webp`;
  const guards = await guardUploads(host.pool, { keys: [objectKey], at: 0 });
  await host.rows(`update storage_deletion_outbox set status = 'PROCESSING', version = 1`);
  const rendition = { imageId, variant: 'v', canonical: [], objectKey, bytes: 1, at: GUARD_MS };
  await expect(recordRendition(host.pool, rendition, guards)).rejects.toThrow(UploadExpired);
  expect(await keptRows()).toEqual([]);
});

test('the drain does not delete a copy that is in use', async () => {
  await another().get('w=128');
  const [key] = await keptObjects();
  await guardUploads(host.pool, { keys: [key ?? ''], at: 0 });
  await drainEverything(host);
  expect(await keptObjects()).toEqual([key]);
});

/** Rows of copies in unusual sizes, as a client that requests all of them creates; the first is the oldest. */
const fill = (count: number, { hoursAgo = 0 } = {}) =>
  host.rows(
    `insert into image_renditions ("imageId", variant, "objectKey", bytes, "createdAt")
     select $1::uuid, 'v' || n, 'renditions/' || $1::text || '/' || n, 1,
       now() + n * interval '1 ms' - $3::int * interval '1 hour' from generate_series(1, $2::integer) n`,
    [imageId, count, hoursAgo],
  );
const keptVariants = async () => (await keptRows()).map(({ variant }) => variant);

test('the number of unusual sizes stored per picture is limited', async () => {
  await fill(MAX_OTHER_VARIANTS);
  const process = another();
  expect(await looks(await process.get('w=128&h=128'))).toBe('webp 128x128');
  expect(await keptObjects()).toEqual([]);
  expect(await outbox()).toEqual([]);
});

test('standard sizes always have room, and copies beyond the share of the unusual sizes are removed', async () => {
  await fill(60);
  const process = another();
  for (const format of ['jpeg', 'webp', 'avif'])
    for (const w of [64, 128, 256, 384, 512, 768]) await process.get(`w=${w}`, { format });
  const variants = await keptVariants();
  const ladder = canonicalVariants({ width: 640, height: 480, format: 'jpeg', isStyled: false }, null);
  expect(ladder).toHaveLength(18);
  expect(ladder.filter((variant) => !variants.includes(variant))).toEqual([]);
  const others = Array.from({ length: MAX_OTHER_VARIANTS }, (_, n) => `v${60 - n}`);
  expect(variants.filter((variant) => !ladder.includes(variant)).toSorted()).toEqual(others.toSorted());
  expect((await outbox()).filter(({ key }) => /\/\d+$/.test(key))).toHaveLength(60 - MAX_OTHER_VARIANTS);
});

test('an unusual size can be replaced after a day', async () => {
  await fill(MAX_OTHER_VARIANTS, { hoursAgo: 25 });
  await another().get('w=128&h=128');
  const variants = await keptVariants();
  expect(variants).toHaveLength(MAX_OTHER_VARIANTS);
  expect(variants).toContain('r1-cover-128x128-q80.webp');
  expect(variants).not.toContain('v1');
});

test('two processes that store at the same time stay within the share', async () => {
  await fill(MAX_OTHER_VARIANTS - 1);
  const [one, two] = [another(), another()];
  await Promise.all([
    ...[64, 128, 256].map((side) => one.get(`w=${side}&h=${side}`)),
    ...[64, 128, 256].map((side) => two.get(`w=${side}&h=${side}&q=40`)),
  ]);
  expect(await keptVariants()).toHaveLength(MAX_OTHER_VARIANTS);
});

test('a client that disconnects while waiting frees its place, and nothing is decoded', async () => {
  const decoder = testDecoder({ processes: 1 });
  const held = heldTurn(decoder);
  const process = another({ decoder });
  const leaving = new AbortController();
  const left = process.get('w=128', { signal: leaving.signal });
  const outcome = expect(left).rejects.toThrow('left');
  // Only after the work has begun can it be aborted.
  await host.rows('select 1');
  leaving.abort(new Error('left'));
  await outcome;
  const stays = process.get('w=128');
  await held.giveBack();
  expect(await looks(await stays)).toBe('webp 128x96');
  expect(decoder.load).toEqual({ working: 0, waiting: 0 });
  await decoder.close();
});

/** More different requests than may wait. */
const MANY = [64, 128, 256, 384].flatMap((w) =>
  [64, 128, 256, 384, 480, 640].flatMap((h) =>
    [40, 60, 80, 90].flatMap((q) =>
      ['jpeg', 'webp', 'avif'].map((format) => ({ query: `w=${w}&h=${h}&q=${q}`, format })),
    ),
  ),
);

test('a client with too many requests is rejected, logged once, and another is served next', async () => {
  const decoder = testDecoder();
  const held = [heldTurn(decoder), heldTurn(decoder)];
  const process = another({ decoder, waits: false });
  const abort = new AbortController();
  const refused: PublicError[] = [];
  const flood = MANY.map(({ query, format }) =>
    process
      .get(query, { format, signal: abort.signal, client: '203.0.113.1' })
      .catch((error) => refused.push(error)),
  );
  await eventually(() => refused.length > 40, { what: 'rejections' });
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  expect(refused[0]).toMatchObject({ retryAfterSeconds: 2, cause: expect.any(BoundReached) });
  expect(process.warnings).toEqual([
    [{ refused: 1, waiting: 200 }, expect.stringContaining('too many wait')],
  ]);
  const others = ['w=512', 'w=384'].map((query, n) => process.get(query, { client: `198.51.100.${n}` }));
  const before = process.decoded();
  await Promise.all(held.map(({ giveBack }) => giveBack()));
  expect(await Promise.all((await Promise.all(others)).map(looks))).toEqual(['webp 512x384', 'webp 384x288']);
  // In order of arrival all 200 would run first. Some still run while the others' rows are read.
  expect(process.decoded() - before).toBeLessThan(100);
  abort.abort(new Error('enough'));
  await Promise.all(flood);
  await decoder.close();
});

test('a stored copy is answered even when the queue is full', async () => {
  const stored = await another().get('w=512');
  const decoder = testDecoder();
  const held = [heldTurn(decoder), heldTurn(decoder)];
  const process = another({ decoder, waits: false });
  const abort = new AbortController();
  let refused = 0;
  const flood = MANY.map(({ query, format }) =>
    process.get(query, { format, signal: abort.signal }).catch(() => (refused += 1)),
  );
  await eventually(() => refused > 0, { what: 'a full queue' });
  expect((await process.get('w=512')).equals(stored)).toBe(true);
  abort.abort(new Error('enough'));
  await Promise.all(flood);
  await Promise.all(held.map(({ giveBack }) => giveBack()));
  await decoder.close();
});
