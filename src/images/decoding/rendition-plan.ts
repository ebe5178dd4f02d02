import type { Pad } from '../../../machines/framing.ts';
import type { CopyChange, Mark } from '../marks/mark.ts';
import { RENDITION_FORMATS, WHOLE_FORMATS, type WholeFormat } from './accepted-format.ts';
import { MAX_PICTURE_SIDE } from './picture-bounds.ts';
import {
  BEST_QUALITY,
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

/** The size at which a picture is shown, as far as it is known. */
interface KnownSize {
  width: number | null;
  height: number | null;
}

/** The picture to make: its maximum size and its encoding. */
export interface RenditionPlan {
  box: PixelSize;
  fit: Fit;
  format: WholeFormat;
  quality: QualityStep;
  /** Of a staged picture. */
  mark: Mark | null;
  /** Identifies the plan: equal plans for one picture have equal names and give the same picture. */
  variant: string;
}

/**
 * The rendition for a request. A limit above the picture's known size makes no difference, so the plan stays the
 * same. An open side follows the other one, up to the largest side.
 */
export function planRendition(
  request: Pick<RenditionRequest, 'width' | 'height' | 'fit' | 'quality'>,
  picture: KnownSize,
  format: WholeFormat,
  mark: Mark | null,
): RenditionPlan {
  const { quality } = request;
  // A box with an open side has no aspect ratio to fill.
  const fit = request.width === null || request.height === null ? 'contain' : request.fit;
  const asked = { width: request.width ?? LARGEST_SIDE, height: request.height ?? LARGEST_SIDE };
  const { width, height } = picture;
  const known = width !== null && height !== null;
  const size = known ? outputSize({ width, height }, { box: asked, fit }) : asked;
  const marked = mark === null ? '' : `-${mark.name}`;
  const variant = `r${RECIPE}-${fit}-${size.width}x${size.height}-q${quality}${marked}.${format}`;
  return { box: asked, fit, format, quality, mark, variant };
}

/** The whole picture, as large as it is: in the stored format, or as JPEG where that cannot be written. */
export function planWhole(picture: KnownSize & { format: string | null }, mark: Mark | null): RenditionPlan {
  const format = WHOLE_FORMATS.find((known) => known === picture.format) ?? 'jpeg';
  const sides = { width: MAX_PICTURE_SIDE, height: MAX_PICTURE_SIDE };
  return planRendition({ ...sides, fit: 'contain', quality: BEST_QUALITY }, picture, format, mark);
}

/**
 * The names of the picture's canonical copies: each width step in each format, as pages and apps request them, and
 * the whole of a staged one. The store always has room for them.
 */
export function canonicalVariants(
  picture: KnownSize & { format: string | null; isStyled: boolean },
  mark: Mark | null,
): string[] {
  const asked = { height: null, fit: 'contain', quality: DEFAULT_QUALITY } as const;
  const names = SIDE_STEPS.flatMap((width) =>
    RENDITION_FORMATS.map((format) => planRendition({ ...asked, width }, picture, format, mark).variant),
  );
  const whole = picture.isStyled ? [planWhole(picture, mark).variant] : [];
  return [...new Set([...names, ...whole])];
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

/** What is done to the picture to make a copy of it: one that keeps its shape, as all signed copies do. */
export function changesOf(
  picture: KnownSize & { pad: Pad | null; format: string | null },
  plan: Pick<RenditionPlan, 'box' | 'fit' | 'format'>,
): CopyChange[] {
  const { width, height } = picture;
  const isSmaller =
    width === null || height === null
      ? plan.box.width < MAX_PICTURE_SIDE
      : outputSize({ width, height }, plan).width < width;
  return [
    ...(picture.pad === null ? [] : (['cropped'] as const)),
    ...(isSmaller ? (['resized'] as const) : []),
    ...(picture.format === plan.format ? [] : (['converted'] as const)),
  ];
}

/** The longer side of a copy, as far as it is known. */
export function longSideOf({ width, height }: KnownSize, plan: Pick<RenditionPlan, 'box' | 'fit'>): number {
  const size = width === null || height === null ? plan.box : outputSize({ width, height }, plan);
  return Math.max(size.width, size.height);
}
