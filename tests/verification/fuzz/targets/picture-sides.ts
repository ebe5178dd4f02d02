import fc from 'fast-check';
import { expect } from 'vitest';
import {
  claiming,
  flatPng,
  LYING_FORMATS,
  type Sides,
  soundPicture,
} from '../../../support/pictures/extreme-pictures.ts';
import { defineTarget } from '../target.ts';
import { type PictureReader, type PictureWorld, READERS } from '../worlds/picture-world.ts';

interface FuzzInput {
  readonly reader: PictureReader;
  readonly sides: Sides;
  /** `whole` really has the announced pixels; the others are small pictures whose header announces more. */
  readonly file: 'whole' | (typeof LYING_FORMATS)[number];
}

/** Values around each bound, and the extreme values of headers. */
const EDGES = [1, 2, 20, 21, 512, 819, 820, 3_662, 3_663, 7_745, 7_746, 16_383, 16_384, 16_385];
const FAR = [65_535, 3_000_000, 60_000_000, 0x7fffffff];
const side = fc.oneof(
  { arbitrary: fc.constantFrom(...EDGES), weight: 4 },
  { arbitrary: fc.constantFrom(...FAR), weight: 2 },
  { arbitrary: fc.integer({ min: 1, max: 20_000 }), weight: 2 },
);
/** The cost of making a whole picture: its rows and its packed pixels. */
const MOST_ROWS = 3_000_000;
const MOST_PIXELS = 60_000_000;

/** The rule, written independently of the product. */
function isAllowed({ width, height }: Sides): boolean {
  const ratio = Math.max(width / height, height / width);
  return width <= 16_384 && height <= 16_384 && width * height <= 60e6 && ratio <= 20;
}

/** Sides that no camera makes: rejected by the header in every format, before a decoder is used. */
export const pictureSides = defineTarget<PictureWorld, FuzzInput>({
  name: 'picture-sides',
  about: 'pictures of extreme sides, real and pretended, to every reader of pictures',
  runs: 120,
  mustSee: ['whole accepted', 'whole refused', 'png refused', 'jpeg refused', 'webp refused', 'avif refused'],
  input: () =>
    fc
      .record({
        reader: fc.constantFrom(...READERS),
        sides: fc.record({ width: side, height: side }),
        file: fc.oneof(fc.constant('whole' as const), fc.constantFrom(...LYING_FORMATS)),
      })
      .map((given) => ({ ...given, sides: given.file === 'whole' ? makeable(given.sides) : given.sides })),
  async feed({ reader, sides, file }, world) {
    const bytes = file === 'whole' ? flatPng(sides) : claiming(file, await soundPicture(file), sides);
    const outcome = await world.read(reader, bytes);
    if (file === 'whole' && !isAllowed(sides)) expect(outcome, 'beyond the bounds').toBe('refused');
    return `${file} ${outcome}`;
  },
});

function makeable({ width, height }: Sides): Sides {
  const rows = Math.min(height, MOST_ROWS);
  return { width: Math.max(1, Math.min(width, Math.floor(MOST_PIXELS / rows))), height: rows };
}
