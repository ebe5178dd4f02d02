import fc from 'fast-check';
import { PublicError } from '../../../src/errors.ts';
import { prepareAvatar } from '../../../src/images/avatar-picture.ts';
import { OutputRefused } from '../../../src/images/output-refused.ts';
import { preparePhoto } from '../../../src/images/photo-intake.ts';
import { inspectStagedOutput } from '../../../src/images/staged-output.ts';
import { defineTarget } from '../target.ts';
import { damaged } from '../values/damaged-bytes.ts';
import type { PictureWorld } from '../worlds/picture-world.ts';

const READERS = ['photo', 'avatar', 'staged-output'] as const;
interface Given {
  readonly reader: (typeof READERS)[number];
  readonly bytes: Buffer;
}
const UPLOAD_REFUSALS: readonly string[] = ['PHOTO_TYPE_UNSUPPORTED', 'PHOTO_TOO_LARGE', 'PHOTO_BROKEN'];

/** Pictures from agents, from anybody who is signed in, and from the provider: each refused in its own words. */
export const uploadedPictures = defineTarget<PictureWorld, Given>({
  name: 'uploaded-pictures',
  about: 'damaged JPEG, PNG, WebP and AVIF files to the readers of photos, avatars and staged outputs',
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
  async feed({ reader, bytes }) {
    try {
      if (reader === 'photo') await preparePhoto(bytes);
      else if (reader === 'avatar') await prepareAvatar(bytes);
      else await inspectStagedOutput(bytes, { format: 'webp', aspectRatio: '1:1' });
      return 'accepted';
    } catch (error) {
      const declared =
        reader === 'staged-output'
          ? error instanceof OutputRefused
          : error instanceof PublicError && UPLOAD_REFUSALS.includes(error.code);
      if (!declared) throw error;
      return 'refused';
    }
  },
});
