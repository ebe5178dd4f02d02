/**
 * Decodes HEIC, which the picture library cannot. The decoder is libheif as WebAssembly: its memory never shrinks, and a
 * failure may leave it unusable, so each picture has a new instance.
 */
import { createRequire } from 'node:module';
import { PublicError } from '../../errors/errors.ts';
import { isWithinBounds, MAX_HEIC_PIXELS } from './picture-bounds.ts';
import { asTiff, type RawPixels } from './raw-tiff.ts';

/** Only what is used of it. Handles of pictures have no `code`. */
interface Libheif {
  heif_error_code: { heif_error_Ok: object };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
  heif_context_alloc(): object;
  heif_context_read_from_memory(context: object, file: Uint8Array): Failure;
  heif_js_context_get_primary_image_handle(context: object): Handle | Failure;
  heif_image_handle_get_width(handle: Handle): number;
  heif_image_handle_get_height(handle: Handle): number;
  heif_image_handle_has_alpha_channel(handle: Handle): number;
  heif_js_decode_image2(
    handle: Handle,
    colorspace: unknown,
    chroma: unknown,
  ): { channels: readonly Channel[]; code?: undefined } | Failure;
}
interface Failure {
  readonly code: object;
  readonly message: string;
}
interface Handle {
  readonly code?: undefined;
}
/** `data` is a view of the instance's memory. */
interface Channel {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

type StartLibheif = (options: { print(line: string): void; printErr(line: string): void }) => Libheif;
const require = createRequire(import.meta.url);
/** What `libheif-js/wasm-bundle` starts once for all. */
const BUNDLE = 'libheif-js/libheif-wasm/libheif-bundle.js';
/** What it says of a picture belongs into no log. */
const SILENT = { print: () => {}, printErr: () => {} };

/**
 * The main picture of a HEIC as a TIFF with the color profile. It is upright: the file's own turns and mirrors have been
 * made, and a turn in its EXIF says the same once more.
 * @param profile ICC of the picture; null for sRGB
 * @throws PublicError PHOTO_TOO_LARGE, before pixels are decoded, or PHOTO_BROKEN
 */
export function decodeHeic(file: Buffer, profile: Buffer | null): Buffer {
  return asTiff(pixelsOf(file), profile);
}

function pixelsOf(file: Buffer): RawPixels {
  try {
    // Loaded with the first HEIC, because most decoders never see one.
    const start: StartLibheif = require(BUNDLE);
    const library = start(SILENT);
    const context = library.heif_context_alloc();
    const read = library.heif_context_read_from_memory(context, file);
    if (read.code !== library.heif_error_code.heif_error_Ok) throw new Error(read.message);
    const handle = library.heif_js_context_get_primary_image_handle(context);
    if (handle.code !== undefined) throw new Error(handle.message);
    return decoded(library, handle);
  } catch (error) {
    if (error instanceof PublicError) throw error;
    throw new PublicError('PHOTO_BROKEN', { cause: asError(error) });
  }
}

function decoded(library: Libheif, handle: Handle): RawPixels {
  const width = library.heif_image_handle_get_width(handle);
  const height = library.heif_image_handle_get_height(handle);
  if (!isWithinBounds({ width, height }, MAX_HEIC_PIXELS))
    throw new PublicError('PHOTO_TOO_LARGE', { details: { width, height } });
  const channels = library.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const { heif_chroma_interleaved_RGB: opaque, heif_chroma_interleaved_RGBA: transparent } =
    library.heif_chroma;
  const picture = library.heif_js_decode_image2(
    handle,
    library.heif_colorspace.heif_colorspace_RGB,
    channels === 4 ? transparent : opaque,
  );
  if (picture.code !== undefined) throw new Error(picture.message);
  const [rows] = picture.channels;
  if (rows === undefined || rows.width !== width || rows.height !== height)
    throw new Error('the pixels have another size than the picture');
  return { width, height, channels, bytes: rows.data, stride: rows.stride };
}

/** WebAssembly throws what C++ throws. */
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
