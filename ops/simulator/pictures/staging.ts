import sharp, { type Sharp } from 'sharp';
import { type Canvas, createCamera } from './camera.ts';
import { PALETTES, type Palette } from './palettes.ts';
import { readPrompt } from './prompt-reading.ts';
import { LAYOUTS } from './room-layouts.ts';
import { Sketch } from './sketch.ts';

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
  const palette = PALETTES[style];
  const fitted = job.photo === null ? blank(canvas) : await fitToCanvas(job.photo, canvas);
  const { data: base, info } = await tone(fitted, palette).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const light = await floorLight(base, raw);
  const overlay = await sharp(Buffer.from(drawFurniture(canvas, palette, LAYOUTS[room]())))
    .ensureAlpha()
    .modulate({ brightness: light })
    .blur(0.6)
    .raw()
    .toBuffer();
  return sharp(base, { raw }).composite([{ input: overlay, raw: { ...canvas, channels: 4 } }]);
}

/** The furniture as one SVG document with a transparent ground: rugs, then shadows, then things from far to near. */
function drawFurniture(
  canvas: Canvas,
  palette: Palette,
  pieces: ReturnType<(typeof LAYOUTS)['OFFICE']>,
): string {
  const sketch = new Sketch(createCamera(canvas));
  const farFirst = [...pieces].sort((a, b) => b.depth - a.depth);
  const flat = farFirst.filter((piece) => piece.footprint === null);
  const standing = farFirst.filter((piece) => piece.footprint !== null);
  const shadows = standing.map(({ footprint }) => (footprint ? sketch.shadow(footprint.x, footprint.z) : ''));
  const draw = (piece: (typeof pieces)[number]) => piece.draw(sketch, palette);
  return sketch.document([...flat.map(draw), ...shadows, ...standing.map(draw)].join(''));
}

/** The photo on the canvas: cropped around its middle, or padded with its own blurred self when too much would go. */
async function fitToCanvas(photo: Buffer, canvas: Canvas): Promise<Sharp> {
  const upright = await sharp(photo, { failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
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

function tone(photo: Sharp, { tone: { brightness, saturation, tint } }: Palette): Sharp {
  return photo
    .removeAlpha()
    .modulate({ brightness, saturation })
    .linear([...tint], [0, 0, 0]);
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
