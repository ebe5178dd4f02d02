import { afterEach, describe, expect, test, vi } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { prepareAvatar } from '../../../../src/images/decoding/avatar-picture.ts';
import type { Decoder, DecoderOptions } from '../../../../src/images/decoding/decoder.ts';
import { MAX_HEIC_PIXELS } from '../../../../src/images/decoding/picture-bounds.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import type { LossReason } from '../../../../src/telemetry/metrics.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';
import { CODED_SIZE, codedHeic, heicFile } from '../../../support/pictures/heic-files.ts';
import { BLUE, cornerColours, distance, GREEN, GREY, RED } from '../../../support/pictures/photo-fixtures.ts';
import { plainPhoto } from '../../../support/pictures/prepared-photo.ts';
import { createRandom } from '../../../support/random.ts';

const UPRIGHT = [RED, GREEN, BLUE, GREY];

const endingOf = (work: Promise<{ main: { format: string } }>): Promise<string> =>
  work.then(
    ({ main }) => main.format,
    (error: unknown) => (error instanceof PublicError ? error.code : String(error)),
  );

describe('what is stored of a HEIC', () => {
  test.each([
    ['corners', 640, 512],
    ['corners-10-bit', 640, 512],
    ['corners-p3', 96, 64],
  ] as const)('%s: a JPEG in sRGB with the same colors', async (name, width, height) => {
    const { main, providerInput } = await plainPhoto(codedHeic(name));
    expect([main.format, main.width, main.height]).toEqual(['jpeg', width, height]);
    expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(8);
    expect(await sharp(providerInput.bytes).metadata()).toMatchObject({ width, height, space: 'srgb' });
    const { exif, icc, xmp, space, depth } = await sharp(main.bytes).metadata();
    expect({ exif, icc, xmp, space, depth }).toEqual({ space: 'srgb', depth: 'uchar' });
  });

  test('with transparency: a PNG that has it', async () => {
    const { main } = await plainPhoto(codedHeic('corners-alpha'));
    const { data, info } = await sharp(main.bytes).raw().toBuffer({ resolveWithObject: true });
    expect([main.format, info.channels]).toEqual(['png', 4]);
    expect(Math.abs((data[3] ?? 0) - 128)).toBeLessThan(4);
    expect(distance(await cornerColours(main.bytes), UPRIGHT)).toBeLessThan(8);
  });

  test.each([1, 2, 3] as const)('%i quarter turns are made once, whatever EXIF says', async (turns) => {
    for (const orientation of [undefined, 3, 6, 8]) {
      const { main } = await plainPhoto(heicFile({ turns, orientation }));
      const { width, height } = CODED_SIZE;
      expect([main.width, main.height]).toEqual(turns === 2 ? [width, height] : [height, width]);
      const turned = [...UPRIGHT.slice(turns), ...UPRIGHT.slice(0, turns)];
      expect(distance(await cornerColours(main.bytes), turned)).toBeLessThan(8);
    }
  });

  test('a mirror is made after the turns', async () => {
    const { main } = await plainPhoto(heicFile({ turns: 1, isMirrored: true }));
    expect(distance(await cornerColours(main.bytes), [BLUE, GREEN, RED, GREY])).toBeLessThan(8);
  });

  test('a grid of tiles is one picture, cut to its size', async () => {
    const whole = await plainPhoto(heicFile({ grid: [3, 3] }));
    expect([whole.main.width, whole.main.height]).toEqual([3 * CODED_SIZE.width, 3 * CODED_SIZE.height]);
    // A quarter of three tiles is the last quarter of one.
    expect(distance(await cornerColours(whole.main.bytes), [BLUE, GREY, RED, GREEN])).toBeLessThan(8);
    const claims = { width: 1_500, height: 1_000 };
    const cut = await plainPhoto(heicFile({ grid: [3, 2], claims, turns: 3 }));
    expect([cut.main.width, cut.main.height]).toEqual([1_000, 1_500]);
  });

  test('of several pictures the main one', async () => {
    const { main } = await plainPhoto(heicFile({ turns: 1, hasSecond: true }));
    expect([main.width, main.height]).toEqual([CODED_SIZE.height, CODED_SIZE.width]);
  });

  test('of a person: a square JPEG', async () => {
    const { bytes } = await prepareAvatar(heicFile({ turns: 1 }));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 512 });
    expect(distance(await cornerColours(bytes), [GREEN, BLUE, GREY, RED])).toBeLessThan(8);
  });
});

describe('a HEIC that is refused', () => {
  const sequence = codedHeic('corners');
  sequence.write('hevc', 8, 'latin1');
  const half = codedHeic('corners').subarray(0, 1_400);
  const small = { width: 64, height: 64 };
  test.each([
    ['more than 50 megapixels', heicFile({ grid: [12, 13] }), 'PHOTO_TOO_LARGE'],
    [
      'a header that claims 100 megapixels',
      heicFile({ claims: { width: 10_000, height: 10_000 } }),
      'PHOTO_TOO_LARGE',
    ],
    [
      'a longer side than pictures may have',
      heicFile({ claims: { width: 20_000, height: 1_000 } }),
      'PHOTO_TOO_LARGE',
    ],
    ['more pixels than its header says', heicFile({ claims: small }), 'PHOTO_BROKEN'],
    ['half a file', half, 'PHOTO_BROKEN'],
    ['only the beginning', codedHeic('corners').subarray(0, 28), 'PHOTO_BROKEN'],
    ['a sequence', sequence, 'PHOTO_TYPE_UNSUPPORTED'],
  ])('%s', async (_, file, code) => {
    expect(13 * 12 * CODED_SIZE.width * CODED_SIZE.height).toBeGreaterThan(MAX_HEIC_PIXELS);
    expect(await endingOf(plainPhoto(file))).toBe(code);
  });

  test('its decoder says nothing to the console', async () => {
    const spies = (['log', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    // A size of coding blocks that there is not.
    const file = codedHeic('corners');
    file[file.indexOf('hvcC', 0, 'latin1') + 81] = 0;
    expect(await endingOf(plainPhoto(file))).toBe('PHOTO_BROKEN');
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe('in a decoder', () => {
  let decoder: Decoder;
  const lost: LossReason[] = [];
  const open = (options: Partial<DecoderOptions> = {}) => {
    lost.length = 0;
    decoder = testDecoder({ onLost: (reason) => lost.push(reason), ...options });
  };
  afterEach(() => decoder.close());
  const ending = (file: Buffer) => endingOf(decoder.run('photo', ['photo'], { load: () => file }));
  const large = heicFile({ grid: [12, 12] });

  test('47 megapixels from eight kilobytes need less than 640 MB', async () => {
    expect(large.length).toBeLessThan(12_000);
    open({ memoryMb: 640 });
    expect(await ending(large)).toBe('jpeg');
    expect(lost).toEqual([]);
  }, 60_000);

  test('one that needs more memory than allowed, three times, is too large', async () => {
    open({ memoryMb: 256 });
    expect(await ending(large)).toBe('PHOTO_TOO_LARGE');
    expect(lost).toEqual(['memory', 'memory', 'memory']);
  }, 60_000);

  test('one that takes longer than allowed ends its decoder, three times, and is broken', async () => {
    open({ timeoutMs: 60, isBusy: () => false });
    expect(await ending(large)).toBe('PHOTO_BROKEN');
    expect(lost).toEqual(['time', 'time', 'time']);
  });

  test('random damage costs no decoder', async () => {
    open();
    const random = createRandom(20_261_130);
    const whole = [codedHeic('corners'), codedHeic('corners-p3'), heicFile({ grid: [2, 2] })];
    const damaged = Array.from({ length: 60 }, () => {
      const file = Buffer.from(random.pick(whole));
      for (let left = random.between(1, 12); left > 0; left -= 1)
        file[random.between(0, file.length - 1)] = random.between(0, 255);
      return file;
    });
    const endings = await Promise.all(damaged.map(ending));
    const known = ['jpeg', 'PHOTO_BROKEN', 'PHOTO_TOO_LARGE', 'PHOTO_TYPE_UNSUPPORTED'];
    expect(endings.filter((one) => !known.includes(one))).toEqual([]);
    expect(endings).toEqual(expect.arrayContaining(['jpeg', 'PHOTO_BROKEN']));
    expect(lost).toEqual([]);
  }, 60_000);
});
