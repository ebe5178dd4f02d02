import sharp, { type Sharp } from 'sharp';
import { type Canvas, onCanvas, readDrawing } from './drawing.ts';
import { readPrompt } from './prompt-reading.ts';
import styles from './styles.json' with { type: 'json' };

/** Losing more than this share of the photo to cropping would cut the room away: then it is padded instead. */
const MAX_CROP = 0.4;
const BLANK_WALL = '#e6e1d8';

/**
 * Stages a photo: fits it to the canvas, gives it the light of the style and draws the furniture of the room on its
 * floor, so that a person sees the same room before and after. Without a photo the wall is blank.
 * @throws when the photo cannot be decoded
 */
export async function stagePhoto(job: Canvas & { photo: Buffer | null; prompt: string }): Promise<Sharp> {
  const { room, style } = readPrompt(job.prompt);
  const canvas = { width: job.width, height: job.height };
  const fitted = job.photo === null ? blank(canvas) : await fitToCanvas(job.photo, canvas);
  const { data: base, info } = await tone(fitted, styles[style].tone)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const light = await floorLight(base, raw);
  const furniture = await readDrawing('furniture', room, styles[style].colors);
  const overlay = await sharp(onCanvas(canvas, furniture))
    .ensureAlpha()
    .modulate({ brightness: light })
    .blur(0.6)
    .raw()
    .toBuffer();
  return sharp(base, { raw }).composite([{ input: overlay, raw: { ...canvas, channels: 4 } }]);
}

/** The photo on the canvas: cropped around its middle, or padded with its own blurred self when too much would go. */
async function fitToCanvas(photo: Buffer, canvas: Canvas): Promise<Sharp> {
  const upright = await sharp(photo, { failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .toBuffer({ resolveWithObject: true });
  const ratio = (upright.info.width / upright.info.height) * (canvas.height / canvas.width);
  const lost = 1 - Math.min(ratio, 1 / ratio);
  const cover = sharp(upright.data).resize({ ...canvas, fit: 'cover' });
  if (lost <= MAX_CROP) return cover;
  const inside = await sharp(upright.data)
    .resize({ ...canvas, fit: 'inside' })
    .png()
    .toBuffer();
  return sharp(await cover.blur(24).modulate({ brightness: 0.85 }).png().toBuffer()).composite([
    { input: inside },
  ]);
}

function blank({ width, height }: Canvas): Sharp {
  return sharp({ create: { width, height, channels: 3, background: BLANK_WALL } });
}

type Tone = (typeof styles)['MODERN']['tone'];

function tone(photo: Sharp, { brightness, saturation, tint }: Tone): Sharp {
  return photo.removeAlpha().modulate({ brightness, saturation }).linear(tint, [0, 0, 0]);
}

/** How bright furniture may be in this photo: the light on the lower half, as a factor around 1. */
async function floorLight(
  base: Buffer,
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 },
): Promise<number> {
  const top = Math.floor(raw.height / 2);
  const lower = { left: 0, top, width: raw.width, height: raw.height - top };
  const pixels = await sharp(base, { raw }).extract(lower).resize(32, 32, { fit: 'fill' }).raw().toBuffer();
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  return Math.min(1.06, Math.max(0.6, 0.62 + mean / 330));
}
