import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testSigning } from '../../../../ops/dev/signing-certificates.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import { createObjectStorage } from '../../../../src/storage/object-storage.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import { heicFile } from '../../../support/pictures/heic-files.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import {
  ask,
  drainEverything,
  storedOriginal,
  storedVariant,
} from '../../../support/pictures/stored-pictures.ts';

/** What intake reads of a file before it removes all metadata (docs/contract.md#intake). */
const TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const xmp = (sourceType: string): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
   <rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
   <Iptc4xmpExt:DigitalSourceType>${TYPES}${sourceType}</Iptc4xmpExt:DigitalSourceType>
   </rdf:Description></rdf:RDF></x:xmpmeta>`;

let host: ApiHost;
let agent: Person;
let stranger: Person;
let propertyId: string;
let staged: string;
beforeAll(async () => {
  host = await startApiHost({ settings: testSigning().settings });
  agent = await host.signedIn();
  stranger = await host.signedIn();
});
afterAll(() => host.stop());
beforeEach(async () => {
  propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  const photo = await noisy(480, 320).jpeg().toBuffer();
  const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
  const png = await noisy(480, 320).png().toBuffer();
  staged = await storedVariant(host, original, { bytes: png, format: 'png', reviewStatus: 'APPROVED' });
});

const strangersListing = () => seedProperty(host.pool, { ownerAgentId: stranger.id });
const COPIES = ['?w=256&format=jpeg', '?w=256&format=webp', '?w=256&format=avif', ''];
const copy = async (query = COPIES[0], as?: Person) =>
  (await ask(host, `/api/images/${staged}${query}`, { as })).bytes;
/** The same file with a manifest that no one here has signed, of a camera. */
const asOfCamera = (file: Buffer): Buffer => {
  const said = 'compositeWithTrainedAlgorithmicMedia';
  const text = file
    .toString('latin1')
    .replaceAll(said, 'digitalCapture'.padEnd(said.length, 'x'))
    .replaceAll(/(?<=urn:(?:c2pa|uuid):)[0-9a-f-]{36}/g, randomUUID())
    .replaceAll(/(?<=\/provenance\/)[0-9a-f-]{36}/g, randomUUID());
  return Buffer.from(text, 'latin1');
};

describe('our own staged picture', () => {
  test.each(COPIES)('as %s is refused, and named to agents of its listing only', async (query) => {
    const file = await copy(query);
    const own = await agent.upload(file, { propertyId });
    expect(own).toMatchObject({ status: 422, errorCode: 'STAGED_PICTURE' });
    expect(own.body.error.details).toEqual({ stagedImageId: staged });
    const other = await stranger.upload(file, { propertyId: await strangersListing() });
    expect(other).toMatchObject({ status: 422, errorCode: 'STAGED_PICTURE' });
    expect(other.text).not.toContain(staged);
    const rows = await host.rows('select from property_images where not "isStyled" and "propertyId" = $1', [
      propertyId,
    ]);
    expect(rows).toHaveLength(1);
  });

  test.each(['XMP', 'C2PA'])('is refused as a HEIC with its %s', async (marks) => {
    const avif = await copy('?w=256&format=avif');
    const { xmpAsString } = await sharp(avif).metadata();
    const at = avif.indexOf('uuid', 0, 'latin1') - 4;
    const box = avif.subarray(at, at + avif.readUInt32BE(at));
    const file = heicFile(marks === 'XMP' ? { xmp: xmpAsString } : { trailing: box });
    const answer = await agent.upload(file, { propertyId });
    expect(answer).toMatchObject({ status: 422, errorCode: 'STAGED_PICTURE' });
    expect(answer.body.error.details).toEqual({ stagedImageId: staged });
  });

  test('is known by its manifest alone', async () => {
    const file = await copy();
    const withoutXmp = file.toString('latin1').replaceAll('/provenance/', '/elsewhere_/');
    const without = withoutXmp.replaceAll(`urn:uuid:${staged}`, `urn:uuid:${randomUUID()}`);
    const answer = await agent.upload(Buffer.from(without, 'latin1'), { propertyId });
    expect(answer.body.error.details).toEqual({ stagedImageId: staged });
  });

  test('is refused after its deletion, also when no one has ever approved it', async () => {
    await host.rows('delete from property_images where id = $1', [staged]);
    const pending = await storedVariant(
      host,
      await storedOriginal(host, {
        propertyId,
        bytes: await noisy(480, 320).jpeg().toBuffer(),
        format: 'jpeg',
      }),
      { bytes: await noisy(480, 320).png().toBuffer(), format: 'png', reviewStatus: 'PENDING_REVIEW' },
    );
    const preview = (await ask(host, `/api/images/${pending}?w=256&format=jpeg`, { as: agent })).bytes;
    await host.rows('delete from property_images where id = $1', [pending]);
    expect(await agent.upload(preview, { propertyId })).toMatchObject({ errorCode: 'STAGED_PICTURE' });
  });
});

describe('a file that says how it was made', () => {
  test.each([
    ['compositeWithTrainedAlgorithmicMedia', 'Virtual Staging - Item Addition'],
    ['trainedAlgorithmicMedia', 'Other Media Modification'],
    ['compositeSynthetic', 'Other Media Modification'],
    ['digitalCapture', null],
    ['minorHumanEdits', null],
  ])('%s is taken as %s', async (sourceType, alteration) => {
    const empty = await seedProperty(host.pool, { ownerAgentId: agent.id });
    const files = (['jpeg', 'png', 'webp', 'avif'] as const).map((format) =>
      noisy(480, 320).withXmp(xmp(sourceType)).toFormat(format).toBuffer(),
    );
    for (const file of [...(await Promise.all(files)), heicFile({ xmp: xmp(sourceType) })]) {
      const { status, body } = await agent.upload(file, { propertyId: empty });
      expect(status).toBe(201);
      expect(body).toMatchObject({ alteration, alterationBy: alteration && 'FILE', isStyled: false });
      if (alteration !== null) expect(body.isMain).toBe(false);
    }
  });

  test('is not staged and is no cover', async () => {
    const file = await noisy(1200, 900).withXmp(xmp('trainedAlgorithmicMedia')).jpeg().toBuffer();
    const { imageId } = (await agent.upload(file, { propertyId })).body;
    const submitted = await agent.mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId: imageId, roomType: 'KITCHEN', style: 'MODERN' }],
    });
    expect(submitted.errorCode).toBe('IMAGE_NOT_ORIGINAL');
    const cover = await agent.send('PATCH', `/api/property-images/${imageId}`, {
      body: JSON.stringify({ isMain: true }),
    });
    expect(cover.errorCode).toBe('STAGED_CANNOT_BE_MAIN');
  });
});

describe('the credentials of a camera', () => {
  // The other parts of a PNG have checksums.
  test.each(COPIES.slice(0, 3))(
    'as %s are kept with the photo, shown, and deleted with it',
    async (query) => {
      const file = asOfCamera(await copy(query));
      const { status, body } = await agent.upload(file, { propertyId });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        alteration: null,
        credentials: { generator: 'Proscenium', signer: expect.stringMatching(/\w/) },
      });
      const [row] = await host.rows<{ objectKey: string }>(
        'select "objectKey" from photo_credentials where "imageId" = $1',
        [body.imageId],
      );
      const storage = createObjectStorage(host.config.s3);
      const kept = await storage.get(row!.objectKey);
      expect(file.includes(kept.bytes.subarray(0, 4_000))).toBe(true);
      expect(kept.bytes.toString('latin1', 4, 8)).toBe('jumb');
      // The photo itself has lost them.
      const shown = (await ask(host, `/api/images/${body.imageId}`, { as: agent })).bytes;
      expect(shown.includes('jumb')).toBe(false);
      await agent.send('DELETE', `/api/property-images/${body.imageId}`);
      await drainEverything(host);
      await expect(storage.get(row!.objectKey)).rejects.toMatchObject({ kind: 'missing' });
      storage.close();
    },
  );

  test('a store that does not fit together says nothing', async () => {
    const file = asOfCamera(await copy());
    const at = file.indexOf('c2pa.claim');
    file.fill(0xff, at - 60, at);
    expect((await agent.upload(file, { propertyId })).body).toMatchObject({ credentials: null });
  });

  test('a photo without any has none', async () => {
    const plain = await sharp(await copy())
      .jpeg()
      .toBuffer();
    expect((await agent.upload(plain, { propertyId })).body).toMatchObject({
      credentials: null,
      alteration: null,
    });
  });
});
