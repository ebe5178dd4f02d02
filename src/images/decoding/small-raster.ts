import type { Sharp } from 'sharp';
import { frameIn, type Pad, type PictureSize } from '../../../machines/framing.ts';
import type { Raster } from '../drift/raster.ts';
import { MAX_PICTURE_PIXELS } from './picture-bounds.ts';
import { sharp } from './sharp-settings.ts';

/** A stored picture about to be compared: upright, opaque, in sRGB, and only the frame of a padded one; with its stored size. */
export async function openShown(
  bytes: Buffer,
  pad: Pad | null,
): Promise<{ shown: Sharp; size: PictureSize }> {
  const picture = sharp(bytes, {
    limitInputPixels: MAX_PICTURE_PIXELS,
    sequentialRead: true,
    autoOrient: true,
  });
  const { autoOrient } = await picture.metadata();
  const cut = pad === null ? picture : picture.extract(frameIn(pad, autoOrient));
  return { shown: cut.flatten({ background: '#ffffff' }).toColourspace('srgb'), size: autoOrient };
}

export async function rasterOf(picture: Sharp): Promise<Raster> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: rgbOf(data, info.channels) };
}

/** A gray picture has one channel. */
function rgbOf(data: Buffer, channels: number): Uint8Array {
  if (channels === 3) return data;
  return Uint8Array.from(
    { length: (data.length / channels) * 3 },
    (_, at) => data[Math.floor(at / 3) * channels]!,
  );
}
