import { beforeAll, describe, expect, test } from 'vitest';
import { MARKETS, type Market } from '../../../machines/disclosure/profile.ts';
import { PROFILES } from '../../../machines/disclosure/profiles.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { looks } from '../../support/pictures/stored-pictures.ts';
import {
  type ExportedListing,
  exportedListing,
  type ReadExport,
  readExport,
  sha256,
} from '../../support/worlds/export-world.ts';

/** `GET /api/disclosure/{propertyId}.zip`: what is in the ZIP of each market. */
let listing: ExportedListing;
const host = useApiHost();
beforeAll(async () => {
  listing = await exportedListing(host);
});

/** The pictures in the expected order: `photo`, `a` and `b` staged of it, `yard`. */
const ORDERS: Readonly<Record<'ANY' | 'ORIGINAL_BESIDE' | 'ALTERED_FIRST', string>> = {
  ANY: 'photo a b yard',
  ORIGINAL_BESIDE: 'photo a photo b yard',
  ALTERED_FIRST: 'photo a photo b photo yard',
};

/** Word for word: a caption is what an agent publishes. */
const STAGED = 'AI · Virtually staged';
const altered = (...more: string[]) => [STAGED, 'Digitally altered', ...more].join('. ');
const [BEFORE, AFTER] = ['before', 'after'].map((where) => `The photo ${where} this one is unaltered`);
const alsoAt = (address: string) => `The unaltered photo can also be seen at ${address}`;
const CAPTIONS: Readonly<Record<Market, (address: string) => string>> = {
  GB: () => STAGED,
  'US-CA': (address) => altered(`The unaltered photo can be seen at ${address}`),
  'US-CA-CRMLS': (address) => altered(`${BEFORE}`, alsoAt(address)),
  'US-CA-CCAR': (address) => altered(`${AFTER}`, alsoAt(address)),
  'US-CT-SMARTMLS': () => STAGED,
  'US-FL-STELLAR': () => STAGED,
  'US-IL-MRED': () => STAGED,
  'US-MD-BRIGHT': () => STAGED,
  'US-NC-CANOPY': () => STAGED,
  'US-NY-REBNY': () => STAGED,
  'US-OH-MLSNOW': () => STAGED,
  'US-TN-REALTRACS': () => `${STAGED}. ${BEFORE}`,
  'US-TX-HAR': () => STAGED,
  'US-WA-NWMLS': () => STAGED,
  'US-WI': () => altered(),
  'CA-BC': () => STAGED,
  'CA-ON': () => STAGED,
  EU: (address) => `${STAGED}. Altered by artificial intelligence. How this picture was made: ${address}`,
  AU: () => STAGED,
  default: (address) => altered(`${BEFORE}`, alsoAt(address)),
};

/**
 * The share of dark pixels near the lower edge, from `left` of the width on: noise has hardly any, the label's box is
 * dark. Only a label with more words reaches the middle.
 */
async function darkCorner(bytes: Buffer, left = 0.05): Promise<number> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const corner = { left: Math.round(width * left), top: height - Math.round(height * 0.07) };
  const data = await sharp(bytes)
    .extract({
      ...corner,
      width: Math.round(width * (left < 0.4 ? 0.2 : 0.1)),
      height: Math.round(height * 0.03),
    })
    .greyscale()
    .raw()
    .toBuffer();
  return data.filter((value) => value < 70).length / data.length;
}

describe.each(MARKETS)('the export for %s', (market: Market) => {
  const profile = PROFILES[market];
  let read: ReadExport;
  beforeAll(async () => {
    read = await readExport(host, listing, market);
  });
  const stored = () =>
    new Map(
      [
        ['photo', listing.room] as const,
        ['a', listing.staged[0]] as const,
        ['b', listing.staged[1]] as const,
        ['yard', listing.yard] as const,
      ].map(([name, fixture]) => [
        fixture?.imageId ?? '',
        { name, bytes: fixture?.bytes ?? Buffer.alloc(0) },
      ]),
    );

  test('has the public pictures in its order, a photo first, and the files around them', () => {
    const known = stored();
    const order = read.captions.map(({ imageId }) => known.get(imageId)?.name).join(' ');
    expect(order).toBe(ORDERS[profile.order]);
    const names: Record<string, string> = {
      photo: 'living-room',
      a: 'living-room-staged',
      b: 'living-room-staged',
      yard: 'front',
    };
    const pictures = order
      .split(' ')
      .map((name, index) => `${String(index + 1).padStart(3, '0')}-${names[name]}.jpg`);
    expect(pictures[0]).toBe('001-living-room.jpg');
    expect(read.captions.map(({ file }) => file)).toEqual(pictures);
    expect(read.files.map(({ name }) => name)).toEqual([
      'README.txt',
      ...pictures,
      'captions.csv',
      'captions.json',
    ]);
    expect(read.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${listing.propertyId}-${market}.zip"`,
      'x-export-files': String(read.files.length),
      'cache-control': 'private, no-store',
    });
  });

  test('tells of each file what it is, with its hashes, its address and the wording of the market', () => {
    for (const row of read.captions) {
      const file = read.files.find(({ name }) => name === row.file);
      const isStaged = row.kind === 'staged';
      const address = `https://api.example.com/provenance/${row.imageId}`;
      expect(row).toEqual({
        file: row.file,
        imageId: row.imageId,
        kind: isStaged ? 'staged' : 'original',
        originalImageId: isStaged ? listing.room.imageId : null,
        roomType: row.imageId === listing.yard.imageId ? null : 'LIVING_ROOM',
        imageOf: row.imageId === listing.yard.imageId ? 'Front of Structure' : 'Living Room',
        caption: isStaged ? CAPTIONS[market](address) : 'Original photo',
        labelInPicture: isStaged && profile.burnedInMark === 'ASKED',
        fileSha256: sha256(file?.bytes ?? Buffer.alloc(0)),
        storedSha256: sha256(stored().get(row.imageId)?.bytes ?? Buffer.alloc(0)),
        provenanceUrl: isStaged ? address : null,
      });
    }
  });

  test('has full size pictures; staged ones are marked, and carry the label only where it is asked', async () => {
    for (const row of read.captions) {
      const { bytes } = read.files.find(({ name }) => name === row.file) ?? { bytes: Buffer.alloc(0) };
      expect(await looks(bytes)).toBe('jpeg 600x400');
      const { xmp } = await sharp(bytes).metadata();
      expect(xmp?.includes('compositeWithTrainedAlgorithmicMedia') ?? false).toBe(row.kind === 'staged');
      const dark = await darkCorner(bytes);
      expect([row.file, dark > 0.5]).toEqual([row.file, row.labelInPicture]);
      const isLong = (await darkCorner(bytes, 0.45)) > 0.3;
      expect([row.file, isLong]).toEqual([row.file, row.labelInPicture && profile.drawnWords !== null]);
    }
  });

  test('has the same captions as a table', () => {
    const csv = read.text('captions.csv');
    expect(csv.startsWith('\uFEFF"file","imageId","kind"')).toBe(true);
    const lines = csv.trimEnd().split('\r\n').slice(1);
    expect(lines).toEqual(
      read.captions.map((row) =>
        Object.values(row)
          .map((value) => `"${value ?? ''}"`)
          .join(','),
      ),
    );
  });

  test('has a README with market, sources, the day they were read, and that it is no legal advice', () => {
    const text = read.text('README.txt');
    expect(text).toContain('not legal advice');
    for (const { source } of profile.requirements) {
      expect(text).toContain(source.page);
      expect(text).toContain(`read on ${source.lastRead}`);
      expect(text).toContain(source.rule);
    }
    expect(text).toMatch(
      /Provenance log, entry 1 of .*: [0-9a-f]{64}\. .*\(https:\/\/api\.example\.com\/provenance\/log\)/,
    );
    expect(text).not.toMatch(/disclosure\.|market\.|\{\{/);
  });
});

test('an altered photo without a photo or a record has no sentence about them', async () => {
  const own = await exportedListing(host);
  await host.rows(
    `update property_images set alteration = 'Twilight Conversion', "alterationBy" = 'AGENT', "isMain" = false where id = $1`,
    [own.yard.imageId],
  );
  const { captions } = await readExport(host, own, 'US-CA-CRMLS');
  const altered = captions.find(({ kind }) => kind === 'altered');
  expect(altered?.file).toMatch(/^\d{3}-front-altered\.jpg$/);
  expect(altered?.caption).toBe('Digitally altered');
});

test('the README says what an agent confirmed, and what no one did', async () => {
  const own = await exportedListing(host);
  const { propertyId, agent } = own;
  const lines = async () => (await readExport(host, own, 'AU')).text('README.txt').split('\n');
  expect(await lines()).toContain('  Up to you');
  const { alteredPictures } = (await agent.query('disclosure.check', { propertyId, market: 'AU' })).data;
  const conditions = ['NOT_MISLEADING'];
  await agent.mutate('disclosure.confirm', { propertyId, market: 'AU', conditions, alteredPictures });
  expect((await lines()).find((line) => line.startsWith('  Confirmed'))).toMatch(/\(\d{4}-\d{2}-\d{2}\)$/);
});

test('without a market it is that of the address; its README is in the language of the agent', async () => {
  const spanish = await exportedListing(host, { columns: { country: 'ES' } });
  await host.rows('update "user" set locale = $2 where id = $1', [spanish.agent.id, 'es']);
  const { headers, text } = await readExport(host, spanish);
  expect(headers['content-disposition']).toContain('-EU.zip');
  expect(text('README.txt')).toContain('Unión Europea');
});

test('the stored objects stay as they are, and no copy is stored', async () => {
  const before = await host.objectKeys();
  const storedHashes = async () =>
    (await readExport(host, listing, 'US-WA-NWMLS')).captions.map(({ storedSha256 }) => storedSha256);
  const hashes = await storedHashes();
  expect(await storedHashes()).toEqual(hashes);
  expect(await host.objectKeys()).toEqual(before);
  expect(await host.rows('select * from image_renditions')).toEqual([]);
});

test('a pending picture is in no export', async () => {
  const own = await exportedListing(host);
  for (const market of MARKETS) {
    const { files } = await readExport(host, own, market);
    expect(files.some(({ bytes }) => bytes.includes(own.pendingId))).toBe(false);
  }
});

test('a listing without pictures gives a ZIP without pictures', async () => {
  const agent = await host.signedIn();
  const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
  const { files, captions } = await readExport(host, { agent, propertyId });
  expect(files.map(({ name }) => name)).toEqual(['README.txt', 'captions.csv', 'captions.json']);
  expect(captions).toEqual([]);
});
