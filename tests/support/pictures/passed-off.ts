import { sharp } from '../../../src/images/decoding/sharp-settings.ts';

/** Ways to pass a picture off as another file, without metadata; and what honest people do to a photo. As JPEG. */
type Change = (picture: Buffer) => Promise<Buffer>;

const jpeg = (picture: ReturnType<typeof sharp>, quality = 88): Promise<Buffer> =>
  picture.jpeg({ quality }).toBuffer();

async function sizeOf(picture: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
}

/** Cuts shares of the sides off: left, top, right, bottom. */
const cropped =
  (left: number, top: number, right: number, bottom: number): Change =>
  async (picture) => {
    const { width, height } = await sizeOf(picture);
    const [x, y] = [Math.round(left * width), Math.round(top * height)];
    const size = {
      width: Math.round((1 - left - right) * width),
      height: Math.round((1 - top - bottom) * height),
    };
    return jpeg(sharp(picture).extract({ left: x, top: y, ...size }));
  };

/** A page around it: shares of the sides, and a bar of a browser on top. */
const framed =
  (side: number, top: number, color: string): Change =>
  async (picture) => {
    const { width, height } = await sizeOf(picture);
    const [x, y] = [Math.round(side * width), Math.round(top * height)];
    const page = await sharp(picture)
      .extend({ left: x, right: x, top: y, bottom: x, background: color })
      .toBuffer();
    const bar = Buffer.from(
      `<svg width="${width + 2 * x}" height="${y}"><rect width="100%" height="70%" fill="#d7dbe0"/>` +
        `<circle cx="30" cy="${0.35 * y}" r="8" fill="#e06666"/><rect x="120" y="${0.15 * y}" width="${width / 2}" ` +
        `height="${0.4 * y}" rx="9" fill="#fff"/><text x="140" y="${0.45 * y}" font-size="${0.3 * y}">homes</text></svg>`,
    );
    return jpeg(sharp(page).composite([{ input: bar, left: 0, top: 0 }]));
  };

const banded: Change = async (picture) => {
  const { width, height } = await sizeOf(picture);
  const high = Math.round(height / 10);
  const band = Buffer.from(
    `<svg width="${width}" height="${high}"><rect width="100%" height="100%" fill="#102030"/>` +
      `<text x="20" y="${0.7 * high}" font-size="${0.6 * high}" fill="#fff">For sale · 555 0100</text></svg>`,
  );
  return jpeg(sharp(picture).composite([{ input: band, left: 0, top: height - high }]));
};

const resized =
  (across: number, down = across): Change =>
  async (picture) => {
    const { width, height } = await sizeOf(picture);
    const size = { width: Math.round(across * width), height: Math.round(down * height) };
    return jpeg(sharp(picture).resize({ ...size, fit: 'fill' }));
  };

/** Turned by a few degrees, and cut so that no corner is empty. */
const turned =
  (degrees: number): Change =>
  async (picture) =>
    cropped(
      0.06,
      0.06,
      0.06,
      0.06,
    )(await sharp(picture).rotate(degrees, { background: '#ffffff' }).toBuffer());

const lit =
  (gain: readonly [number, number, number], offset = 0): Change =>
  (picture) =>
    jpeg(sharp(picture).linear([...gain], [offset, offset, offset]));

const beside: Change = async (picture) => {
  const { width, height } = await sizeOf(picture);
  const wide = await sharp(picture)
    .extend({ right: Math.round(0.3 * width), background: '#cfc8bd' })
    .toBuffer();
  const plain = await sharp(picture).resize({ width: 64, height, fit: 'fill' }).blur(20).toBuffer();
  return jpeg(sharp(wide).composite([{ input: plain, left: width + 20, top: 0 }]));
};

const several =
  (...changes: Change[]): Change =>
  async (picture) => {
    let changed = picture;
    for (const change of changes) changed = await change(changed);
    return changed;
  };

const encoded =
  (quality: number): Change =>
  (picture) =>
    jpeg(sharp(picture), quality);
const mirrored: Change = (picture) => jpeg(sharp(picture).flop());

/** By file alone: what is left when the metadata is gone. */
export const FILES: Readonly<Record<string, Change>> = {
  'metadata stripped': encoded(92),
  'encoded again at quality 40': encoded(40),
  'as WebP without metadata': (picture) => sharp(picture).webp({ quality: 70 }).toBuffer(),
  'as PNG without metadata': (picture) => sharp(picture).png().toBuffer(),
  'cropped by 15 % at every side': cropped(0.15, 0.15, 0.15, 0.15),
  'cropped at one side': cropped(0.15, 0, 0, 0),
  'cropped to 60 %': cropped(0.2, 0.25, 0.2, 0.15),
  mirrored,
  'resized to a third': resized(0.35),
  'stretched by 8 %': resized(1.08, 1),
  'a screenshot with a browser around it': framed(0.02, 0.08, '#ffffff'),
  'a page around it': framed(0.12, 0.1, '#f4f4f2'),
  'with a band of words': banded,
  'colors shifted': lit([1.08, 1, 0.9]),
  darker: lit([0.75, 0.75, 0.75]),
  'brighter, whites clipped': lit([1.25, 1.25, 1.25]),
  'black and white': (picture) => jpeg(sharp(picture).grayscale()),
  blurred: (picture) => jpeg(sharp(picture).blur(3)),
  'turned by 2 degrees': turned(2),
  'beside something else': beside,
  'mirrored, cropped, tinted, halved, quality 40': several(
    mirrored,
    cropped(0.05, 0.08, 0.06, 0.04),
    lit([1.05, 1, 0.93]),
    resized(0.5),
    encoded(40),
  ),
};

/** What honest people do to a photo. */
export const HONEST: Readonly<Record<string, Change>> = {
  'as it is': async (picture) => picture,
  'encoded again': encoded(60),
  'as WebP': (picture) => sharp(picture).webp({ quality: 60 }).toBuffer(),
  cropped: cropped(0.1, 0.05, 0.12, 0.1),
  'cropped much': cropped(0.25, 0.2, 0.1, 0.15),
  'in other light': lit([1.12, 1.08, 0.98], 4),
  darker: lit([0.7, 0.7, 0.74]),
  'through another lens': several(resized(1.06, 1), cropped(0.03, 0.03, 0.03, 0.03)),
  straightened: turned(1.5),
  smaller: resized(0.4),
};
