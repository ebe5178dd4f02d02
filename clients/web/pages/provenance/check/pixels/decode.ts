import { pixelsOf } from '../picture-size.ts';
import { SIDE } from './likeness.ts';
import { type Raster, rasterOf } from './raster.ts';

/** Decoded, a picture takes four bytes a pixel: 64 MB. */
export const MOST_PIXELS = 16 * 1024 * 1024;
/** The start of a file, in which its size is written. Metadata may come before it. */
const HEAD_BYTES = 1024 * 1024;

/** A small raster of a picture; null for one that is too large, of a kind that is not compared, or broken. */
export async function smallRaster(picture: Blob, type: string): Promise<Raster | null> {
  const head = new Uint8Array(await picture.slice(0, HEAD_BYTES).arrayBuffer());
  const pixels = pixelsOf(head, type);
  if (pixels === null || pixels > MOST_PIXELS) return null;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(picture);
  } catch {
    // What the browser says differs, and says no more than that it cannot be decoded.
    return null;
  }
  try {
    const factor = SIDE / Math.max(bitmap.width, bitmap.height);
    const width = Math.max(1, Math.round(bitmap.width * factor));
    const height = Math.max(1, Math.round(bitmap.height * factor));
    // A strip of a few pixels shows no room.
    if (Math.min(width, height) < SIDE / 8) return null;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (context === null) return null;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    return rasterOf(data, { width, height, values: 4 });
  } finally {
    bitmap.close();
  }
}
