import { corners, noisy } from '../../src/images/photo-fixtures.ts';

/** Sound pictures of every kind that is accepted, small and large, as starting points of damage. */
export interface PictureWorld {
  readonly pictures: readonly Buffer[];
  close(): Promise<void>;
}

/** The least side that the provider's pictures may have. */
const SIDE = 512;

export async function openPictureWorld(): Promise<PictureWorld> {
  const large = () => noisy(SIDE, SIDE);
  const pictures = await Promise.all(
    [
      ...[
        corners().jpeg(),
        corners().jpeg({ progressive: true }),
        corners().withMetadata({ orientation: 6 }).jpeg(),
      ],
      ...[
        corners().png(),
        corners().png({ palette: true }),
        corners().ensureAlpha().png({ progressive: true }),
      ],
      ...[corners().webp(), corners().webp({ lossless: true }), corners().avif({ effort: 0 })],
      ...[large().webp(), large().jpeg(), large().png()],
    ].map((picture) => picture.toBuffer()),
  );
  return { pictures, close: async () => {} };
}
