import type { Comparison } from './compare.ts';

/** Red for what is lost, blue for what is new: distinguishable also for people who confuse red and green. */
const LOST = [224, 32, 48, 200] as const;
const FRESH = [32, 96, 232, 200] as const;

/** Four bytes a pixel, transparent where nothing changed: to be laid over the staged picture. */
export function heatMapPixels({ lost, fresh }: Pick<Comparison, 'lost' | 'fresh'>): Uint8Array {
  const pixels = new Uint8Array(lost.length * 4);
  for (let at = 0; at < lost.length; at++) {
    if (lost[at] === 1) pixels.set(LOST, at * 4);
    else if (fresh[at] === 1) pixels.set(FRESH, at * 4);
  }
  return pixels;
}
