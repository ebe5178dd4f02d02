import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { systemProgram } from '../../../ops/dev/stack/system-program.ts';
import { createObjectStorage } from '../../../src/storage/object-storage.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import { noisy } from '../../support/pictures/photo-fixtures.ts';
import { ask, storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';

/** The marks of staged pictures, as a program reads them that shares nothing with us: exiftool. */
let exiftool: string;
let scratch: string;
beforeAll(() => {
  const packages = { 'apt-get': ['libimage-exiftool-perl'], dnf: ['perl-Image-ExifTool'], apk: ['exiftool'] };
  const wanted = { program: 'exiftool', title: 'ExifTool', packages, probe: ['-ver'] };
  exiftool = systemProgram(wanted, (line) => process.stderr.write(`${line}\n`));
  scratch = mkdtempSync(join(tmpdir(), 'marks-'));
}, 600_000);
afterAll(() => rmSync(scratch, { recursive: true }));

function read(bytes: Buffer): Record<string, string> {
  const file = join(scratch, 'picture');
  writeFileSync(file, bytes);
  const fields = ['-FileType', '-XMP-iptcExt:all', '-XMP-dc:all', '-XMP-xmpRights:all'];
  const [shown] = JSON.parse(
    execFileSync(exiftool, ['-json', '-lang', 'en', '-n', ...fields, file], { encoding: 'utf8' }),
  );
  return shown;
}

const marksOf = (imageId: string, type: string) => ({
  FileType: type,
  DigitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia',
  Description: 'AI · Virtually staged',
  'Description-es': 'IA · Amueblado virtual',
  WebStatement: `https://api.example.com/provenance/${imageId}`,
});

const COPIES = [
  ['?w=256&format=jpeg', 'JPEG'],
  ['?w=256&format=webp', /WEBP$/],
  ['?w=256&format=avif', 'AVIF'],
  ['', 'PNG'],
] as const;

describe.each([
  ['without a key', {}],
  ['with a key', testSigning().settings],
])('%s', (_, settings) => {
  let host: ApiHost;
  let staged: string;
  let originalId: string;
  beforeAll(async () => {
    host = await startApiHost({ settings });
    const propertyId = await seedProperty(host.pool);
    const photo = await noisy(480, 320).jpeg().toBuffer();
    const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
    originalId = original.imageId;
    const png = await noisy(480, 320).png().toBuffer();
    staged = await storedVariant(host, original, { bytes: png, format: 'png', reviewStatus: 'APPROVED' });
  });
  afterAll(() => host.stop());

  test.each(COPIES)(
    '%s has the three fields: made, from memory, and as it is stored',
    async (query, type) => {
      const expected = { ...marksOf(staged, ''), FileType: expect.stringMatching(type) };
      const made = await ask(host, `/api/images/${staged}${query}`);
      const again = await ask(host, `/api/images/${staged}${query}`);
      expect(again.bytes.equals(made.bytes)).toBe(true);
      for (const { bytes } of [made, again]) expect(read(bytes)).toMatchObject(expected);
      const extension = query === '' ? 'png' : query.split('=').at(-1);
      const key = await eventually(
        async () => {
          const rows = await host.rows<{ objectKey: string }>(
            'select "objectKey" from image_renditions where "imageId" = $1 and variant like $2',
            [staged, `%.${extension}`],
          );
          return rows[0]?.objectKey;
        },
        { what: 'the stored copy' },
      );
      const storage = createObjectStorage(host.config.s3);
      const { bytes } = await storage.get(key);
      storage.close();
      expect(bytes.equals(made.bytes)).toBe(true);
    },
  );

  test('an original has none of them', async () => {
    const { bytes } = await ask(host, `/api/images/${originalId}?w=256&format=jpeg`);
    for (const field of ['DigitalSourceType', 'Description', 'WebStatement'])
      expect(read(bytes)).not.toHaveProperty(field);
  });
});
