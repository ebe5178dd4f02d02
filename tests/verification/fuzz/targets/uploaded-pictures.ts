import fc from 'fast-check';
import { defineTarget } from '../target.ts';
import { damaged } from '../values/damaged-bytes.ts';
import { type PictureReader, type PictureWorld, READERS } from '../worlds/picture-world.ts';

interface FuzzInput {
  readonly reader: PictureReader;
  readonly bytes: Buffer;
}

/**
 * Pictures from agents, from any signed-in user, and from the provider: each is accepted or rejected with a
 * code.
 */
export const uploadedPictures = defineTarget<PictureWorld, FuzzInput>({
  name: 'uploaded-pictures',
  about: 'damaged JPEG, PNG, WebP, AVIF and HEIC files to the readers of photos, avatars and staged outputs',
  runs: 260,
  mustSee: ['accepted', 'refused'],
  input: ({ pictures }) =>
    fc.record({
      reader: fc.constantFrom(...READERS),
      bytes: fc.oneof(
        { arbitrary: damaged(fc.constantFrom(...pictures)), weight: 12 },
        { arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
      ),
    }),
  feed: ({ reader, bytes }, world) => world.read(reader, bytes),
});
