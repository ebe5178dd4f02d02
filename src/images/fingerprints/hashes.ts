/**
 * Hashes of parts of a picture: 64 signs of a cosine transform, in four chunks of 16 bits. They only find candidates:
 * a staged picture and its photo show the same room and have nearly the same hashes.
 */
import type { Plane } from '../drift/raster.ts';

/** Left, top, right, bottom, as shares of the sides. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];
export type Chunks = readonly [number, number, number, number];

/** A window of an upload in which a region of a whole staged picture may lie. */
export interface Window {
  region: number;
  /** Where the whole staged picture would be. */
  whole: Box;
  mirrored: boolean;
  chunks: Chunks;
  /** The two least certain bits of each chunk. */
  weak: readonly (readonly [number, number])[];
}

/** The middle survives a crop of 15 % at every side; its quarters more of one side. */
const REGIONS: readonly Box[] = [
  [0.15, 0.15, 0.85, 0.85],
  [0.15, 0.15, 0.62, 0.62],
  [0.38, 0.15, 0.85, 0.62],
  [0.15, 0.38, 0.62, 0.85],
  [0.38, 0.38, 0.85, 0.85],
];
const MIRRORED_REGION = [0, 2, 1, 4, 3] as const;
/** What may be cut off (negative) or framed (positive) at each side. */
const LATTICE = [-0.2, -0.1, 0, 0.06, 0.12] as const;
const MOST_STRETCH = 1.45;
const ROUNDING = 0.01;

/** Samples a side, and frequencies a side. */
const SAMPLES = 16;
const FREQUENCIES = 10;
const CHUNKS = 4;
const CHUNK_BITS = 16;

interface Frequency {
  readonly across: number;
  readonly down: number;
}

/** The 64 lowest frequencies; each chunk has low and high ones. */
const FREQUENCY_OF_BIT: readonly Frequency[] = (() => {
  const all = Array.from({ length: FREQUENCIES ** 2 }, (_, at) => ({
    across: at % FREQUENCIES,
    down: Math.floor(at / FREQUENCIES),
  }));
  const lowest = all
    .slice(1)
    .sort((a, b) => a.across ** 2 + a.down ** 2 - (b.across ** 2 + b.down ** 2))
    .slice(0, CHUNKS * CHUNK_BITS);
  return lowest.map((_, bit) => lowest[(bit % CHUNK_BITS) * CHUNKS + Math.floor(bit / CHUNK_BITS)]!);
})();
const COSINES = Array.from({ length: FREQUENCIES }, (_, frequency) =>
  Float32Array.from({ length: SAMPLES }, (_, at) =>
    Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * SAMPLES)),
  ),
);
const STEEPNESS = FREQUENCY_OF_BIT.map(({ across, down }) => Math.hypot(across, down));
/** The bits of odd horizontal frequencies change when a picture is mirrored. */
const MIRROR: readonly number[] = Array.from({ length: CHUNKS }, (_, chunk) =>
  FREQUENCY_OF_BIT.slice(chunk * CHUNK_BITS, (chunk + 1) * CHUNK_BITS).reduce(
    (bits, { across }, bit) => bits | (across % 2 === 1 ? 1 << bit : 0),
    0,
  ),
);

/** Sums over all pixels above and to the left: the mean of any box costs four reads. */
interface Sums {
  readonly width: number;
  readonly height: number;
  readonly values: Float64Array;
}

function sumsOf({ width, height, values }: Plane): Sums {
  const across = width + 1;
  const sums = new Float64Array(across * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += values[y * width + x]!;
      sums[(y + 1) * across + x + 1] = sums[y * across + x + 1]! + row;
    }
  }
  return { width, height, values: sums };
}

/** The sum up to a point between pixels; outside the picture, up to its border. */
function sumAt({ width, height, values }: Sums, x: number, y: number): number {
  const [px, py] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
  const [left, top] = [Math.min(width - 1, Math.floor(px)), Math.min(height - 1, Math.floor(py))];
  const [fx, fy] = [px - left, py - top];
  const at = top * (width + 1) + left;
  const below = at + width + 1;
  return (
    (values[at]! * (1 - fx) + values[at + 1]! * fx) * (1 - fy) +
    (values[below]! * (1 - fx) + values[below + 1]! * fx) * fy
  );
}

/** The means of 16 x 16 cells of a box. */
function cellsOf(sums: Sums, [left, top, right, bottom]: Box): Float32Array {
  const [x0, y0] = [left * sums.width, top * sums.height];
  const dx = ((right - left) * sums.width) / SAMPLES;
  const dy = ((bottom - top) * sums.height) / SAMPLES;
  const cells = new Float32Array(SAMPLES * SAMPLES);
  let above = lineOf(sums, { x0, dx, y: y0 });
  for (let y = 0; y < SAMPLES; y++) {
    const here = lineOf(sums, { x0, dx, y: y0 + (y + 1) * dy });
    for (let x = 0; x < SAMPLES; x++)
      cells[y * SAMPLES + x] = (here[x + 1]! - here[x]! - above[x + 1]! + above[x]!) / (dx * dy);
    above = here;
  }
  return cells;
}

/** The sums at the corners of a row of cells. */
function lineOf(sums: Sums, { x0, dx, y }: { x0: number; dx: number; y: number }): Float64Array {
  const line = new Float64Array(SAMPLES + 1);
  for (let x = 0; x <= SAMPLES; x++) line[x] = sumAt(sums, x0 + x * dx, y);
  return line;
}

/** The cosine transform of a box of a picture: a value for each bit, whose sign is the bit. */
function spectrumOf(sums: Sums, box: Box): Float64Array {
  const cells = cellsOf(sums, box);
  const rows = new Float32Array(FREQUENCIES * SAMPLES);
  for (let y = 0; y < SAMPLES; y++) {
    for (let u = 0; u < FREQUENCIES; u++) {
      const cosines = COSINES[u]!;
      let sum = 0;
      for (let x = 0; x < SAMPLES; x++) sum += cells[y * SAMPLES + x]! * cosines[x]!;
      rows[u * SAMPLES + y] = sum;
    }
  }
  const spectrum = new Float64Array(CHUNKS * CHUNK_BITS);
  for (let bit = 0; bit < spectrum.length; bit++) {
    const { across, down } = FREQUENCY_OF_BIT[bit]!;
    const cosines = COSINES[down]!;
    let sum = 0;
    for (let y = 0; y < SAMPLES; y++) sum += rows[across * SAMPLES + y]! * cosines[y]!;
    spectrum[bit] = sum;
  }
  return spectrum;
}

function signsOf(spectrum: Float64Array): Chunks {
  const chunks = [0, 0, 0, 0] as [number, number, number, number];
  for (let bit = 0; bit < spectrum.length; bit++)
    if (spectrum[bit]! > 0) chunks[bit >> 4]! |= 1 << (bit & 15);
  return chunks;
}

const hashOf = (sums: Sums, box: Box): Chunks => signsOf(spectrumOf(sums, box));

/** The hash of a box with its least certain bits. Low frequencies are stronger in every picture. */
function hashAndWeakOf(sums: Sums, box: Box): Pick<Window, 'chunks' | 'weak'> {
  const spectrum = spectrumOf(sums, box);
  const chunks = signsOf(spectrum);
  const strength = spectrum.map((value, bit) => Math.abs(value) * STEEPNESS[bit]!);
  return { chunks, weak: chunks.map((_, chunk) => weakest(strength, chunk)) };
}

function weakest(strength: Float64Array, chunk: number): [number, number] {
  let [first, second] = [-1, -1];
  const of = (bit: number) => (bit < 0 ? Number.POSITIVE_INFINITY : strength[chunk * CHUNK_BITS + bit]!);
  for (let bit = 0; bit < CHUNK_BITS; bit++) {
    if (of(bit) < of(first)) [first, second] = [bit, first];
    else if (of(bit) < of(second)) second = bit;
  }
  return [first, second];
}

/** The hashes of a staged picture's regions, as they are kept. */
export const regionHashes = (gray: Plane): Chunks[] => {
  const sums = sumsOf(gray);
  return REGIONS.map((region) => hashOf(sums, region));
};

/** Every place at which a whole staged picture may lie in an upload, cropped or framed; mirrored as well. */
export function windowsOf(gray: Plane): Window[] {
  const sums = sumsOf(gray);
  const windows: Window[] = [];
  for (const left of LATTICE)
    for (const right of LATTICE)
      for (const top of LATTICE)
        for (const bottom of LATTICE) {
          const [width, height] = [1 - left - right, 1 - top - bottom];
          if (width / height > MOST_STRETCH || height / width > MOST_STRETCH) continue;
          const whole: Box = [left, top, 1 - right, 1 - bottom];
          for (const [region, [l, t, r, b]] of REGIONS.entries()) {
            const box: Box = [left + l * width, top + t * height, left + r * width, top + b * height];
            if (Math.min(box[0], box[1]) < -ROUNDING || Math.max(box[2], box[3]) > 1 + ROUNDING) continue;
            const window = { region, whole, mirrored: false, ...hashAndWeakOf(sums, box) };
            windows.push(window, {
              ...window,
              region: MIRRORED_REGION[region]!,
              mirrored: true,
              chunks: mirroredChunks(window.chunks),
            });
          }
        }
  return windows;
}

/** The hash of the mirrored picture. */
const mirroredChunks = (chunks: Chunks): Chunks =>
  chunks.map((bits, chunk) => bits ^ MIRROR[chunk]!) as [number, number, number, number];

const BITS_SET = new Uint8Array(1 << CHUNK_BITS);
for (let at = 1; at < BITS_SET.length; at++) BITS_SET[at] = BITS_SET[at >> 1]! + (at & 1);

/** Bits of 64 that differ. */
export const hamming = (a: Chunks, b: Chunks): number =>
  BITS_SET[a[0] ^ b[0]]! + BITS_SET[a[1] ^ b[1]]! + BITS_SET[a[2] ^ b[2]]! + BITS_SET[a[3] ^ b[3]]!;

/** The hash as PostgreSQL's `bigint`, in decimal. */
export const asBigint = (chunks: Chunks): string =>
  BigInt.asIntN(
    64,
    chunks.reduce((bits, chunk, at) => bits | (BigInt(chunk) << BigInt(CHUNK_BITS * at)), 0n),
  ).toString();

export function fromBigint(hash: string): Chunks {
  const bits = BigInt.asUintN(64, BigInt(hash));
  return [0, 1, 2, 3].map((chunk) => Number((bits >> BigInt(CHUNK_BITS * chunk)) & 0xffffn)) as [
    number,
    number,
    number,
    number,
  ];
}

/** Under which a hash is found: its region, the chunk's number, the chunk. */
const keyOf = (region: number, chunk: number, bits: number): number => (region << 18) | (chunk << 16) | bits;

/** The keys of a staged picture's hashes, which the index holds. */
export const keysOf = (hashes: readonly Chunks[]): { key: number; hash: string }[] =>
  hashes.flatMap((chunks, region) =>
    chunks.map((bits, chunk) => ({ key: keyOf(region, chunk, bits), hash: asBigint(chunks) })),
  );

/** What is looked up for an upload: each chunk of each window, also with one of its two weakest bits changed. */
export function probesOf(windows: readonly Window[]): { keys: Int32Array; hashes: string[] } {
  const keys: number[] = [];
  const hashes: string[] = [];
  const seen = new Set<string>();
  for (const { region, chunks, weak } of windows) {
    const hash = asBigint(chunks);
    for (const [chunk, bits] of chunks.entries()) {
      const [first, second] = weak[chunk]!;
      for (const changed of [bits, bits ^ (1 << first), bits ^ (1 << second)]) {
        const key = keyOf(region, chunk, changed);
        const name = `${key}/${hash}`;
        if (seen.has(name)) continue;
        seen.add(name);
        keys.push(key);
        hashes.push(hash);
      }
    }
  }
  return { keys: Int32Array.from(keys), hashes };
}

interface Place {
  /** Bits that differ. */
  distance: number;
  whole: Box;
  mirrored: boolean;
}

/** The windows of an upload whose hashes are nearest to a staged picture's. */
export function nearestWindows(
  windows: readonly Window[],
  hashes: readonly Chunks[],
  count: number,
): Place[] {
  const best: Place[] = [];
  for (const { region, chunks, whole, mirrored } of windows) {
    const distance = hamming(chunks, hashes[region]!);
    if (best.length === count && distance >= best.at(-1)!.distance) continue;
    best.push({ distance, whole, mirrored });
    best.sort((a, b) => a.distance - b.distance);
    if (best.length > count) best.pop();
  }
  return best;
}

const PART_SIDES = [0.42, 0.5, 0.6, 0.7, 0.85, 1] as const;
const PART_STEP = 0.06;
const PART_STRETCH = 1.35;
const WHOLE: Box = [0, 0, 1, 1];

/** Parts of a picture, denser than the windows. */
export interface Parts {
  /** Width to height of the picture. */
  ratio: number;
  whole: Chunks;
  /** The hash of a part; made when it is first asked for. */
  hashOf(part: number): Chunks;
}

const PARTS: readonly Box[] = PART_SIDES.flatMap((across) =>
  PART_SIDES.flatMap((down) => {
    const boxes: Box[] = [];
    for (let x = 0; x <= 1 - across + 0.001; x += PART_STEP)
      for (let y = 0; y <= 1 - down + 0.001; y += PART_STEP) boxes.push([x, y, x + across, y + down]);
    return boxes;
  }),
);

export function partsOf(gray: Plane): Parts {
  const sums = sumsOf(gray);
  const hashes: Chunks[] = [];
  return {
    ratio: gray.width / gray.height,
    whole: hashOf(sums, WHOLE),
    hashOf: (part) => (hashes[part] ??= hashOf(sums, PARTS[part]!)),
  };
}

/**
 * Where an upload may be a small part of the staged picture, or hold it as a small part. Only for the pictures of the
 * upload's own listing.
 */
export function nearestParts(upload: Parts, staged: Parts, count: number): Place[] {
  const found: Place[] = [];
  const alike = (a: number, b: number) => a / b < PART_STRETCH && b / a < PART_STRETCH;
  const note = (a: Chunks, b: Chunks, whole: Box, mirrored: Box) => {
    found.push({ distance: hamming(a, b), whole, mirrored: false });
    found.push({ distance: hamming(mirroredChunks(a), b), whole: mirrored, mirrored: true });
  };
  for (const [part, box] of PARTS.entries()) {
    const [left, top, right, bottom] = box;
    const [across, down] = [right - left, bottom - top];
    if (alike((staged.ratio * across) / down, upload.ratio))
      note(
        staged.hashOf(part),
        upload.whole,
        [-left / across, -top / down, (1 - left) / across, (1 - top) / down],
        [1 - (1 - left) / across, -top / down, 1 + left / across, (1 - top) / down],
      );
    if (alike((upload.ratio * across) / down, staged.ratio))
      note(upload.hashOf(part), staged.whole, box, box);
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, count);
}
