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
const [UNCOMPRESSED, RGB, UNASSOCIATED_ALPHA] = [1, 2, 2];
const HEAD = 8;
const ENTRY = 12;
/** Behind the head: the bits of each channel, four at most. */
const PIXELS_AT = HEAD + 8;

/**
 * An uncompressed TIFF of the pixels with their color profile. The picture library takes a profile only with a file, not
 * with raw pixels.
 * @param profile ICC; null for sRGB
 */
export function asTiff(pixels: RawPixels, profile: Buffer | null): Buffer {
  const { width, height, channels, bytes, stride } = pixels;
  const row = width * channels;
  const profileAt = PIXELS_AT + row * height;
  const end = profileAt + (profile?.length ?? 0);
  const directoryAt = end + (end % 2);
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, HEAD],
    [259, SHORT, 1, UNCOMPRESSED],
    [262, SHORT, 1, RGB],
    [273, LONG, 1, PIXELS_AT],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, row * height],
    ...(channels === 4 ? [[338, SHORT, 1, UNASSOCIATED_ALPHA]] : []),
    ...(profile === null ? [] : [[34675, UNDEFINED, profile.length, profileAt]]),
  ];
  const file = Buffer.allocUnsafe(directoryAt + 2 + ENTRY * entries.length + 4);
  file.fill(0, 0, PIXELS_AT).fill(0, profileAt);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(directoryAt, 4);
  for (let channel = 0; channel < channels; channel += 1) file.writeUInt16LE(8, HEAD + 2 * channel);
  for (let y = 0; y < height; y += 1)
    file.set(bytes.subarray(y * stride, y * stride + row), PIXELS_AT + y * row);
  if (profile !== null) file.set(profile, profileAt);
  file.writeUInt16LE(entries.length, directoryAt);
  for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    const at = directoryAt + 2 + ENTRY * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}
