import sharp from 'sharp';

/** A photo of the benchmark: pixels, so that each change decodes nothing again. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Buffer;
}

/** The longer side in pixels; larger photos are made smaller, as a provider would. */
const LONGEST = 1280;
const QUALITY = 90;

export async function openCanvas(picture: Buffer): Promise<Canvas> {
  const { data, info } = await sharp(picture)
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

export function draw({ rgb, width, height }: Canvas) {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

export const asJpeg = (canvas: Canvas, quality = QUALITY): Promise<Buffer> =>
  draw(canvas).jpeg({ quality }).toBuffer();

/** A rectangle in pixels. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The canvas with each pixel computed again; `color` gets and answers red, green, blue. */
export function repainted(
  canvas: Canvas,
  color: (at: number, red: number, green: number, blue: number) => readonly [number, number, number],
): Canvas {
  const rgb = Buffer.from(canvas.rgb);
  for (let at = 0, byte = 0; byte < rgb.length; at++, byte += 3) {
    const changed = color(at, rgb[byte]!, rgb[byte + 1]!, rgb[byte + 2]!);
    for (const [channel, value] of changed.entries())
      rgb[byte + channel] = Math.max(0, Math.min(255, Math.round(value)));
  }
  return { ...canvas, rgb };
}
