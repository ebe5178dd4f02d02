import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { serveTurns } from '../peers/serve-turns.ts';

/** What a conversion costs by itself: the photo's bytes are in memory, and no request waits for the result. */
export interface Conversion {
  readonly file: string;
  readonly side: number;
  readonly format: 'webp' | 'jpeg';
  readonly times: number;
}

const QUALITY = 80;
sharp.cache(false);

serveTurns(
  {
    /** Milliseconds for one, one after the other. */
    async turn({ file, side, format, times }: Conversion) {
      const bytes = await readFile(file);
      const began = performance.now();
      for (let done = 0; done < times; done++) {
        const upright = sharp(bytes, { sequentialRead: true, autoOrient: true });
        await upright
          .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
          .toColourspace('srgb')
          [format]({ quality: QUALITY })
          .toBuffer();
      }
      return (performance.now() - began) / times;
    },
  },
  async () => {},
);
