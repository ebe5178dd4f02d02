import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Market } from '../../../../machines/disclosure/profile.ts';
import { testSigning } from '../../../../ops/dev/signing-certificates.ts';
import { findVisibleImage } from '../../../../persistence/images/image-visibility.ts';
import { MAX_MANIFESTS, recordManifest } from '../../../../persistence/images/provenance-manifests.ts';
import type { SigningConfig } from '../../../../src/config/signing.ts';
import type { Decoder } from '../../../../src/images/decoding/decoder.ts';
import { readRenditionRequest } from '../../../../src/images/decoding/rendition-request.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createMarks } from '../../../../src/images/marks/marks.ts';
import { NotSigned, type Signer, startSigner } from '../../../../src/images/marks/signer.ts';
import {
  createOriginalThumbnails,
  MAX_THUMBNAIL_BYTES,
} from '../../../../src/images/renditions/original-thumbnails.ts';
import { createProviderPictures } from '../../../../src/images/renditions/provider-pictures.ts';
import type { RenditionPorts } from '../../../../src/images/renditions/renditions.ts';
import { createShownPictures, wishOf } from '../../../../src/images/renditions/shown-pictures.ts';
import { createObjectStorage, type ObjectStorage } from '../../../../src/storage/object-storage.ts';
import { VERSION } from '../../../../src/version.ts';
import { seedProperty, seedStagingJob } from '../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import { createManualTime } from '../../../support/manual-time.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';
import {
  manifestBytes,
  readElsewhere,
  readManifest,
  verifiesElsewhere,
} from '../../../support/pictures/manifests.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import {
  GENERATOR,
  withManifestBytes,
  withProviderManifest,
} from '../../../support/pictures/provider-manifests.ts';
import { FACTS, signing, signingConfig } from '../../../support/pictures/signing-facts.ts';
import { ask, storedOriginal, storedVariant } from '../../../support/pictures/stored-pictures.ts';
import { readXmp, stagedXmpOf } from '../../../support/pictures/xmp.ts';
import { exportedListing, readExport } from '../../../support/worlds/export-world.ts';

/** The manifests of a host with a key, and of its parts alone. */
const root = signing.root.pem;
let host: ApiHost;
let storage: ObjectStorage;
let decoder: Decoder;
let photo: Buffer;
let png: Buffer;
let original: { imageId: string; propertyId: string; objectKey: string };
let staged: string;
beforeAll(async () => {
  host = await startApiHost({ settings: signing.settings });
  storage = createObjectStorage(host.config.s3);
  decoder = testDecoder();
  photo = await noisy(480, 320).jpeg().toBuffer();
  png = await noisy(480, 320).png().toBuffer();
});
beforeEach(async () => {
  const propertyId = await seedProperty(host.pool);
  original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  staged = await storedVariant(host, original, { bytes: png, format: 'png', reviewStatus: 'APPROVED' });
});
afterAll(async () => {
  await storage.close();
  await decoder.close();
  await host.stop();
});

const manifestRows = () =>
  host.rows<{ variant: string; manifestId: string; signedAt: Date }>(
    'select variant, "manifestId", "signedAt" from provenance_manifests where "stagedImageId" = $1 order by 1',
    [staged],
  );

describe('through HTTP', () => {
  test.each([
    ['?w=256&format=jpeg', 'jpeg'],
    ['?w=256&format=webp', 'webp'],
    ['?w=256&format=avif', 'avif'],
    ['', 'png'],
  ])('%s verifies under the root, tells of its original, and has its row', async (query, format) => {
    await host.rows(`update property_images set "providerModel" = 'openai/gpt-image-2' where id = $1`, [
      staged,
    ]);
    const { bytes } = await ask(host, `/api/images/${staged}${query}`);
    const read = await readManifest(bytes, format, root);
    expect(read).toMatchObject({ state: 'Trusted', problems: [] });
    expect(read?.manifest.ingredients).toEqual([
      expect.objectContaining({
        relationship: 'parentOf',
        instance_id: `urn:uuid:${original.imageId}`,
        informational_URI: `https://api.example.com/api/images/${original.imageId}`,
        metadata: {
          'virtual-staging.sha256': createHash('sha256').update(photo).digest('hex'),
          'virtual-staging.record': `https://api.example.com/provenance/${staged}`,
        },
      }),
    ]);
    expect(read?.manifest.assertions[0]?.data.actions).toMatchObject([
      { action: 'c2pa.opened', parameters: { ingredients: [expect.anything()] } },
      {
        action: 'c2pa.edited',
        digitalSourceType: expect.stringContaining('compositeWithTrainedAlgorithmicMedia'),
        softwareAgent: { name: 'openai/gpt-image-2' },
      },
      ...(query === '' ? [] : [{ action: 'c2pa.resized' }, { action: 'c2pa.converted' }]),
    ]);
    expect(await manifestRows()).toMatchObject([{ manifestId: read?.id, variant: expect.any(String) }]);
    if (format !== 'webp') expect(await verifiesElsewhere(bytes)).toBe(true);
    // Signed last: the XMP belongs to what is signed.
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
  });

  test.each(['jpeg', 'webp', 'avif', 'png'])('one changed bit of a %s does not verify', async (format) => {
    const query = format === 'png' ? '' : `?w=256&format=${format}`;
    const { bytes } = await ask(host, `/api/images/${staged}${query}`);
    const at = amongPixels(bytes, format);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const read = await readManifest(bytes, format, root);
    expect(read?.state).toBe('Invalid');
    if (format !== 'webp') expect(await verifiesElsewhere(bytes)).toBe(false);
  });

  test.each(['?w=256&h=256&format=jpeg', '?w=256&q=40&format=webp', '?w=256&h=128&fit=cover&format=avif'])(
    '%s is no size of the ladder: it is not signed, and says so',
    async (query) => {
      const { bytes } = await ask(host, `/api/images/${staged}${query}`);
      const format = /format=(\w+)/.exec(query)?.[1] ?? '';
      expect(await readManifest(bytes, format, root)).toBeNull();
      const { xmp } = await sharp(bytes).metadata();
      expect(xmp?.toString()).toContain(
        `staging:Signature="Not signed, because of its size. The record of this picture: https://api.example.com/provenance/${staged}"`,
      );
      expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
      expect(await manifestRows()).toEqual([]);
    },
  );

  describe('another implementation reads', () => {
    const STAGED_AT = '2026-03-04T05:06:07.000Z';
    const read = async (query: string) => {
      const { bytes } = await ask(host, `/api/images/${staged}${query}`);
      return readElsewhere(bytes);
    };
    beforeEach(async () => {
      await host.rows('update property_images set "createdAt" = $2 where id = $1', [staged, STAGED_AT]);
    });

    /** Another staged picture, with these bytes from the provider. */
    const provided = async (bytes: Buffer) => {
      const { propertyId } = original;
      original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
      staged = await storedVariant(host, original, { bytes, format: 'png', reviewStatus: 'APPROVED' });
    };
    const largePng = () => noisy(1100, 700).png().toBuffer();
    const enlarge = async () => provided(await largePng());

    describe("the provider's own manifest", () => {
      let signed: Buffer;
      beforeAll(async () => {
        signed = await withProviderManifest(await largePng(), 'png');
      });
      const named = (bytes: Buffer, manifest: 'valid' | 'not valid') => ({
        'virtual-staging.sha256': createHash('sha256').update(bytes).digest('hex'),
        'virtual-staging.manifest': manifest,
        'virtual-staging.generator': GENERATOR,
      });

      test.each(['jpeg', 'webp', 'avif', 'png'])('in a large %s', async (format) => {
        await provided(signed);
        const query = format === 'png' ? '' : `?w=1280&format=${format}`;
        const { bytes } = await ask(host, `/api/images/${staged}${query}`);
        expect(readElsewhere(bytes)).toMatchObject({
          provided: {
            title: 'Picture of the provider',
            metadata: named(signed, 'valid'),
            embedded: GENERATOR,
          },
          parent: { instanceId: `urn:uuid:${original.imageId}` },
          actions: expect.arrayContaining([{ action: 'c2pa.placed', when: expect.any(Number) }]),
        });
        const read = await readManifest(bytes, format, root);
        expect(read).toMatchObject({ state: 'Trusted', problems: [] });
        if (format !== 'webp') expect(await verifiesElsewhere(bytes)).toBe(true);
      });

      test('is only named in a small copy', async () => {
        await provided(signed);
        expect(await read('?w=256&format=jpeg')).toMatchObject({
          provided: { metadata: named(signed, 'valid'), embedded: null },
        });
      });

      test('that does not fit its picture is passed on as not valid, and one that cannot be read is only named', async () => {
        const manifest = Buffer.from(manifestBytes(signed) ?? []);
        const brokenManifest = Buffer.from(manifest).fill(0xff, manifest.length >> 1);
        const other = await largePng();
        for (const [bytes, embedded] of [
          [withManifestBytes(other, manifest), GENERATOR],
          [withManifestBytes(other, brokenManifest), null],
        ] as const) {
          await provided(bytes);
          const seen = await read('?w=1280&format=jpeg');
          expect(seen?.provided).toMatchObject({
            title: 'Picture of the provider, whose manifest is not valid',
            metadata: expect.objectContaining({ 'virtual-staging.manifest': 'not valid' }),
            embedded,
          });
          const { bytes: copy } = await ask(host, `/api/images/${staged}?w=1280&format=jpeg`);
          expect(await readManifest(copy, 'jpeg', root)).toMatchObject({ state: 'Trusted', problems: [] });
        }
      });
    });

    test.each(['jpeg', 'webp', 'avif', 'png'])('all of a %s', async (format) => {
      const before = Math.floor(Date.now() / 1_000) * 1_000;
      const seen = await read(format === 'png' ? '' : `?w=256&format=${format}`);
      expect(seen).toMatchObject({
        generator: `Proscenium ${VERSION}`,
        gathered: [],
        parent: {
          instanceId: `urn:uuid:${original.imageId}`,
          address: `https://api.example.com/api/images/${original.imageId}`,
          metadata: {
            'virtual-staging.sha256': createHash('sha256').update(photo).digest('hex'),
            'virtual-staging.record': `https://api.example.com/provenance/${staged}`,
          },
        },
        provided: null,
        // Too small for a picture of the original.
        thumbnail: null,
      });
      expect(seen?.created).toEqual(expect.arrayContaining(['c2pa.ingredient.v3', 'c2pa.actions.v2']));
      const [opened, edited, ...made] = seen?.actions ?? [];
      for (const [one, action] of [
        [opened, 'c2pa.opened'],
        [edited, 'c2pa.edited'],
      ] as const)
        expect([one?.action, one?.when]).toEqual([action, Date.parse(STAGED_AT)]);
      expect(made.map(({ action }) => action)).toEqual(
        format === 'png' ? [] : ['c2pa.resized', 'c2pa.converted'],
      );
      for (const { when } of made) expect(when).toBeGreaterThanOrEqual(before);
    });

    test('a different instance in each copy', async () => {
      const queries = ['?w=64&format=jpeg', '?w=128&format=jpeg', '?w=64&format=webp', ''];
      const ids = await Promise.all(queries.map(async (query) => (await read(query))?.instanceId));
      expect(new Set(ids).size).toBe(queries.length);
      for (const id of ids) expect(id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    });

    test('a crop, where only the frame of a padded picture is shown', async () => {
      const { jobId } = await seedStagingJob(host.pool, { original: { ...original, providerInputKey: '' } });
      await host.rows(
        `update ai_room_staging_jobs set framing = 'photo', "aspectRatio" = '3:2', "padWidth" = 1200, "padHeight" = 800, "frameLeft" = 100,
           "frameTop" = 0, "frameWidth" = 1000, "frameHeight" = 800 where "aiJobId" = $1`,
        [jobId],
      );
      await host.rows('update property_images set "aiJobId" = $2 where id = $1', [staged, jobId]);
      expect((await read(''))?.actions.map(({ action }) => action)).toContain('c2pa.cropped');
    });

    test.each(['jpeg', 'webp', 'avif', 'png'])('the original in a large %s', async (format) => {
      await enlarge();
      const below = await read(`?w=768&format=${format === 'png' ? 'jpeg' : format}`);
      expect(below?.thumbnail).toBeNull();
      const seen = await read(format === 'png' ? '' : `?w=1024&format=${format}`);
      const thumbnail = seen?.thumbnail ?? Buffer.alloc(0);
      expect(thumbnail.length).toBeLessThanOrEqual(MAX_THUMBNAIL_BYTES);
      expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width: expect.any(Number) });
      expect(await alike(thumbnail, photo)).toBe(true);
      expect(await alike(await noisy(480, 320).jpeg().toBuffer(), photo)).toBe(false);
      expect(seen?.gathered).toEqual([]);
      expect(seen?.created.filter((label) => label.startsWith('c2pa.thumbnail.ingredient'))).toHaveLength(1);
    });

    test('the drawn label and the original in a picture of an export', async () => {
      const listing = await exportedListing(host);
      const pictureFor = async (market: Market) => {
        const { files } = await readExport(host, listing, market);
        const file = files.find(({ name }) => name.endsWith('-staged.jpg'));
        const { bytes } = file ?? { bytes: Buffer.alloc(0) };
        expect(await readManifest(bytes, 'jpeg', root)).toMatchObject({ state: 'Trusted' });
        return readElsewhere(bytes);
      };
      const [drawn, plain] = [await pictureFor('US-WA-NWMLS'), await pictureFor('AU')];
      const steps = ['c2pa.opened', 'c2pa.edited'];
      expect(drawn?.actions.map(({ action }) => action)).toEqual([...steps, 'c2pa.addedText']);
      expect(plain?.actions.map(({ action }) => action)).toEqual(steps);
      expect(await alike(drawn?.thumbnail ?? photo, listing.room.bytes)).toBe(true);
      expect(drawn?.instanceId).not.toBe(plain?.instanceId);
    });

    test('no picture of an original that the store has lost, but its hash', async () => {
      await enlarge();
      await storage.delete(original.objectKey);
      const seen = await read('?w=1024&format=jpeg');
      expect([seen?.thumbnail, seen?.parent.metadata]).toMatchObject([
        null,
        { 'virtual-staging.sha256': expect.any(String) },
      ]);
    });
  });

  test('under another root it is not trusted', async () => {
    const { bytes } = await ask(host, `/api/images/${staged}?w=64&format=jpeg`);
    const read = await readManifest(bytes, 'jpeg', testSigning().root.pem);
    expect(read?.problems).toEqual(['signingCredential.untrusted']);
  });

  test('the tag is weak, since each signature is different, and is known again', async () => {
    const path = `/api/images/${staged}?w=64&format=jpeg`;
    const { headers } = await ask(host, path);
    expect(headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = await ask(host, path, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag]);
  });

  test('originals and private pictures are not signed', async () => {
    const agent = await host.signedIn();
    const { propertyId } = await host.listing(agent);
    const own = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    const hidden = await storedVariant(host, own, {
      bytes: png,
      format: 'png',
      reviewStatus: 'PENDING_REVIEW',
    });
    const answers = [
      await ask(host, `/api/images/${own.imageId}?w=64&format=jpeg`),
      await ask(host, `/api/images/${hidden}?w=64&format=jpeg`, { as: agent }),
    ];
    for (const { bytes } of answers) expect(await readManifest(bytes, 'jpeg', root)).toBeNull();
    expect(await readXmp(answers[1]?.bytes ?? photo)).toEqual(stagedXmpOf(hidden));
    const rows = await host.rows('select from provenance_manifests where "stagedImageId" = $1', [hidden]);
    expect(rows).toEqual([]);
  });

  test('the metrics show when the certificate expires, and what was signed', async () => {
    await ask(host, `/api/images/${staged}?w=64&format=jpeg`);
    const text = await (await fetch(`${host.opsUrl}/metrics`)).text();
    const expires =
      /proscenium_signing_certificate_expires_timestamp_seconds\{fingerprint="\w{8}".*\} (\d+)/.exec(text);
    expect(Number(expires?.[1]) * 1_000).toBe(signingConfig().validUntil);
    expect(text).toMatch(/proscenium_picture_signatures_total\{outcome="signed".*\} [1-9]/);
    expect(text).toMatch(/proscenium_picture_signatures_total\{outcome="failed".*\} 0/);
  });
});

/** Whether two pictures look the same: those of other noise differ by about twenty steps. */
async function alike(one: Buffer, other: Buffer): Promise<boolean> {
  const small = (bytes: Buffer) =>
    sharp(bytes).resize({ width: 32, height: 32, fit: 'fill' }).greyscale().raw().toBuffer();
  const [first, second] = [await small(one), await small(other)];
  const sum = first.reduce((all, value, at) => all + Math.abs(value - (second[at] ?? 0)), 0);
  return sum / first.length < 8;
}

/**
 * The index of a byte in the compressed pixels. With another bit there the file still has all its parts; in a
 * length or a marker it would be no picture at all, which says nothing about its signature.
 */
function amongPixels(bytes: Buffer, format: string): number {
  // A marker of JPEG has two bytes, which a manifest before it can hold by chance; the last one is the marker.
  const start =
    format === 'jpeg'
      ? bytes.lastIndexOf(Buffer.from([0xff, 0xda]))
      : bytes.indexOf({ png: 'IDAT', webp: 'VP8 ', avif: 'mdat' }[format] ?? '');
  if (start < 0) throw new Error(`no pixels found in this ${format}`);
  // Past the header of the scan. In JPEG the byte 0xff begins a marker, and 0xfe is one bit from it.
  let at = start + 200;
  while (bytes.readUInt8(at) >= 0xfe || bytes.readUInt8(at - 1) >= 0xfe) at += 1;
  return at;
}

/** Another process: with an empty memory. It waits until its copies are stored, and counts what it signs. */
async function another({
  config = signingConfig(),
  sign,
}: {
  config?: SigningConfig;
  sign?: Signer['sign'];
} = {}) {
  const time = createManualTime(Date.now());
  const started = await startSigner(config, { clock: time, onUnstamped: () => {} });
  const signer: Signer = sign === undefined ? started : { ...started, canSign: true, sign };
  const outcomes: string[] = [];
  const chance = { id: randomUUID, jitter: () => 0 };
  const logger = { warn() {} } as unknown as RenditionPorts['logger'];
  const common = { pool: host.pool, clock: time };
  const count = (outcome: string) => void outcomes.push(outcome);
  const thumbnailOf = createOriginalThumbnails(decoder, storage);
  const publicBaseUrl = 'https://api.example.com';
  const marks = createMarks({
    ...common,
    publicBaseUrl,
    signer,
    count,
    thumbnailOf,
    providedBy: createProviderPictures(storage),
  });
  const pictures = createShownPictures({ ...common, storage, decoder, chance, logger, marks });
  const get = async (query = 'w=256') => {
    const image = await findVisibleImage(host.pool, { imageId: staged, agentId: null });
    if (image === null) throw new Error('the picture is not public');
    const wish = wishOf(image, readRenditionRequest(new URLSearchParams(query)), 'image/webp');
    if (wish === null) throw new Error('a staged picture is never answered as it is stored');
    const signal = new AbortController().signal;
    const shown = await pictures.show(image, wish, { client: '192.0.2.1', signal });
    await pictures.settled();
    return shown;
  };
  return { get, outcomes, time, signer };
}

describe('the parts', () => {
  test('a copy is signed once: then it comes from memory, and in other processes from the store', async () => {
    const one = await another();
    const first = await one.get();
    expect((await one.get()).bytes).toBe(first.bytes);
    const two = await another();
    expect((await two.get()).bytes.equals(first.bytes)).toBe(true);
    expect([one.outcomes, two.outcomes]).toEqual([['signed'], []]);
    expect(await readManifest(first.bytes, 'webp', root)).toMatchObject({ state: 'Trusted' });
    await Promise.all([one.signer.close(), two.signer.close()]);
  });

  test('a copy that lost its object is made and signed again, with the same manifest id and no other row', async () => {
    const one = await another();
    const first = await readManifest((await one.get()).bytes, 'webp', root);
    const before = await manifestRows();
    const [row] = await host.rows<{ objectKey: string }>(
      'select "objectKey" from image_renditions where "imageId" = $1',
      [staged],
    );
    await storage.delete(row?.objectKey ?? '');
    const two = await another();
    const again = await readManifest((await two.get()).bytes, 'webp', root);
    expect(again).toMatchObject({ state: 'Trusted', id: first?.id });
    expect([two.outcomes, await manifestRows()]).toEqual([['signed'], before]);
    expect(before).toHaveLength(1);
    await Promise.all([one.signer.close(), two.signer.close()]);
  });

  test('with a new certificate, copies are made again under other names', async () => {
    const next = testSigning({ curve: 'secp384r1' });
    const [one, two] = [await another(), await another({ config: signingConfig(next.settings) })];
    const [old, renewed] = [await one.get(), await two.get()];
    expect(renewed.plan.variant).not.toBe(old.plan.variant);
    const read = await readManifest(renewed.bytes, 'webp', next.root.pem);
    expect(read).toMatchObject({ state: 'Trusted', manifest: { signature_info: { alg: 'Es384' } } });
    expect(await manifestRows()).toHaveLength(2);
    await Promise.all([one.signer.close(), two.signer.close()]);
  });

  test('when the certificate has expired, copies carry XMP only', async () => {
    const config = signingConfig();
    const process = await another({ config });
    process.time.advance(config.validUntil - process.time.now() - 1);
    expect((await process.get()).plan.mark?.isSigned).toBe(true);
    process.time.advance(1);
    const { plan, bytes } = await process.get();
    expect(plan.variant).toMatch(/-x[0-9a-f]{8}\.webp$/);
    expect(await readManifest(bytes, 'webp', root)).toBeNull();
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
    await process.signer.close();
  });

  test('a picture of an old release, the checksum of whose original is not known yet, has XMP only', async () => {
    // As older releases left it: today the database keeps the checksum of a public picture's original.
    await host.rows(`begin; set local session_replication_role = replica;
      update property_images set "outputChecksum" = null where id = '${original.imageId}'; commit`);
    const process = await another();
    const { plan, bytes } = await process.get();
    expect([plan.mark?.isSigned, process.outcomes]).toEqual([false, ['no_checksum']]);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
    await process.signer.close();
  });

  test('after a failure a picture has XMP only, for a minute; then it is signed by a new thread', async () => {
    const process = await another();
    await expect(
      process.signer.sign({ ...FACTS, format: 'jpeg' }, Buffer.from('no picture')),
    ).rejects.toMatchObject({ name: 'NotSigned', cause: expect.any(Error) });
    expect((await process.get()).plan.mark?.isSigned).toBe(false);
    process.time.advance(60_000);
    const { bytes } = await process.get();
    expect(await readManifest(bytes, 'webp', root)).toMatchObject({ state: 'Trusted' });
    await process.signer.close();
  });

  test('a picture whose signature fails is answered with XMP only, and counted', async () => {
    const process = await another({ sign: () => Promise.reject(new NotSigned('out of order')) });
    const { plan, bytes } = await process.get();
    expect([plan.mark?.isSigned, process.outcomes]).toEqual([false, ['failed']]);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
    await process.signer.close();
  });

  test('a manifest has its row before it is signed, and keeps it when the copy is signed later', async () => {
    const process = await another({
      sign: async (facts) => {
        expect((await manifestRows()).map(({ manifestId }) => manifestId)).toEqual([facts.manifestId]);
        throw new NotSigned('out of order');
      },
    });
    await process.get();
    const before = await manifestRows();
    await process.signer.close();
    const next = await another();
    await next.get();
    expect([before.length, next.outcomes, await manifestRows()]).toEqual([1, ['signed'], before]);
    await next.signer.close();
  });
});

describe('the rows', () => {
  const fill = (count: number) =>
    host.rows(
      `insert into provenance_manifests ("stagedImageId", variant, "manifestId", "signedAt")
       select $1, 'v' || n, 'urn:c2pa:' || gen_random_uuid(), now() from generate_series(1, $2::int) n`,
      [staged, count],
    );

  test('are as many as there is room for; beyond, copies carry XMP only', async () => {
    const process = await another();
    await fill(MAX_MANIFESTS - 1);
    expect((await process.get('w=256')).plan.mark?.isSigned).toBe(true);
    const { plan, bytes } = await process.get('');
    expect([plan.format, plan.mark?.isSigned]).toEqual(['png', false]);
    expect(await readXmp(bytes)).toEqual(stagedXmpOf(staged));
    // A recorded one may be made again.
    expect((await (await another()).get('w=256')).plan.mark?.isSigned).toBe(true);
    expect(process.outcomes).toEqual(['signed', 'no_room']);
    expect(await manifestRows()).toHaveLength(MAX_MANIFESTS);
    await process.signer.close();
  });

  test('stay within the bound when many are recorded at once', async () => {
    await fill(MAX_MANIFESTS - 3);
    const row = (n: number) => ({ stagedImageId: staged, variant: `w${n}`, at: 0 });
    const recorded = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        recordManifest(host.pool, { ...row(n), manifestId: `urn:c2pa:${randomUUID()}` }),
      ),
    );
    expect(recorded.filter(Boolean)).toHaveLength(3);
    expect(await manifestRows()).toHaveLength(MAX_MANIFESTS);
  });

  test('are never changed or deleted, also when the picture is gone', async () => {
    await ask(host, `/api/images/${staged}?w=64&format=jpeg`);
    const before = await manifestRows();
    expect(before).toHaveLength(1);
    for (const change of [
      `update provenance_manifests set variant = '' where "stagedImageId" = $1`,
      'delete from provenance_manifests where "stagedImageId" = $1',
    ])
      await expect(host.rows(change, [staged])).rejects.toThrow('is recorded for ever');
    await host.rows('delete from properties where id = $1', [original.propertyId]);
    expect(await manifestRows()).toEqual(before);
  });
});
