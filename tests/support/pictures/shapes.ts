import type { StagingAspectRatio } from '../../../machines/vocabulary.ts';

/** Shapes of photos that agents upload, and the nearest shape of the provider. */
export const PHOTO_SHAPES: readonly [
  name: string,
  size: { width: number; height: number },
  nearest: StagingAspectRatio,
][] = [
  ['a portrait photo, 3:4', { width: 1200, height: 1600 }, '2:3'],
  ['a landscape photo, 4:3', { width: 1600, height: 1200 }, '3:2'],
  ['a wide photo, 16:9', { width: 1920, height: 1080 }, '3:2'],
  ['a panorama, 2:1', { width: 2400, height: 1200 }, '3:2'],
  ['a square photo', { width: 1100, height: 1100 }, '1:1'],
];
