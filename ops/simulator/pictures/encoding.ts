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

/** A flat picture that costs next to nothing: for load runs. */
export function plainPicture({ width, height }: { width: number; height: number }): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#d9d2c5' } });
}
