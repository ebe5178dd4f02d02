import { expect, test } from 'vitest';
import { exportOrder } from '../../../machines/disclosure/export-order.ts';

const picture = (imageId: string, originalImageId: string | null = null) => ({
  imageId,
  originalImageId,
  isAltered: originalImageId !== null,
});
const GALLERY = [
  picture('a'),
  picture('a1', 'a'),
  picture('a2', 'a'),
  picture('b'),
  picture('c'),
  picture('c1', 'c'),
];
const names = (pictures: readonly { imageId: string }[]) => pictures.map(({ imageId }) => imageId).join(' ');

test.each([
  ['ANY', 'a a1 a2 b c c1'],
  ['ORIGINAL_BESIDE', 'a a1 a a2 b c c1'],
  // The photo of the cover comes first, although its staged picture would.
  ['ALTERED_FIRST', 'a a1 a a2 a b c1 c'],
] as const)('%s', (order, expected) => {
  expect(names(exportOrder(GALLERY, order))).toBe(expected);
});

test('a staged picture without its photo is left out: nothing shows what was altered', () => {
  expect(names(exportOrder([picture('x1', 'x'), picture('b')], 'ANY'))).toBe('b');
});

test('no pictures give none', () => {
  expect(exportOrder([], 'ALTERED_FIRST')).toEqual([]);
});

test('an altered photo is not the first: an unaltered one is shown before it, and also in its place', () => {
  const altered = { ...picture('x'), isAltered: true };
  expect(names(exportOrder([altered, picture('b')], 'ANY'))).toBe('b x b');
  expect(names(exportOrder([altered], 'ANY'))).toBe('x');
});
