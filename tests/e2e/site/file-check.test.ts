import { X509Certificate } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issue, keyPem, testSigning } from '../../../ops/dev/signing-certificates.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { recordManifest } from '../../../persistence/images/provenance-manifests.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { type ApiHost, startApiHost } from '../../support/http/api-host.ts';
import {
  boxOf,
  forgedXmp,
  iptcSegment,
  manifestSegments,
  pngOf,
  signedBy,
  withSegments,
} from '../../support/pictures/forged-files.ts';
import { ask, storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite, type SiteWorld } from './site-world.ts';

/** What the check of a file says, in Chromium, of files that were made to deceive it (docs/contract.md#provenance). */
const DAY_MS = 86_400_000;
const days = (count: number) => new Date(Date.now() + count * DAY_MS);
const utc = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;
const { root, leaf } = testSigning();
/** Others of the same root: one that this site signed with before, and one that someone else has. */
const before = issue({ name: 'Leaf of before', issuer: root });
const sibling = issue({ name: 'Leaf', issuer: root });
/** Its time is over, and so is that of what it signed with verifiers that know no better. */
const expired = issue({ name: 'Old leaf', issuer: root, notBefore: days(-90), notAfter: days(-30) });
const leaked = issue({ name: 'Leaked leaf', issuer: root });
/** Another root, with the same names. */
const foreign = testSigning().leaf;

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;
const chain = (one: { pem: string }) => one.pem + root.pem;
const retired = [
  `${fingerprintOf(before.pem)}/superseded/${utc(days(1))}`,
  `${fingerprintOf(expired.pem)}/superseded/${utc(days(-30))}`,
  `${fingerprintOf(leaked.pem)}/compromised/${utc(days(-3))}`,
].join(',');

const MANIFESTS = {
  expired: 'urn:c2pa:00000000-0000-4000-8000-000000000001',
  late: 'urn:c2pa:00000000-0000-4000-8000-000000000002',
  leaked: 'urn:c2pa:00000000-0000-4000-8000-000000000003',
};

/** The words of each finding: its badge, then its sentence. */
const WORDS = {
  en: {
    ours: /Matches\s+Signed by us \(.*eaf, .*\) and unchanged since\. It is a copy of this picture/,
    other: /Caution\s+Signed by us .* but it is not a copy of this picture/,
    claimed: /Not reliable\s+Signed by Leaf, .*\. That is not us\. The file claims to be a copy/,
    foreign: /Caution\s+Signed by Leaf, .* and unchanged since\. That is not us/,
    later: /Caution\s+Signed by Leaf, .*\. That is not us\. The file claims to be an edited copy/,
    outOfTime: /Caution\s+.*certificate was not ours at that time/,
    leaked: /Not reliable\s+.*whose key was leaked/,
    changed: /Not reliable\s+This file was signed and then changed/,
    broken: /Caution\s+This file has a signed mark that can’t be read/,
    several: /Not reliable\s+This file has more than one set of signed marks/,
    signedParts: /The signed mark in this file says: AI made parts of it/,
    signedAll: /The signed mark in this file says: AI made all of it/,
    signedCamera: /The signed mark in this file says: taken with a camera/,
    textParts: /The text in this file says: AI made parts of it/,
    textCamera: /The text in this file says: taken with a camera/,
    textProgram: /The text in this file says: made by a program/,
    here: /The text in this file names this page, but our signature is missing/,
    elsewhere: /The text in this file names a different page/,
    none: /Uncertain\s+No mark was found\. The picture may still be altered/,
    staged: /Caution\s+It looks like the staged picture \((?:9\d|100)% alike\)/,
    cropped: /Caution\s+It looks like the staged picture, cropped \(\d\d% alike, about [3-6]\d% of/,
    photo: /Uncertain\s+It looks like the photo, without the staging \(/,
    neither: /Uncertain\s+It looks like neither the photo nor the staged picture/,
    notCompared: /Uncertain\s+The pixels were not compared/,
    notPhoto: /It does not look like the photo\. The staged picture is not public/,
  },
  es: {
    ours: /Coincide\s+Firmada por nosotros \(.*eaf, .*\) y sin cambios desde entonces\. Es una copia de esta/,
    other: /Firmada por nosotros .* pero no es una copia de esta imagen/,
    claimed: /No fiable\s+Firmada por Leaf, .*\. No somos nosotros\. El archivo afirma ser una copia de/,
    foreign: /Firmada por Leaf, .* y sin cambios desde entonces\. No somos nosotros/,
    later: /Firmada por Leaf, .*\. No somos nosotros\. El archivo afirma ser una copia editada/,
    outOfTime: /su certificado no era nuestro en ese momento/,
    leaked: /No fiable\s+.*cuya clave se filtró/,
    changed: /No fiable\s+Este archivo se firmó y después se modificó/,
    broken: /Este archivo tiene una marca firmada que no se puede leer/,
    several: /No fiable\s+Este archivo tiene más de un conjunto de marcas firmadas/,
    signedParts: /La marca firmada de este archivo dice: una IA hizo partes de ella/,
    signedAll: /La marca firmada de este archivo dice: una IA la hizo por completo/,
    signedCamera: /La marca firmada de este archivo dice: se tomó con una cámara/,
    textParts: /El texto de este archivo dice: una IA hizo partes de ella/,
    textCamera: /El texto de este archivo dice: se tomó con una cámara/,
    textProgram: /El texto de este archivo dice: la hizo un programa/,
    here: /El texto de este archivo nombra esta página, pero nuestra firma falta/,
    elsewhere: /El texto de este archivo nombra otra página/,
    none: /No se encontró ninguna marca/,
    staged: /Se parece a la imagen amueblada \(parecido: (?:9\d|100) %\)/,
    cropped: /Se parece a la imagen amueblada, recortada \(parecido: \d\d %; aproximadamente el [3-6]\d %/,
    photo: /Se parece a la foto, sin el amueblado \(/,
    neither: /No se parece ni a la foto ni a la imagen amueblada/,
    notCompared: /No se compararon los píxeles/,
    notPhoto: /No se parece a la foto\. La imagen amueblada no es pública/,
  },
} as const;
type Word = keyof (typeof WORDS)['en'];

describeSite(
  'the check of a file',
  (site) => {
    /** A process that is still on the certificate of before, on the same database and pictures. */
    let older: ApiHost;
    beforeAll(async () => {
      const { databaseUrl, s3, publicBaseUrl } = site().host.config;
      older = await startApiHost({
        database: { url: databaseUrl, drop: async () => {} },
        settings: {
          PUBLIC_BASE_URL: publicBaseUrl,
          S3_BUCKET: s3.bucket,
          S3_ENDPOINT: s3.endpoint,
          S3_ACCESS_KEY_ID: s3.accessKeyId,
          S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
          C2PA_SIGNING_KEY: keyPem(before),
          C2PA_CERTIFICATE_CHAIN: chain(before),
          C2PA_RETIRED_CERTIFICATES: `${fingerprintOf(leaf.pem)}/superseded/${utc(days(365))}`,
        },
      });
      const { pool } = site().host;
      for (const [manifestId, at] of [
        [MANIFESTS.expired, days(-60)],
        [MANIFESTS.late, days(-20)],
        [MANIFESTS.leaked, days(-10)],
      ] as const)
        await recordManifest(pool, {
          stagedImageId: site().home.staged,
          variant: manifestId,
          manifestId,
          at: at.getTime(),
        });
    });
    afterAll(async () => {
      await older?.stop();
    });

    const copyOf = async (query: string, imageId = site().home.staged, url = site().url) =>
      (await ask({ url }, `/api/images/${imageId}?${query}`)).bytes;
    const jpeg = (bytes: Buffer) => sharp(bytes).jpeg({ quality: 90 }).toBuffer();

    const open = async (locale: 'en' | 'es' = 'en', path = `/provenance/${site().home.staged}`) => {
      const window = await site().open({ width: 390 });
      await window.go((locale === 'es' ? '/es' : '') + path);
      return window;
    };
    const findings = async (page: Page, buffer: Buffer, name: string): Promise<string[]> => {
      const file = { name, mimeType: 'image/jpeg', buffer };
      await page.locator('input[type=file]').setInputFiles(file);
      const status = page.locator('main [role=status]');
      await status.getByText(name).waitFor({ timeout: 40_000 });
      return status.locator('.provenance-finding').allInnerTexts();
    };

    /** Every file with the words for it. */
    async function forgeries({ home, host }: SiteWorld): Promise<[string, Buffer, Word[]][]> {
      const ours = await copyOf('w=768&format=jpeg');
      const avif = await copyOf('w=768&format=avif');
      const plain = await jpeg(ours);
      const other = await drawSampleRoom('KITCHEN', { width: 800, height: 600, seed: 9 });
      const otherJpeg = await jpeg(other);
      const stagedImageId = home.staged;
      const [copy] = await host.rows<{ manifestId: string }>(
        'select "manifestId" from provenance_manifests where "stagedImageId" = $1 and variant like $2',
        [stagedImageId, '%768%jpeg%'],
      );
      const manifestId = copy?.manifestId ?? '';
      expect(manifestId).toMatch(/^urn:c2pa:/);
      const claiming = { format: 'jpeg', manifestId, stagedImageId } as const;
      const flipped = Buffer.from(ours);
      flipped.writeUInt8(flipped.readUInt8(flipped.length - 400) ^ 1, flipped.length - 400);
      const cropped = sharp(plain).extract({ left: 240, top: 180, width: 500, height: 380 });
      const otherStaged = await otherPicture(host, home.propertyId, await jpeg(other));
      const bySibling = await signedBy(otherJpeg, { ...claiming, by: sibling });
      const address = `${site().url}/provenance/${stagedImageId}`;
      const damaged = Buffer.from(ours);
      damaged.fill(0xff, damaged.indexOf('c2pa.claim') - 60, damaged.indexOf('c2pa.claim') - 30);
      const framed = sharp(plain).extend({ top: 90, bottom: 60, left: 60, right: 60, background: '#e5e5e5' });
      const old = (by: typeof expired, id: string) =>
        signedBy(plain, {
          ...claiming,
          by,
          manifestId: id,
          sourceType: 'compositeWithTrainedAlgorithmicMedia',
        });
      return [
        ['ours.jpg', ours, ['ours', 'signedParts', 'staged']],
        ['ours.webp', await copyOf('w=768&format=webp'), ['ours', 'signedParts', 'staged']],
        ['ours.avif', avif, ['ours', 'signedParts', 'staged']],
        ['stripped.jpg', plain, ['none', 'staged']],
        ['cropped.jpg', await cropped.jpeg().toBuffer(), ['none', 'cropped']],
        ['screenshot.png', await framed.png().toBuffer(), ['none', 'staged']],
        ['the-photo.jpg', await jpeg(await copyOf('w=768', home.photos[0])), ['none', 'photo']],
        ['flipped.jpg', flipped, ['changed', 'textParts', 'here', 'staged']],
        ['trailing.jpg', Buffer.concat([ours, Buffer.from('x')]), ['changed', 'textParts', 'here', 'staged']],
        [
          'trailing.avif',
          Buffer.concat([avif, boxOf('free', Buffer.alloc(4_000, 7))]),
          ['changed', 'textParts', 'here', 'staged'],
        ],
        [
          'other-leaf-same-root.jpg',
          await signedBy(plain, { ...claiming, by: sibling }),
          ['claimed', 'signedCamera', 'staged'],
        ],
        ['other-leaf-other-pixels.jpg', bySibling, ['claimed', 'signedCamera', 'neither']],
        [
          'foreign-with-our-names.jpg',
          await signedBy(plain, { ...claiming, by: foreign }),
          ['claimed', 'signedCamera', 'staged'],
        ],
        [
          'generated.jpg',
          await signedBy(otherJpeg, { by: foreign, format: 'jpeg', sourceType: 'trainedAlgorithmicMedia' }),
          ['foreign', 'signedAll', 'neither'],
        ],
        [
          'made-from-ours.jpg',
          await signedBy(plain, { by: foreign, format: 'jpeg', parent: ours }),
          ['later', 'textParts', 'staged'],
        ],
        ['before-the-rotation.jpg', await old(expired, MANIFESTS.expired), ['ours', 'signedParts', 'staged']],
        ['retired-too-early.jpg', await old(expired, MANIFESTS.late), ['outOfTime', 'signedParts', 'staged']],
        ['leaked-key.jpg', await old(leaked, MANIFESTS.leaked), ['leaked', 'signedParts', 'staged']],
        [
          'another-of-ours.jpg',
          await copyOf('w=256&format=jpeg', otherStaged),
          ['other', 'signedParts', 'elsewhere', 'neither'],
        ],
        [
          'our-manifest-on-other-pixels.jpg',
          withSegments(otherJpeg, manifestSegments(ours)),
          ['changed', 'textParts', 'neither'],
        ],
        [
          'two-manifests.jpg',
          withSegments(bySibling, manifestSegments(ours)),
          ['several', 'textParts', 'textCamera', 'neither'],
        ],
        ['damaged.jpg', damaged, ['broken', 'textParts', 'here', 'staged']],
        [
          'forged-text.jpg',
          await sharp(other)
            .withXmp(forgedXmp(address, 'compositeWithTrainedAlgorithmicMedia'))
            .jpeg()
            .toBuffer(),
          ['textParts', 'here', 'neither'],
        ],
        [
          'says-camera.jpg',
          await sharp(plain).withXmp(forgedXmp(address, 'digitalCapture')).jpeg().toBuffer(),
          ['textCamera', 'here', 'staged'],
        ],
        ['iptc.jpg', withSegments(otherJpeg, iptcSegment('algorithmicMedia')), ['textProgram', 'neither']],
        ['huge.png', pngOf(await sharp(other).png().toBuffer(), 30_000, 30_000), ['none', 'notCompared']],
      ];
    }

    /** An approved picture of another photo, made from that photo. */
    async function otherPicture(host: ApiHost, propertyId: string, bytes: Buffer): Promise<string> {
      const { imageId } = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      return storedVariant(
        host,
        { imageId, propertyId },
        { reviewStatus: 'APPROVED', bytes, format: 'jpeg' },
      );
    }

    test.each(['en', 'es'] as const)('says of every forged file what it is, in %s', async (locale) => {
      const files = await forgeries(site());
      const window = await open(locale);
      const { page } = window;
      const said: Record<string, string[]> = {};
      const wanted: Record<string, unknown[]> = {};
      for (const [name, bytes, words] of files) {
        said[name] = await findings(page, bytes, name);
        wanted[name] = words.map((word) => expect.stringMatching(WORDS[locale][word]));
        expect([name, await axeFindings(page), await overflow(page)]).toEqual([name, [], 0]);
      }
      expect(said).toEqual(wanted);
      await window.close();
    });

    test('knows copies of both processes while a certificate is rotated, whichever answers', async () => {
      const signers = async (url: string) => {
        const input = encodeURIComponent(JSON.stringify({ json: { stagedImageId: site().home.staged } }));
        const { bytes } = await ask({ url }, `/api/trpc/provenance.get?input=${input}`);
        const all = JSON.parse(bytes.toString()).result.data.json.signers as { fingerprint: string }[];
        return all.map(({ fingerprint }) => fingerprint);
      };
      const both = [leaf, before].map(({ pem }) => fingerprintOf(pem).replaceAll(':', '').toLowerCase());
      expect((await signers(site().url)).slice(0, 2)).toEqual(both);
      expect(await signers(older.url)).toEqual(both.toReversed());
      const window = await open();
      const copy = await copyOf('w=512&format=jpeg', site().home.staged, older.url);
      const [first] = await findings(window.page, copy, 'of-the-older-process.jpg');
      expect(first).toMatch(/Signed by us \(Leaf of before/);
      await window.close();
    });

    test('reads the record once more before it says that a copy is not in the list', async () => {
      const window = await open();
      const { page, calls } = window;
      calls.splice(0);
      const reads = () => calls.splice(0).filter((one) => one === 'provenance.get').length;
      const copy = await copyOf('w=1600&format=webp');
      expect(await findings(page, copy, 'new.webp')).toEqual(
        (['ours', 'signedParts', 'staged'] as const).map((word) => expect.stringMatching(WORDS.en[word])),
      );
      expect(reads()).toBe(1);
      await findings(page, copy, 'again.webp');
      expect(reads()).toBe(0);
      const forged = await signedBy(await jpeg(copy), { by: sibling, format: 'jpeg' });
      await page.route('**/api/trpc/provenance.get*', (route) => route.abort());
      const file = { name: 'forged.jpg', mimeType: 'image/jpeg', buffer: forged };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('We couldn’t read this picture’s record again').waitFor();
      window.complaints.splice(0);
      await window.close();
    });

    test('never loads a withdrawn picture: a file is compared with the photo alone', async () => {
      const { propertyId } = site().home;
      const photo = await jpeg(await drawSampleRoom('BEDROOM', { width: 800, height: 600, seed: 4 }));
      const staged = await jpeg(
        await sharp(photo)
          .composite([
            {
              input: await sharp({ create: { width: 300, height: 220, channels: 3, background: '#a33' } })
                .png()
                .toBuffer(),
              left: 250,
              top: 330,
            },
          ])
          .toBuffer(),
      );
      const { imageId } = await storedOriginal(site().host, { propertyId, bytes: photo, format: 'jpeg' });
      const id = await storedVariant(
        site().host,
        { imageId, propertyId },
        { reviewStatus: 'APPROVED', bytes: staged, format: 'jpeg' },
      );
      const shown = await open('en', `/provenance/${id}`);
      const file = await jpeg(staged);
      expect(await findings(shown.page, file, 'shown.jpg')).toContainEqual(
        expect.stringMatching(WORDS.en.staged),
      );
      await site().agent.mutate('ai.withdrawStagedVariant', { imageId: id });
      const window = await open('en', `/provenance/${id}`);
      const asked: string[] = [];
      window.page.on('request', (request) => asked.push(request.url()));
      const said = await findings(window.page, file, 'withdrawn.jpg');
      expect(said).toContainEqual(expect.stringMatching(WORDS.en.notPhoto));
      expect(await findings(window.page, await jpeg(photo), 'photo.jpg')).toContainEqual(
        expect.stringMatching(WORDS.en.photo),
      );
      expect(asked.filter((url) => url.includes(id) && url.includes('/api/images/'))).toEqual([]);
      expect(asked.some((url) => url.includes(`/api/images/${imageId}?w=256`))).toBe(true);
      await shown.close();
      await window.close();
    });

    describe('bounds', () => {
      const noise = async (side: number) => {
        const data = Buffer.alloc(side * side * 3);
        for (let at = 0, value = 1; at < data.length; at += 1) {
          value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
          data[at] = value >> 16;
        }
        return sharp(data, { raw: { width: side, height: side, channels: 3 } })
          .png({ compressionLevel: 0 })
          .toBuffer();
      };

      test('a signed file of nearly 20 MB is checked within them', async () => {
        const window = await open();
        const file = await signedBy(await noise(2_630), { by: foreign, format: 'png' });
        expect(file.length).toBeGreaterThan(19.5 * 1024 * 1024);
        const said = await findings(window.page, file, 'large.png');
        expect(said[0]).toMatch(WORDS.en.foreign);
        expect(said.at(-1)).toMatch(WORDS.en.neither);
        await window.close();
      });
    });
  },
  {
    C2PA_SIGNING_KEY: keyPem(leaf),
    C2PA_CERTIFICATE_CHAIN: chain(leaf),
    C2PA_RETIRED_CERTIFICATES: retired,
  },
);
