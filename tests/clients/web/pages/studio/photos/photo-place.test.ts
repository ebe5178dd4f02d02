import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverOf, placeOf } from '../../../../../../clients/web/pages/studio/photos/photo-place.ts';

/** Letters stand for photos. The server puts a moved one at an index among the others. */
const moved = (listed: readonly string[], imageId: string, position: number): string[] =>
  listed.filter((one) => one !== imageId).toSpliced(position, 0, imageId);

describe('the place of a new photo', () => {
  test.each([
    ['c', 'abc', 'abc', null],
    ['a', 'ba', 'ab', 0],
    ['a', 'xbca', 'abc', 1],
    ['b', 'xacb', 'abc', 2],
    ['c', 'cab', 'abc', 2],
    // Its answer came late: it was stored first, and is right.
    ['a', 'ab', 'ab', null],
    // Photos of others stand between.
    ['c', 'axbyc', 'abc', null],
    // An agent has moved a later photo to the front: the new one stays behind the one before it.
    ['c', 'dabc', 'abcd', null],
    // The one before it was deleted, or all were, or it was itself.
    ['b', 'cb', 'abc', 0],
    ['b', 'xb', 'abc', null],
    ['b', 'ac', 'abc', null],
  ])('of %s in %s, chosen as %s, is %s', (imageId, listed, chosen, place) => {
    expect(placeOf(imageId, { listed: [...listed], chosen: [...chosen] })).toBe(place);
  });

  test('is such that all stand in the order chosen, whatever order they were stored and answered in', () => {
    const photos = [...'abcdef'];
    const order = fc.shuffledSubarray(photos, { minLength: photos.length });
    fc.assert(
      fc.property(order, order, (stored, answered) => {
        let listed = ['x', ...stored, 'y'];
        for (const [index, imageId] of answered.entries()) {
          const chosen = answered.slice(0, index + 1).toSorted();
          const place = placeOf(imageId, { listed, chosen });
          if (place !== null) listed = moved(listed, imageId, place);
        }
        expect(listed.filter((one) => photos.includes(one))).toEqual(photos);
      }),
    );
  });
});

describe('the cover of a listing that had none', () => {
  const chosenAs = (photos: string, made: string) =>
    [...photos].map((imageId) => ({ imageId, isMain: imageId === made }));

  test.each([
    ['a', 'abc', 'a', null],
    ['b', 'abc', 'b', 'a'],
    // The one that the server made the cover is not placed yet.
    ['c', 'ab', 'c', null],
    ['c', 'bc', 'c', 'b'],
    // It went on to an earlier one already.
    ['b', 'abc', 'c', 'a'],
    // An agent has chosen another: a later one, or one that was there before. Or there is none.
    ['c', 'abc', 'b', null],
    ['x', 'abc', '', null],
    [undefined, 'abc', 'b', null],
  ])('%s, with %s chosen, of which %s became it, goes on to %s', (cover, chosen, made, next) => {
    expect(coverOf(cover, chosenAs(chosen, made))).toBe(next);
  });

  test('is the first one chosen in the end, whatever order they were stored and answered in', () => {
    const photos = [...'abcdef'];
    const order = fc.shuffledSubarray(photos, { minLength: photos.length });
    fc.assert(
      fc.property(order, order, (stored, answered) => {
        let cover = stored[0] ?? '';
        for (const [index] of answered.entries()) {
          const placed = answered.slice(0, index + 1).toSorted();
          cover = coverOf(cover, chosenAs(placed.join(''), stored[0] ?? '')) ?? cover;
        }
        expect(cover).toBe('a');
      }),
    );
  });
});
