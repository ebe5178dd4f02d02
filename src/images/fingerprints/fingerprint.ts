import { boxMean, mapped, type Raster } from '../drift/raster.ts';
import { type Chunks, regionHashes } from './hashes.ts';
import { BLOCK, likenessAt, toned } from './likeness.ts';
import { type Affine, agreement, aligned, laidOver } from './overlay.ts';
import { type SmallPicture, smallPicture } from './small-picture.ts';

/**
 * What a staged picture leaves: it and its photo, small and lying over each other, and where the two differ. Only
 * there an upload can show whether it is the staged picture or the photo (docs/contract.md#intake).
 */
export interface Fingerprint {
  hashes: readonly Chunks[];
  staged: SmallPicture;
  /** Made when it is first asked for: pictures of another room need none. */
  differing(): Differing;
}

interface Differing {
  /** In the staged picture's frame. */
  photo: SmallPicture;
  /** 1 for each pixel that differs. */
  changed: Uint8Array;
  blocks: readonly ChangedBlock[];
}

/** A block in which the two differ in structure, or clearly in color. */
interface ChangedBlock {
  readonly x: number;
  readonly y: number;
  /** Pixels of it that differ. */
  readonly weight: number;
}

/** Shares of the sides that the photo does not reach, rounded up to a pixel: left, top, right, bottom. */
export type Margins = readonly [number, number, number, number];

/** What is stored: staged picture above photo, and in how many pixels at each side there is no photo. */
export interface PackedPictures extends Raster {
  readonly margins: Margins;
}

/** Mean difference of a pixel's channels. */
const CHANGED = 14;
const CHANGED_RADIUS = 2;
/** Of a block's pixels. */
const LEAST_CHANGED = 0.3;
/** What only tone or a small move has changed is liker than this, or nearer. */
const SAME_STRUCTURE = 0.8;
const OTHER_COLOR = 900;

/**
 * Lays the photo over its staged picture.
 * @param isFramed the staged picture was cut to the photo's frame, so the two lie over each other (docs/contract.md#framing);
 *   otherwise the provider may have cropped or padded the photo, and both are tried
 */
export function packed(photo: SmallPicture, staged: SmallPicture, isFramed: boolean): PackedPictures {
  const { width, height } = staged;
  const starts: Affine[] = isFramed ? [[0, 1, 0, 0, 0, 1]] : startsOf(photo, staged);
  const maps = starts.map((start) => aligned(photo, staged, start) ?? start);
  const [map] = maps.toSorted((a, b) => agreement(photo, staged, b) - agreement(photo, staged, a));
  const laid = laidOver(photo, map!, staged);
  const isOutside = (x: number, y: number) => Number.isNaN(laid[(y * width + x) * 3]!);
  const margins = marginsOf({ width, height }, isOutside);
  const rgb = new Uint8Array(2 * width * height * 3);
  rgb.set(staged.rgb);
  rgb.set(
    Uint8ClampedArray.from(laid, (value) => (Number.isNaN(value) ? 255 : value)),
    width * height * 3,
  );
  return { width, height: 2 * height, rgb, margins };
}

/** The photo covers the staged picture's frame, or lies in it whole. */
function startsOf(photo: SmallPicture, staged: SmallPicture): Affine[] {
  const ratio = photo.width / photo.height / (staged.width / staged.height);
  const [across, down] = ratio > 1 ? [1 / ratio, 1] : [1, ratio];
  return [
    [0, across, 0, 0, 0, down],
    [0, 1 / down, 0, 0, 0, 1 / across],
  ];
}

function marginsOf(
  { width, height }: { width: number; height: number },
  isOutside: (x: number, y: number) => boolean,
): Margins {
  const column = (x: number) => Array.from({ length: height }, (_, y) => isOutside(x, y)).every(Boolean);
  const row = (y: number) => Array.from({ length: width }, (_, x) => isOutside(x, y)).every(Boolean);
  const run = (most: number, isEmpty: (at: number) => boolean) => {
    let length = 0;
    while (length < most && isEmpty(length)) length += 1;
    return length;
  };
  return [
    run(width, column),
    run(height, row),
    run(width, (at) => column(width - 1 - at)),
    run(height, (at) => row(height - 1 - at)),
  ];
}

/** The fingerprint of stored pictures; everything but the pictures is computed again. */
export function fingerprintOf({ width, height: both, rgb, margins }: PackedPictures): Fingerprint {
  const size = { width, height: both / 2 };
  const pixels = 3 * size.width * size.height;
  const staged = smallPicture({ ...size, rgb: rgb.subarray(0, pixels) });
  let differing: Differing | null = null;
  return {
    hashes: regionHashes(staged.gray),
    staged,
    differing: () =>
      (differing ??= differingOf(staged, smallPicture({ ...size, rgb: rgb.subarray(pixels) }), margins)),
  };
}

function differingOf(staged: SmallPicture, photo: SmallPicture, margins: Margins): Differing {
  const { width, height } = staged;
  const size = { width, height };
  const [left, top, right, bottom] = margins;
  // One more pixel: the encoder mixes neighbors.
  const isInside = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x > left && y > top && x < width - right - 1 && y < height - bottom - 1 ? 1 : 0;
  });
  const inTone = toned(photo.rgb, staged.rgb, isInside);
  const difference = mapped(size, (at) => {
    if (isInside[at] === 0) return 0;
    let sum = 0;
    for (let channel = 0; channel < 3; channel++)
      sum += Math.abs(inTone[3 * at + channel]! - staged.rgb[3 * at + channel]!);
    return sum / 3;
  });
  const changed = Uint8Array.from(boxMean(difference, CHANGED_RADIUS).values, (mean) =>
    mean > CHANGED ? 1 : 0,
  );
  const blocks: ChangedBlock[] = [];
  for (let y = 0; y + BLOCK <= height; y += BLOCK / 2) {
    for (let x = 0; x + BLOCK <= width; x += BLOCK / 2) {
      const weight = weightOf(x, y);
      if (weight <= LEAST_CHANGED * BLOCK * BLOCK) continue;
      const like = likenessAt(inTone, staged.rgb, size, { x, y });
      if (like && (like.structure < SAME_STRUCTURE || like.difference > OTHER_COLOR))
        blocks.push({ x, y, weight });
    }
  }
  return { photo, changed, blocks };

  /** Pixels of the block that differ; 0 when the photo does not reach all of it. */
  function weightOf(x: number, y: number): number {
    let weight = 0;
    for (let v = y; v < y + BLOCK; v++) {
      for (let u = x; u < x + BLOCK; u++) {
        if (isInside[v * width + u] === 0) return 0;
        weight += changed[v * width + u]!;
      }
    }
    return weight;
  }
}

/** Of the changed pixels, from which a picture counts as emptied. */
const MOSTLY = 0.5;
/** Of the photo's spread: what a picture without furniture keeps. */
const PLAINER = 0.4;
const GRAIN = 40;

/**
 * Whether the picture shows less than its photo where the two differ: things were taken away. Such a picture predicts
 * what a true photo of the empty room shows, so pixels cannot tell the two apart.
 */
export function isEmptied({ staged, differing }: Fingerprint): boolean {
  const { photo, blocks } = differing();
  let [all, emptied] = [0, 0];
  for (const block of blocks) {
    all += block.weight;
    if (spreadIn(staged, block) < PLAINER * spreadIn(photo, block) - GRAIN) emptied += block.weight;
  }
  return emptied > MOSTLY * all;
}

function spreadIn({ width, gray }: SmallPicture, { x, y }: ChangedBlock): number {
  let [sum, squares] = [0, 0];
  for (let v = y; v < y + BLOCK; v++) {
    for (let u = x; u < x + BLOCK; u++) {
      const value = gray.values[v * width + u]!;
      sum += value;
      squares += value * value;
    }
  }
  const count = BLOCK * BLOCK;
  return squares / count - (sum / count) ** 2;
}
