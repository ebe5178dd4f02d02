/** Rows of pixels, 8 bits a channel, from the top; a row may be followed by bytes that are no pixels. */
export interface RawPixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, and transparency. */
  readonly channels: 3 | 4;
  readonly bytes: Uint8Array;
  /** From the start of one row to the next. */
  readonly stride: number;
}

const [SHORT, LONG, UNDEFINED] = [3, 4, 7];
const BYTE_ORDER = 'II*\0';
const FIRST_ENTRY = 10;
const ENTRY = 12;
const RGB = 2;
const UNASSOCIATED_ALPHA = 2;
/** `BitsPerSample` of four channels. */
const BITS_BYTES = 8;

/**
 * An uncompressed TIFF of the pixels with their color profile. The picture library takes a profile only with a file, not
 * with raw pixels.
 * @param profile ICC; null for sRGB
 */
export function asTiff(pixels: RawPixels, profile: Buffer | null): Buffer {
  const { width, height, channels, bytes, stride } = pixels;
  const entries = (at: { bits: number; profile: number; pixels: number }) => [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, at.bits],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, RGB],
    [273, LONG, 1, at.pixels],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, width * channels * height],
    ...(channels === 4 ? [[338, SHORT, 1, UNASSOCIATED_ALPHA]] : []),
    ...(profile === null ? [] : [[34675, UNDEFINED, profile.length, at.profile]]),
  ];
  const bits = FIRST_ENTRY + ENTRY * entries({ bits: 0, profile: 0, pixels: 0 }).length + 4;
  const at = { bits, profile: bits + BITS_BYTES, pixels: bits + BITS_BYTES + (profile?.length ?? 0) };
  const file = Buffer.allocUnsafe(at.pixels + width * channels * height);
  file.fill(0, 0, at.pixels);
  file.write(BYTE_ORDER, 'latin1');
  file.writeUInt32LE(FIRST_ENTRY - 2, 4);
  file.writeUInt16LE(entries(at).length, FIRST_ENTRY - 2);
  for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries(at).entries()) {
    const entry = FIRST_ENTRY + ENTRY * index;
    file.writeUInt16LE(tag, entry);
    file.writeUInt16LE(type, entry + 2);
    file.writeUInt32LE(count, entry + 4);
    file.writeUInt32LE(value, entry + 8);
  }
  for (let channel = 0; channel < channels; channel += 1) file.writeUInt16LE(8, at.bits + 2 * channel);
  if (profile !== null) file.set(profile, at.profile);
  const row = width * channels;
  for (let y = 0; y < height; y += 1)
    file.set(bytes.subarray(y * stride, y * stride + row), at.pixels + y * row);
  return file;
}
