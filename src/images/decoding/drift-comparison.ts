import type { Pad, PictureSize } from '../../../machines/framing.ts';
import { compare, DRIFT_ALGORITHM } from '../drift/compare.ts';
import { heatMapPixels } from '../drift/heat-map.ts';
import type { Raster } from '../drift/raster.ts';
import { sharp } from './sharp-settings.ts';
import { openShown, rasterOf } from './small-raster.ts';

/** Pixels of the longer side. Radii and thresholds of `src/images/drift/` are for this size. */
const COMPARED_SIDE = 640;
/** In pixels of the comparison: takes away the grain of cameras and encoders. */
const SOFTENING = 0.8;

/**
 * Compares a stored photo with its staged picture (docs/contract.md#drift). Of a padded picture only the photo's frame
 * is compared. A picture of other proportions is scaled to the photo's.
 * @param order.photo the bytes of the photo
 */
export async function compareDrift(staged: Buffer, { photo, pad }: { photo: Uint8Array; pad: Pad | null }) {
  const before = await open(Buffer.from(photo.buffer, photo.byteOffset, photo.byteLength), null, null);
  const after = await open(staged, pad, before);
  const { lost, fresh, ...comparison } = compare(before, after);
  const raw = { width: before.width, height: before.height, channels: 4 as const };
  const heatMap = await sharp(heatMapPixels({ lost, fresh }), { raw }).png({ palette: true }).toBuffer();
  return { ...comparison, algorithm: DRIFT_ALGORITHM, heatMap };
}

/** @param size null for the size that follows from the picture's proportions */
async function open(bytes: Buffer, pad: Pad | null, size: PictureSize | null): Promise<Raster> {
  const { shown } = await openShown(bytes, pad);
  const fit =
    size === null
      ? ({ width: COMPARED_SIDE, height: COMPARED_SIDE, fit: 'inside' } as const)
      : ({ width: size.width, height: size.height, fit: 'fill' } as const);
  return rasterOf(shown.resize(fit).blur(SOFTENING));
}
