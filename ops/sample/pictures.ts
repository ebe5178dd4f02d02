import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { CanonicalStyle } from '../../machines/vocabulary.ts';
import { HEIGHT, WIDTH } from './drawings/canvas.ts';
import { drawFacade } from './drawings/facades/facade.ts';
import { drawRoom } from './drawings/rooms/room.ts';
import type { PlannedPhoto } from './town.ts';

interface DrawnPicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly format: 'jpeg';
  readonly checksum: string;
}

/** Draws each picture once; homes share the file. */
export type Drawings = (
  picture: PlannedPhoto['picture'],
  style: CanonicalStyle | null,
) => Promise<DrawnPicture>;

export function createDrawings(): Drawings {
  const drawn = new Map<string, Promise<DrawnPicture>>();
  return (picture, style) => {
    const key = JSON.stringify([picture, style]);
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const made = draw(picture, style);
    drawn.set(key, made);
    return made;
  };
}

/** Like a photo, a drawing is stored as JPEG without metadata. */
async function draw(picture: PlannedPhoto['picture'], style: CanonicalStyle | null): Promise<DrawnPicture> {
  const svg =
    'facade' in picture
      ? drawFacade({ style: picture.facade, colors: picture.colors, evening: picture.evening })
      : drawRoom({ kind: picture.room, look: picture.look, style });
  const bytes = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 88 })
    .toBuffer();
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { bytes, width: WIDTH, height: HEIGHT, format: 'jpeg', checksum };
}
