/**
 * How a photo is shown to a provider that makes pictures of three shapes only (docs/contract.md#framing): the nearest
 * shape, the photo's place in a copy that is padded to it, and the same place in the picture that comes back. All of it
 * follows from the photo's size. Jobs and stored copies were made with these rules, and a copy belongs to all jobs of
 * its photo: a changed rule needs new copies.
 */
import { PROVIDER_INPUT_SIDE, STAGING_ASPECT_RATIOS, type StagingAspectRatio } from './vocabulary.ts';

/** Longer side by the shorter one. Of a photo beyond it, most of the provider's picture would be padding. */
export const MAX_FRAMED_RATIO = 3;

/** In pixels. */
export interface PictureSize {
  width: number;
  height: number;
}
/** A rectangle in a picture, in its pixels. */
export interface Frame extends PictureSize {
  left: number;
  top: number;
}
/** The size of the padded copy, and where the whole photo lies in it. */
export interface Pad extends PictureSize {
  frame: Frame;
}

/** Whether the photo may be staged in its own shape. */
export function canBeFramed({ width, height }: PictureSize): boolean {
  return Math.max(width, height) <= MAX_FRAMED_RATIO * Math.min(width, height);
}

/** The nearest shape, by the factor between the two ratios. */
export function nearestAspectRatio({ width, height }: PictureSize): StagingAspectRatio {
  const distance = (ratio: StagingAspectRatio) => {
    const [across, down] = sidesOf(ratio);
    return Math.abs(Math.log((width * down) / (height * across)));
  };
  return [...STAGING_ASPECT_RATIOS].sort((a, b) => distance(a) - distance(b))[0]!;
}

const TOLERANCE_PERCENT = 1;

/** Whether a picture of the provider has the shape that was asked for, within 1 %. */
export function hasShape({ width, height }: PictureSize, aspectRatio: StagingAspectRatio): boolean {
  const [across, down] = sidesOf(aspectRatio);
  // Whole numbers only: a picture exactly at the limit must not fail by a rounding error.
  return Math.abs(width * down - height * across) * 100 <= height * across * TOLERANCE_PERCENT;
}

/**
 * The padded copy of an upright photo: exactly of the shape, with the photo in the middle, never enlarged, and its
 * longest side within the bound of the provider's copies.
 */
export function padTo(photo: PictureSize, aspectRatio: StagingAspectRatio): Pad {
  const [across, down] = sidesOf(aspectRatio);
  const fitting = Math.ceil(Math.max(photo.width / across, photo.height / down));
  const unit = Math.min(fitting, Math.floor(PROVIDER_INPUT_SIDE / Math.max(across, down)));
  const [width, height] = [across * unit, down * unit];
  const frame = scaled(photo, Math.min(1, width / photo.width, height / photo.height));
  return {
    width,
    height,
    frame: {
      left: Math.floor((width - frame.width) / 2),
      top: Math.floor((height - frame.height) / 2),
      ...frame,
    },
  };
}

/** The photo's place in the provider's picture, which has the padded copy's shape at any size. */
export function frameIn({ frame, ...padded }: Pad, { width, height }: PictureSize): Frame {
  const [left, right] = [frame.left, frame.left + frame.width].map((x) =>
    Math.round((x * width) / padded.width),
  );
  const [top, bottom] = [frame.top, frame.top + frame.height].map((y) =>
    Math.round((y * height) / padded.height),
  );
  return { left: left!, top: top!, width: Math.max(1, right! - left!), height: Math.max(1, bottom! - top!) };
}

/**
 * The size at which people see the provider's picture: that of the frame in it, with the photo's own proportions also
 * where the provider's picture differs a little from the shape that was asked for.
 */
export function framedSize({ frame, ...padded }: Pad, { width, height }: PictureSize): PictureSize {
  return scaled(frame, Math.min(width / padded.width, height / padded.height));
}

const sidesOf = (ratio: StagingAspectRatio) => ratio.split(':').map(Number) as [across: number, down: number];

const scaled = ({ width, height }: PictureSize, scale: number): PictureSize => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});
