import { expect } from 'vitest';
import { PublicError } from '../../../../src/errors/errors.ts';
import { OutputRefused } from '../../../../src/images/decoding/output-refused.ts';
import { testDecoder } from '../../../support/pictures/decoders.ts';
import { codedHeic, heicFile } from '../../../support/pictures/heic-files.ts';
import { corners, noisy } from '../../../support/pictures/photo-fixtures.ts';

export const READERS = ['photo', 'avatar', 'staged-output'] as const;
export type PictureReader = (typeof READERS)[number];

/** Valid pictures of every accepted kind, small and large, as input for damage, and their readers. */
export interface PictureWorld {
  readonly pictures: readonly Buffer[];
  /** Reads it in a decoder, as the roles do. Throws for an undeclared error or a dead decoder. */
  read(reader: PictureReader, bytes: Buffer): Promise<'accepted' | 'refused'>;
  close(): Promise<void>;
}

/** The least side that the provider's pictures may have. */
const SIDE = 512;
const UPLOAD_ERRORS: readonly string[] = ['PHOTO_TYPE_UNSUPPORTED', 'PHOTO_TOO_LARGE', 'PHOTO_BROKEN'];

export async function openPictureWorld(): Promise<PictureWorld> {
  const large = () => noisy(SIDE, SIDE);
  const pictures = await Promise.all(
    [
      corners().jpeg(),
      corners().jpeg({ progressive: true }),
      corners().withMetadata({ orientation: 6 }).jpeg(),
      corners().png(),
      corners().png({ palette: true }),
      corners().ensureAlpha().png({ progressive: true }),
      corners().webp(),
      corners().webp({ lossless: true }),
      corners().avif({ effort: 0 }),
      large().webp(),
      large().jpeg(),
      large().png(),
    ].map((picture) => picture.toBuffer()),
  );
  const lost: string[] = [];
  const decoder = testDecoder({ onLost: (reason) => lost.push(reason) });
  return {
    pictures: [...pictures, codedHeic('corners-p3'), heicFile({ grid: [2, 2], turns: 1 })],
    async read(reader, bytes) {
      const load = () => bytes;
      lost.length = 0;
      try {
        if (reader === 'staged-output') await decoder.run(reader, [expectedOf(bytes)], { load });
        else await decoder.run(reader, [], { load });
        return 'accepted';
      } catch (error) {
        const isDeclared =
          reader === 'staged-output'
            ? error instanceof OutputRefused
            : error instanceof PublicError && UPLOAD_ERRORS.includes(error.code);
        if (!isDeclared) throw error;
        expect(lost, 'a decoder was lost').toEqual([]);
        return 'refused';
      }
    },
    close: () => decoder.close(),
  };
}

/** A PNG or WebP must not be rejected for its format alone. */
function expectedOf(bytes: Buffer) {
  const format = bytes[0] === 0x89 ? 'png' : 'webp';
  return { format, aspectRatio: '1:1' } as const;
}
