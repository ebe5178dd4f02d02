import type { Attack } from '../attack.ts';
import { atRate, sender } from './sending.ts';

const SIDES = [64, 128, 256, 384, 512, 768, 1024, 1280, 1600, 2048];
const QUALITIES = [40, 60, 90];
const FORMATS = ['jpeg', 'webp', 'avif'];
/** Renditions a minute: more than twice the rate at which other visitors' pictures failed. */
const PER_MINUTE = 1_000;

/** Every unusual size of another agent's pictures. */
export const renditionFlood: Attack = {
  run({ origin, pictureIds, signal, note }) {
    const send = sender(origin);
    return atRate(PER_MINUTE / 60, { signal, note, most: 256 }, (number) => {
      const [w, h] = [SIDES[(number * 7) % 10], SIDES[Math.floor(number / 10) % 10]];
      const [q, format] = [QUALITIES[number % 3], FORMATS[Math.floor(number / 3) % 3]];
      const pictureId = pictureIds[number % pictureIds.length];
      return send(`/api/images/${pictureId}?w=${w}&h=${h}&q=${q}&format=${format}`);
    });
  },
};
