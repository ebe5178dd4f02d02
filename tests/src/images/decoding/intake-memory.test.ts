import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noisy, storedWithOrientation } from '../../../support/pictures/photo-fixtures.ts';
import { ROOM_PHOTOS } from '../../../support/pictures/room-photos.ts';
import { TRICKY_PICTURES } from '../../../support/pictures/tricky-pictures.ts';

const RUN = fileURLToPath(new URL('./intake-memory-run.ts', import.meta.url));
/** The memory of each decoder: half of the configured default. */
const DECODER_MEGABYTES = 512;
/** The memory of the role, which holds files and never pixels. */
const ROLE_MEGABYTES = 200;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intake-memory-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function prepareInChild(files: string[]): Promise<{ peakMegabytes: number; endings: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    RUN,
    String(DECODER_MEGABYTES),
    ...files,
  ]);
  return JSON.parse(stdout);
}

test('two 60-megapixel phone photos at once need less than 512 MB each', async () => {
  const big = join(folder, 'sideways-60mp.jpg');
  await noisy(9_480, 6_320).withMetadata({ orientation: 6 }).jpeg({ quality: 80 }).toFile(big);
  const { peakMegabytes, endings } = await prepareInChild([big, big]);
  expect(endings).toEqual(['jpeg', 'jpeg']);
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
}, 60_000);

test('8-megapixel AVIF photos, two at once, need less than 512 MB each', async () => {
  const heavy = join(folder, '8mp.avif');
  await noisy(3_200, 2_500).avif({ quality: 50, effort: 0 }).toFile(heavy);
  const { peakMegabytes, endings } = await prepareInChild([heavy, heavy, heavy, heavy]);
  expect(endings).toEqual(Array(4).fill('jpeg'));
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
}, 60_000);

test('many small photos and rejections need less than 512 MB', async () => {
  const files = [1, 3, 6].map((orientation) => join(folder, `small-${orientation}.jpg`));
  for (const [at, orientation] of [1, 3, 6].entries()) {
    await writeFile(files[at] ?? '', await storedWithOrientation(orientation, 'jpeg'));
  }
  const { peakMegabytes, endings } = await prepareInChild([...files, ...files, RUN]);
  expect(endings.sort()).toEqual(['PublicError', ...Array(6).fill('jpeg')]);
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
});

test('every tricky picture and room photo needs less than 512 MB', async () => {
  const pictures = [...TRICKY_PICTURES, ...ROOM_PHOTOS];
  const files: string[] = [];
  for (const [index, { draw }] of pictures.entries()) {
    const file = join(folder, `picture-${index}`);
    await writeFile(file, await draw());
    files.push(file);
  }
  const { peakMegabytes, endings } = await prepareInChild(files);
  const rejected = TRICKY_PICTURES.filter(({ outcome }) => 'rejected' in outcome);
  expect(endings).toHaveLength(pictures.length);
  expect(endings.filter((ending) => ending === 'PublicError')).toHaveLength(rejected.length);
  expect(endings).not.toContain('Error');
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
}, 240_000);
