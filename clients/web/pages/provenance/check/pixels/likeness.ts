/**
 * What the pixels of a file look like: the staged picture, its photo, or neither. The two pictures of a record show the
 * same room, so only the places where they differ decide. It is a comparison of small pictures and no proof.
 */
import { agreement, laidOver, levelsOf, type Placement, placesOf, refined } from './placement.ts';
import { mirrored, type Raster, rasterOf, shrunk } from './raster.ts';

/** The longer side of the compared pictures, in pixels. */
export const SIDE = 128;

type Likeness = 'staged' | 'original' | 'both' | 'neither';

/** What the comparison found. */
export interface Compared {
  readonly like: Likeness;
  /** How alike it is to that picture, from 0 to 100; of `neither`, to the one that it is more like. */
  readonly percent: number;
  /** How much of that picture it shows, from 0 to 100. */
  readonly shown: number;
}

/** `none`: the record's photo is not public; `notRead`: the file, or a picture, could not be decoded. */
type ComparisonProblem = 'none' | 'notRead' | 'notLoaded' | 'gaveUp';
/** What the comparison found, or why there was none. */
export type Comparison = (Compared & { readonly against: 'pair' | 'original' }) | ComparisonProblem;

const BLOCK = 8;
const STRIDE = 4;
/** A block may lie so many pixels off. */
const REACH = 1;
/** Flat patches have no structure; below this spread they are alike. */
const FLAT = 40;

interface Patch {
  readonly alike: number;
  readonly error: number;
}

type Frame = Pick<Raster, 'width' | 'height'>;

/** How alike two patches are over three channels: correlation, and the mean squared difference. Null outside. */
function patchOf(first: Float32Array, second: Float32Array, frame: Frame, [x, y]: Block): Patch | null {
  let [alike, error] = [-1, Number.POSITIVE_INFINITY];
  for (let down = -REACH; down <= REACH; down += 1)
    for (let across = -REACH; across <= REACH; across += 1) {
      const [left, top] = [x + across, y + down];
      if (left < 0 || top < 0 || left + BLOCK > frame.width || top + BLOCK > frame.height) continue;
      const patch = patchAt(first, second, frame, { x, y, left, top });
      if (patch === null) return null;
      alike = Math.max(alike, patch.alike);
      error = Math.min(error, patch.error);
    }
  return { alike, error };
}

function patchAt(
  first: Float32Array,
  second: Float32Array,
  { width }: Frame,
  { x, y, left, top }: { x: number; y: number; left: number; top: number },
): Patch | null {
  const count = BLOCK * BLOCK * 3;
  let [sumA, sumB, squareA, squareB, product, error] = [0, 0, 0, 0, 0, 0];
  for (let row = 0; row < BLOCK; row += 1)
    for (let value = 0; value < BLOCK * 3; value += 1) {
      const a = first[((top + row) * width + left) * 3 + value] ?? Number.NaN;
      const b = second[((y + row) * width + x) * 3 + value] ?? Number.NaN;
      sumA += a;
      sumB += b;
      squareA += a * a;
      squareB += b * b;
      product += a * b;
      error += (a - b) ** 2;
    }
  if (Number.isNaN(error)) return null;
  const spreadA = squareA - (sumA * sumA) / count + FLAT * count;
  const spreadB = squareB - (sumB * sumB) / count + FLAT * count;
  const alike = (product - (sumA * sumB) / count + FLAT * count) / Math.sqrt(spreadA * spreadB);
  return { alike, error: error / count };
}

type Block = readonly [x: number, y: number];

function blocksOf({ width, height }: Frame): Block[] {
  const blocks: Block[] = [];
  for (let y = 0; y + BLOCK <= height; y += STRIDE)
    for (let x = 0; x + BLOCK <= width; x += STRIDE) blocks.push([x, y]);
  return blocks;
}

/** For each channel the line that most pixels agree with: `from` gets the tone of `to`. */
function toned(from: Float32Array, to: Float32Array): Float32Array {
  const result = new Float32Array(from.length);
  for (let channel = 0; channel < 3; channel += 1) {
    let [factor, offset] = [1, 0];
    for (const limit of [120, 60, 35, 25, 20]) {
      let [count, x, y, xx, xy] = [0, 0, 0, 0, 0];
      for (let at = channel; at < from.length; at += 3) {
        const [a = 0, b = 0] = [from[at], to[at]];
        if (!(Math.abs(factor * a + offset - b) < limit) || a > 250 || a < 4) continue;
        count += 1;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
      }
      const spread = count * xx - x * x;
      if (count < 100 || spread < 1) break;
      factor = Math.max(0.4, Math.min(2.5, (count * xy - x * y) / spread));
      offset = (y - factor * x) / count;
    }
    for (let at = channel; at < from.length; at += 3) result[at] = factor * (from[at] ?? 0) + offset;
  }
  return result;
}

/** Less agreement of structure is another room. */
const SAME_ROOM = 0.45;
/** More of it is no chance: the mirror is not tried. */
const SURE = 0.8;
/** The two pictures of the record differ where structure or color clearly does. */
const DIFFERS = { alike: 0.8, error: 900 };
/** Fewer blocks that differ say nothing. */
const LEAST_BLOCKS = 4;
/** What a picture must be like in most blocks in which the two differ, and in nearly all others. */
const CLOSER = 0.6;
const MARGIN = 0.2;
const ALIKE = 0.6;
const MOST_UNLIKE = 0.06;
/** A change of the staged picture's frame by a few pixels is no crop. */
const WHOLE = 0.9;

interface Laid {
  readonly placement: Placement;
  readonly agreement: number;
  readonly file: Raster;
}

/** Places that are tried in full. */
const PLACES = 6;
/** How much finer a file may be than the reference under it, before it is made coarser. */
const FINER = 1.15;

/** The best placement of the file over any of the references. */
function laid(file: Raster, references: readonly Raster[]): Laid | null {
  let best: Laid | null = null;
  const own = levelsOf(file);
  for (const reference of references) {
    const levels = levelsOf(reference);
    for (const start of placesOf(own, levels, PLACES)) {
      const finer = (start[1] * file.width) / reference.width;
      const same = finer > FINER ? shrunk(file, finer) : file;
      const sizes = same === file ? own : levelsOf(same);
      const placement = refined(sizes, levels, start);
      if (placement === null) continue;
      const score = agreement(sizes.fine, levels.fine, placement);
      if (score > (best?.agreement ?? -1)) best = { placement, agreement: score, file: same };
    }
  }
  return best;
}

const isSure = (found: Laid | null): found is Laid => found !== null && found.agreement >= SURE;
const better = (one: Laid | null, other: Laid | null): Laid | null =>
  (other?.agreement ?? -1) > (one?.agreement ?? -1) ? other : one;

/** A picture in the frame of another one: their shapes may differ, when a model crops or fills. */
function inFrameOf(frame: Raster, picture: Raster): Raster {
  const ratio = picture.width / picture.height / (frame.width / frame.height);
  const starts: Placement[] = [
    [0, Math.min(1, 1 / ratio), 0, 0, 0, Math.min(1, ratio)],
    [0, Math.max(1, 1 / ratio), 0, 0, 0, Math.max(1, ratio)],
  ];
  const [own, levels] = [levelsOf(picture), levelsOf(frame)];
  const best = starts
    .map((start) => refined(own, levels, start) ?? start)
    .map((placement) => ({ placement, score: agreement(own.fine, levels.fine, placement) }))
    .reduce((one, other) => (other.score > one.score ? other : one));
  // Where the other picture does not reach, the two do not differ.
  const pixels = laidOver(picture, frame, best.placement).map((value, at) =>
    Number.isNaN(value) ? (frame.colors[at] ?? 0) : value,
  );
  return rasterOf(pixels, { ...frame, values: 3 });
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
const percentOf = (share: number): number => Math.round(100 * Math.max(0, Math.min(1, share)));

const NEITHER: Compared = { like: 'neither', percent: 0, shown: 0 };

/** How a file that lies over a reference is like it, over all blocks. */
function likeTo(over: Float32Array, reference: Raster) {
  const own = toned(over, reference.colors);
  const patches = blocksOf(reference).flatMap((block) => {
    const patch = patchOf(own, reference.colors, reference, block);
    return patch === null ? [] : [patch];
  });
  return {
    own,
    alike: mean(patches.map(({ alike }) => alike)),
    unlike: mean(patches.map(({ alike, error }) => (alike < ALIKE || error > 2 * DIFFERS.error ? 1 : 0))),
  };
}

/**
 * Compares a file with the pictures of a record. Of a withdrawn picture only the photo is given.
 * @param staged null when it is not public
 */
export function compared(file: Raster, pictures: { staged: Raster | null; original: Raster }): Compared {
  const { staged } = pictures;
  const original = staged === null ? pictures.original : inFrameOf(staged, pictures.original);
  const references = staged === null ? [original] : [staged, original];
  const upright = laid(file, references);
  const found = isSure(upright) ? upright : better(upright, laid(mirrored(file), references));
  if (found === null || found.agreement < SAME_ROOM) return NEITHER;
  const frame = staged ?? original;
  const over = laidOver(found.file, frame, found.placement);
  const shown = percentOf(over.filter((value) => !Number.isNaN(value)).length / over.length);
  const asOriginal = likeTo(over, original);
  if (staged === null) {
    const like = asOriginal.unlike <= MOST_UNLIKE ? 'original' : 'neither';
    return { like, percent: percentOf(asOriginal.alike), shown };
  }
  const asStaged = likeTo(over, staged);
  const photo = toned(original.colors, staged.colors);
  const pairs = blocksOf(staged).flatMap((block) => {
    const between = patchOf(photo, staged.colors, staged, block);
    if (between === null || (between.alike >= DIFFERS.alike && between.error <= DIFFERS.error)) return [];
    const toStaged = patchOf(asStaged.own, staged.colors, staged, block);
    const toOriginal = patchOf(asOriginal.own, original.colors, staged, block);
    return toStaged === null || toOriginal === null ? [] : [{ toStaged, toOriginal }];
  });
  const nearer = asStaged.alike >= asOriginal.alike ? asStaged : asOriginal;
  if (pairs.length < LEAST_BLOCKS) {
    const like = nearer.unlike <= MOST_UNLIKE ? 'both' : 'neither';
    return { like, percent: percentOf(nearer.alike), shown };
  }
  const closerTo = (one: 'toStaged' | 'toOriginal', other: 'toStaged' | 'toOriginal') =>
    mean(pairs.map((pair) => (pair[one].error < 0.5 * pair[other].error ? 1 : 0)));
  const more = mean(pairs.map(({ toStaged, toOriginal }) => toStaged.alike - toOriginal.alike));
  const isStaged = closerTo('toStaged', 'toOriginal') >= CLOSER || more >= MARGIN;
  const isOriginal = closerTo('toOriginal', 'toStaged') >= CLOSER || more <= -MARGIN;
  if (isStaged && !isOriginal && asStaged.unlike <= MOST_UNLIKE)
    return { like: 'staged', percent: percentOf(asStaged.alike), shown };
  if (isOriginal && !isStaged && asOriginal.unlike <= MOST_UNLIKE)
    return { like: 'original', percent: percentOf(asOriginal.alike), shown };
  return { like: 'neither', percent: percentOf(nearer.alike), shown };
}

/** Whether so much is in sight that nothing was cut away. */
export const isWhole = ({ shown }: Compared): boolean => shown >= 100 * WHOLE;
