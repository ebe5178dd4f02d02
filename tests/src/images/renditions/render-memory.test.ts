import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';

const RUN = fileURLToPath(new URL('./render-memory-run.ts', import.meta.url));
/** The memory of each decoder: half of the configured default. */
const DECODER_MEGABYTES = 512;
/** The memory of the role, which holds files and never pixels: the largest files, two at once and in transit. */
const ROLE_MEGABYTES = 500;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'render-memory-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function renderInChild(files: string[]): Promise<{ peakMegabytes: number; endings: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    RUN,
    String(DECODER_MEGABYTES),
    ...files,
  ]);
  return JSON.parse(stdout);
}

test('60-megapixel pictures of every stored format, all sizes requested at once, need less than 512 MB each', async () => {
  const [photo, drawing] = [join(folder, '60mp.jpg'), join(folder, '60mp.png')];
  await noisy(9_480, 6_320).jpeg({ quality: 80 }).toFile(photo);
  await noisy(9_480, 6_320).png({ compressionLevel: 1 }).toFile(drawing);
  const { peakMegabytes, endings } = await renderInChild([photo, drawing]);
  expect(endings).toEqual(['webp', 'heif', 'webp', 'webp', 'heif', 'webp']);
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
}, 120_000);

test('a page of ordinary photos needs less than 512 MB a picture', async () => {
  const photo = join(folder, '12mp.jpg');
  await noisy(4_032, 3_024).jpeg({ quality: 90 }).toFile(photo);
  const { peakMegabytes, endings } = await renderInChild(Array(6).fill(photo));
  expect(new Set(endings)).toEqual(new Set(['webp', 'heif']));
  expect(peakMegabytes).toBeLessThan(ROLE_MEGABYTES);
}, 120_000);
