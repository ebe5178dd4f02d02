import sharp from 'sharp';
import { seededRandom } from '../../simulator/pictures/colors.ts';
import { stagePhoto } from '../../simulator/pictures/staging.ts';
import { asJpeg, type Canvas, draw, openCanvas, type Rectangle, repainted } from './canvas.ts';
import { findBlank, findThing, findWall, type Mask } from './surfaces.ts';

/** The kinds of the table in docs/testing.md#drift. */
export type Kind =
  | 'staged'
  | 're-rendered'
  | 'widened, stretched, zoomed'
  | 'wall recolored'
  | 'window or appliance removed'
  | 'wall papered'
  | 'window or pendant added';

export interface Alteration {
  readonly kind: Kind;
  readonly isHonest: boolean;
  /** The changed picture as JPEG; null when the photo has nothing that can be changed so. */
  make(photo: Canvas): Promise<Buffer | null>;
}

/** What a model returns is encoded again, and a little noisy. */
async function returned(canvas: Canvas, seed: number, quality = 85): Promise<Buffer> {
  const random = seededRandom(seed);
  return asJpeg(
    repainted(canvas, (_, red, green, blue) => {
      const noise = (random() - 0.5) * 5;
      return [red + noise, green + noise, blue + noise];
    }),
    quality,
  );
}

const honest = (kind: Kind, make: Alteration['make']): Alteration => ({ kind, isHonest: true, make });
const dishonest = (kind: Kind, make: Alteration['make']): Alteration => ({ kind, isHonest: false, make });

export const ALTERATIONS: readonly Alteration[] = [
  ...['modern living room', 'scandinavian bedroom', 'industrial dining room'].map((prompt, at) =>
    honest('staged', async (photo) => returned(await staged(photo, prompt), at)),
  ),
  honest('re-rendered', async (photo) =>
    returned(
      repainted(photo, (_, red, green, blue) => [1.12 * red + 4, 1.12 * green + 4, 1.1 * blue + 4]),
      4,
    ),
  ),
  honest('re-rendered', async (photo) =>
    returned(
      repainted(photo, (_, red, green, blue) => [1.05 * red, 0.99 * green, 0.9 * blue]),
      5,
      70,
    ),
  ),
  dishonest('widened, stretched, zoomed', (photo) => scaled(photo, { across: 1.06, down: 1 })),
  dishonest('widened, stretched, zoomed', (photo) => scaled(photo, { across: 1, down: 1.05 })),
  dishonest('widened, stretched, zoomed', (photo) => scaled(photo, { across: 1.08, down: 1.08 })),
  dishonest('wall recolored', async (photo) => {
    const wall = await findWall(photo);
    return wall && returned(tinted(await staged(photo, 'modern living room'), wall, [0.78, 0.92, 0.86]), 6);
  }),
  dishonest('window or appliance removed', async (photo) => {
    const thing = await findThing(photo);
    return thing && returned(filledIn(await staged(photo, 'modern living room'), thing), 7);
  }),
  dishonest('wall papered', async (photo) => {
    const wall = await findWall(photo);
    return wall && returned(papered(await staged(photo, 'modern living room'), wall), 13);
  }),
  dishonest('window or pendant added', async (photo) => {
    const place = await findBlank(photo);
    return place && returned(await drawnOver(photo, fakeWindow(place)), 9);
  }),
  dishonest('window or pendant added', async (photo) =>
    returned(await drawnOver(photo, fakePendant(photo)), 10),
  ),
];

async function staged(photo: Canvas, prompt: string): Promise<Canvas> {
  const { width, height } = photo;
  const picture = await stagePhoto({ photo: await draw(photo).png().toBuffer(), prompt, width, height });
  const { data } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width, height, rgb: data };
}

/** The room made larger by these factors and cut at the borders, as if it were so. */
async function scaled(photo: Canvas, { across, down }: { across: number; down: number }): Promise<Buffer> {
  const [width, height] = [Math.round(photo.width * across), Math.round(photo.height * down)];
  const large = await draw(photo).resize(width, height, { fit: 'fill' }).png().toBuffer();
  const cut = { left: (width - photo.width) >> 1, top: (height - photo.height) >> 1 };
  const { rgb } = await openCanvas(
    await sharp(large)
      .extract({ ...cut, width: photo.width, height: photo.height })
      .png()
      .toBuffer(),
  );
  return returned({ ...photo, rgb }, 11);
}

function tinted(photo: Canvas, mask: Mask, tint: readonly [number, number, number]): Canvas {
  return repainted(photo, (at, ...color) =>
    mixed(
      color,
      color.map((value, channel) => value * tint[channel]!),
      mask[at]!,
    ),
  );
}

const mixed = (from: readonly number[], to: readonly number[], share: number) =>
  from.map((value, channel) => value + (to[channel]! - value) * share) as [number, number, number];

/** Stripes and dots in the light of the wall, nearly in its color. */
function papered(photo: Canvas, mask: Mask): Canvas {
  const { width } = photo;
  const [stripe, dot] = [width / 24, width / 60];
  return repainted(photo, (at, ...color) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isDot = Math.hypot((x % dot) - dot / 2, (y % dot) - dot / 2) < dot / 4;
    const shade = isDot ? 0.72 : x % stripe < stripe / 2 ? 0.88 : 1;
    return mixed(
      color,
      color.map((value) => value * shade),
      mask[at]!,
    );
  });
}

/** The rectangle filled from its border, as a model paints a wall where a window was. */
function filledIn(photo: Canvas, { left, top, width, height }: Rectangle): Canvas {
  const margin = 4;
  const colorAt = (x: number, y: number) => {
    const at =
      (Math.max(0, Math.min(photo.height - 1, y)) * photo.width + Math.max(0, Math.min(photo.width - 1, x))) *
      3;
    return [photo.rgb[at]!, photo.rgb[at + 1]!, photo.rgb[at + 2]!] as const;
  };
  return repainted(photo, (at, ...color) => {
    const [x, y] = [at % photo.width, Math.floor(at / photo.width)];
    if (x < left || x >= left + width || y < top || y >= top + height) return color;
    const [across, down] = [(x - left) / width, (y - top) / height];
    const sideways = mixed(colorAt(left - margin, y), colorAt(left + width + margin, y), across);
    const upright = mixed(colorAt(x, top - margin), colorAt(x, top + height + margin), down);
    const border = Math.min(across, 1 - across);
    const edge = Math.min(down, 1 - down);
    return mixed(sideways, upright, border / Math.max(1e-6, border + edge));
  });
}

async function drawnOver(photo: Canvas, shapes: string): Promise<Canvas> {
  const { width, height } = photo;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`;
  const picture = await draw(photo)
    .composite([{ input: await sharp(Buffer.from(svg)).blur(0.6).png().toBuffer() }])
    .png()
    .toBuffer();
  return openCanvas(picture);
}

function fakeWindow({ left, top, width, height }: Rectangle): string {
  const frame = Math.max(3, Math.round(width * 0.04));
  const middle = left + width / 2;
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#cfe3f2" stroke="#f5f3ee" stroke-width="${frame}"/>
    <rect x="${left}" y="${top + height * 0.62}" width="${width}" height="${height * 0.38}" fill="#9fb88d"/>
    <line x1="${middle}" x2="${middle}" y1="${top}" y2="${top + height}" stroke="#f5f3ee" stroke-width="${frame}"/>`;
}

function fakePendant({ width, height }: Canvas): string {
  const [x, y] = [width * 0.56, height * 0.24];
  return `<line x1="${x}" x2="${x}" y1="0" y2="${y}" stroke="#2a2a2a" stroke-width="${width / 400}"/>
    <path d="M${x - width * 0.05} ${y + height * 0.07} Q${x} ${y - height * 0.06} ${x + width * 0.05} ${y + height * 0.07} Z" fill="#33312f"/>`;
}
