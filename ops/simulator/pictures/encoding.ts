import sharp, { type Sharp } from 'sharp';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

/**
 * Encodes a drawn picture. `compression` 0 to 100 is used as the quality of jpeg and webp; png has none.
 * The picture is flat RGB without metadata.
 */
export function encodePicture(
  picture: Sharp,
  { format, compression }: { format: PictureFormat; compression: number },
): Promise<Buffer> {
  const quality = Math.max(1, compression);
  const flat = picture.removeAlpha();
  switch (format) {
    case 'png':
      return flat.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      return flat.jpeg({ quality }).toBuffer();
    case 'webp':
      return flat.webp({ quality, effort: 2 }).toBuffer();
  }
}

type Encoding = Parameters<typeof encodePicture>[1];
const PLAIN = new Map<string, Promise<Buffer>>();
/** More than the shapes and formats that one run asks for. */
const MOST_PLAIN = 64;

/** A flat picture, drawn once for each shape and encoding, so that it costs next to nothing: for load runs. */
export function plainPicture(size: { width: number; height: number }, encoding: Encoding): Promise<Buffer> {
  const name = JSON.stringify([size, encoding]);
  const known = PLAIN.get(name);
  if (known !== undefined) return known;
  if (PLAIN.size === MOST_PLAIN) PLAIN.clear();
  const picture = encodePicture(sharp({ create: { ...size, channels: 3, background: '#d9d2c5' } }), encoding);
  PLAIN.set(name, picture);
  return picture;
}
