import { readFile } from 'node:fs/promises';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { shade } from './colors.ts';

/** Picture size in pixels. */
export interface Canvas {
  width: number;
  height: number;
}

/**
 * The one camera of all drawings: one-point perspective, eye at 1.5 m, looking straight ahead. The origin is the
 * point that the eye looks at; a thing at a distance of one meter has 768 units a meter. Rooms and furniture share
 * the camera, so that furniture drawn over a sample room is on its floor.
 */
export const EYE_HEIGHT_M = 1.5;
export const FOCAL = 768;
const HORIZON_SHARE = 0.45;

/**
 * The shapes of a drawing in this folder, painted. A color of a drawing is `$name`, or `$name*0.9*1.1`: each factor
 * makes it darker (below 1) or lighter.
 */
export async function readDrawing(
  folder: 'rooms' | 'furniture',
  room: CanonicalRoomType,
  colors: Readonly<Record<string, string>>,
): Promise<string> {
  const name = room.toLowerCase().replace('_', '-');
  const file = await readFile(new URL(`./${folder}/${name}.svg`, import.meta.url), 'utf8');
  const shapes = file.slice(file.indexOf('>') + 1, file.lastIndexOf('</svg>'));
  return shapes.replaceAll(/\$(\w+)([*.\d]*)/g, (_, color: string, factors: string) =>
    factors.split('*').slice(1).map(Number).reduce(shade, colors[color]!),
  );
}

/** Shapes in the camera's units as a document of this size; `over` is in pixels and lies above them. */
export function onCanvas({ width, height }: Canvas, shapes: string, over = ''): Buffer {
  const focal = Math.min(0.6 * Math.sqrt(width * height * 1.5), 0.78 * width);
  const place = `translate(${width / 2} ${height * HORIZON_SHARE}) scale(${focal / FOCAL})`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<g stroke-linejoin="round" transform="${place}">${shapes}</g>${over}</svg>`,
  );
}
