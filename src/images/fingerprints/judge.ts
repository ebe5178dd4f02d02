import type { Fingerprint } from './fingerprint.ts';
import { nearestParts, nearestWindows, type Parts, partsOf, type Window, windowsOf } from './hashes.ts';
import { BLOCK, likenessAt, toned } from './likeness.ts';
import { type Affine, affineOf, aligned, LEAST_OVERLAP, laidOver, roomAgreement } from './overlay.ts';
import type { SmallPicture } from './small-picture.ts';

/** What the comparison of an upload with one staged picture found. */
export interface Judgement {
  /** It shows what the staged picture has and its photo has not. */
  isStaged: boolean;
  /** Likeness to each of the two where they differ, -1 to 1; null for another room and where nothing of it is in sight. */
  likeStaged: number | null;
  likePhoto: number | null;
}

/**
 * Chosen on half of 73 photos with three kinds of staged pictures, and measured on the other half. An upload is the staged
 * picture when most differing blocks are nearer to it and look like it; or, where tone was clipped or words lie over it,
 * when they look clearly more like it.
 */
const SAME_ROOM = 0.45;
const LEAST_BLOCKS = 4;
const NEARER = { share: 0.8, like: 0.8, margin: 0.02 };
const LIKER = { like: 0.7, margin: 0.25, mostPhoto: 0.2 };
/** Of one mean square of differences to the other, to be nearer. */
const CLEARLY = 0.5;
const PLACES = 3;
const GOOD_FIT = 0.8;
/** How far a map may shrink or stretch the template. */
const [LEAST_SCALE, MOST_SCALE] = [0.2, 3];
/** Of the overlap: unchanged pixels that decide the tone. */
const ENOUGH = 0.1;

const ANOTHER_ROOM: Judgement = { isStaged: false, likeStaged: null, likePhoto: null };

/** What every comparison of an upload needs of it. */
export interface Upload {
  picture: SmallPicture;
  windows: readonly Window[];
  parts: Parts;
}

export const uploadOf = (picture: SmallPicture): Upload => ({
  picture,
  windows: windowsOf(picture.gray),
  parts: partsOf(picture.gray),
});

/**
 * Compares an upload with a staged picture and its photo.
 * @param searchParts of the upload's own listing: also as a small part of the other
 */
export function judged(
  { picture: upload, windows, parts }: Upload,
  fingerprint: Fingerprint,
  searchParts: boolean,
): Judgement {
  const places = [
    ...nearestWindows(windows, fingerprint.hashes, PLACES),
    ...(searchParts ? nearestParts(parts, partsOf(fingerprint.staged.gray), PLACES) : []),
  ];
  const starts = places
    .map(({ whole, mirrored }) => affineOf(whole, mirrored))
    .map((start) => ({ start, room: roomAgreement(upload, fingerprint.staged, start) }))
    .toSorted((a, b) => b.room - a.room);
  if (!(starts[0]!.room >= SAME_ROOM)) return ANOTHER_ROOM;
  let best: Overlay | null = null;
  for (const { start } of starts) {
    const laid = overlayOf(upload, fingerprint, start);
    if (laid !== null && laid.fit > (best?.fit ?? -1)) best = laid;
    if (best !== null && best.fit > GOOD_FIT) break;
  }
  return best === null ? ANOTHER_ROOM : decided(best, fingerprint);
}

/** An upload laid over a staged picture or its photo, whichever it fits better. */
interface Overlay {
  pixels: Float32Array;
  /** Pixels that decide the tone. */
  counts: Uint8Array;
  fit: number;
}

function overlayOf(upload: SmallPicture, fingerprint: Fingerprint, start: Affine): Overlay | null {
  const { photo, changed } = fingerprint.differing();
  let best: Overlay | null = null;
  for (const template of [fingerprint.staged, photo]) {
    const map = aligned(upload, template, start);
    if (map === null || !isPlausible(map)) continue;
    const pixels = laidOver(upload, map, template);
    const all = template.width * template.height;
    const reached = Uint8Array.from({ length: all }, (_, at) => (Number.isNaN(pixels[3 * at]!) ? 0 : 1));
    if (sumOf(reached) < LEAST_OVERLAP * all) continue;
    const unchanged = reached.map((isReached, at) => (changed[at] === 0 ? isReached : 0));
    const counts = sumOf(unchanged) > ENOUGH * all ? unchanged : reached;
    const fit = fitOf(toned(pixels, template.rgb, counts), template);
    if (fit > (best?.fit ?? -1)) best = { pixels, counts, fit };
  }
  return best;
}

function isPlausible([, a1, a2, , a4, a5]: Affine): boolean {
  const scales = [Math.hypot(a1, a4), Math.hypot(a2, a5)];
  return scales.every((scale) => scale >= LEAST_SCALE && scale <= MOST_SCALE);
}

const sumOf = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0);

/** Mean likeness of all blocks that the upload reaches. */
function fitOf(pixels: Float32Array, template: SmallPicture): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y + BLOCK <= template.height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= template.width; x += BLOCK) {
      const like = likenessAt(pixels, template.rgb, template, { x, y });
      if (like === null) continue;
      sum += like.structure;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function decided({ pixels, counts }: Overlay, { staged, differing }: Fingerprint): Judgement {
  const { photo, blocks } = differing();
  const asStaged = toned(pixels, staged.rgb, counts);
  const asPhoto = toned(pixels, photo.rgb, counts);
  let [seen, weight, likeStaged, likePhoto, nearStaged, nearPhoto] = [0, 0, 0, 0, 0, 0];
  for (const block of blocks) {
    const toStaged = likenessAt(asStaged, staged.rgb, staged, block);
    const toPhoto = likenessAt(asPhoto, photo.rgb, photo, block);
    if (toStaged === null || toPhoto === null) continue;
    seen += 1;
    weight += block.weight;
    likeStaged += block.weight * toStaged.structure;
    likePhoto += block.weight * toPhoto.structure;
    if (toStaged.difference < CLEARLY * toPhoto.difference) nearStaged += block.weight;
    if (toPhoto.difference < CLEARLY * toStaged.difference) nearPhoto += block.weight;
  }
  if (seen < LEAST_BLOCKS) return ANOTHER_ROOM;
  const like = { staged: likeStaged / weight, photo: likePhoto / weight };
  const more = like.staged - like.photo;
  const isNearer = nearStaged / weight >= NEARER.share && like.staged >= NEARER.like && more >= NEARER.margin;
  const isLiker = like.staged >= LIKER.like && more >= LIKER.margin && nearPhoto / weight < LIKER.mostPhoto;
  return { isStaged: isNearer || isLiker, likeStaged: like.staged, likePhoto: like.photo };
}
