import { RENDITION_FORMATS, type RenditionFormat } from './accepted-format.ts';
import {
  DEFAULT_QUALITY,
  type Fit,
  LARGEST_SIDE,
  type QualityStep,
  type RenditionRequest,
  SIDE_STEPS,
} from './rendition-request.ts';

/**
 * Increase it with every change of the encoders' settings: older stored copies and entity tags then no longer
 * match.
 */
const RECIPE = 1;

export interface PixelSize {
  width: number;
  height: number;
}

/** The picture to make: its maximum size and its encoding. */
export interface RenditionPlan {
  box: PixelSize;
  fit: Fit;
  format: RenditionFormat;
  quality: QualityStep;
  /** Identifies the plan: equal plans for one picture have equal names and give equal bytes. */
  variant: string;
}

/**
 * The rendition for a request. A limit above the picture's known size makes no difference, so the plan stays the
 * same. An open side follows the other one, up to the largest side.
 */
export function planRendition(
  request: RenditionRequest,
  picture: { width: number | null; height: number | null },
  format: RenditionFormat,
): RenditionPlan {
  const { quality } = request;
  // A box with an open side has no aspect ratio to fill.
  const fit = request.width === null || request.height === null ? 'contain' : request.fit;
  const asked = { width: request.width ?? LARGEST_SIDE, height: request.height ?? LARGEST_SIDE };
  const { width, height } = picture;
  const known = width !== null && height !== null;
  const size = known ? outputSize({ width, height }, { box: asked, fit }) : asked;
  const variant = `r${RECIPE}-${fit}-${size.width}x${size.height}-q${quality}.${format}`;
  return { box: asked, fit, format, quality, variant };
}

/**
 * The names of the picture's canonical copies: each width step in each format, as pages and apps request them. The
 * store always has room for them.
 */
export function canonicalVariants(picture: { width: number | null; height: number | null }): string[] {
  const asked = { height: null, fit: 'contain', format: 'auto', quality: DEFAULT_QUALITY } as const;
  const names = SIDE_STEPS.flatMap((width) =>
    RENDITION_FORMATS.map((format) => planRendition({ ...asked, width }, picture, format).variant),
  );
  return [...new Set(names)];
}

/**
 * The size of the result: never larger than the picture; `cover` has the box's aspect ratio, `contain` the
 * picture's.
 */
export function outputSize(picture: PixelSize, { box, fit }: Pick<RenditionPlan, 'box' | 'fit'>): PixelSize {
  const [across, down] = [picture.width / box.width, picture.height / box.height];
  const [shape, scale] =
    fit === 'cover' ? [box, Math.min(1, across, down)] : [picture, Math.min(1, 1 / across, 1 / down)];
  return {
    width: Math.max(1, Math.round(shape.width * scale)),
    height: Math.max(1, Math.round(shape.height * scale)),
  };
}
