import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterIn, fits } from '../../../../../../clients/web/pages/studio/photos/photo-filter.ts';
import {
  movesBetween,
  orderAfter,
  orderBeside,
} from '../../../../../../clients/web/pages/studio/photos/photo-order.ts';

/** Letters stand for photos. The server puts a moved one at an index among the others. */
const moved = (listed: readonly string[], imageId: string, position: number): string[] =>
  listed.filter((one) => one !== imageId).toSpliced(position, 0, imageId);

describe('the order of photos that are dragged together', () => {
  test.each([
    ['abcde', 'a', 'a', 'c', 'bcade'],
    ['abcde', 'd', 'd', 'b', 'adbce'],
    ['abcde', 'bd', 'b', 'e', 'acebd'],
    ['abcde', 'bd', 'd', 'c', 'abdce'],
    ['abcde', 'bd', 'd', 'b', 'abcde'],
  ])('of %s: %s, held at %s, over %s, is %s', (listed, together, dragged, target, order) => {
    expect(orderAfter([...listed], { moved: [...together], dragged, target }).join('')).toBe(order);
  });

  test.each([
    ['abcde', 'c', -1, 'acbde'],
    ['abcde', 'bd', -1, 'bdace'],
    ['abcde', 'bd', 1, 'acebd'],
    ['abcde', 'ab', -1, null],
    ['abcde', 'e', 1, null],
    ['abcde', '', 1, null],
  ] as const)('of %s: %s by %s is %s', (listed, together, by, order) => {
    expect(orderBeside([...listed], [...together], by)?.join('') ?? null).toBe(order);
  });

  test('is reached by as many calls as photos move, whichever they are and wherever they are dropped', () => {
    const photos = [...'abcdefg'];
    fc.assert(
      fc.property(
        fc.subarray(photos, { minLength: 1 }),
        fc.constantFrom(...photos),
        fc.nat(),
        (together, target, at) => {
          const dragged = together[at % together.length] ?? '';
          const order = orderAfter(photos, { moved: together, dragged, target });
          const moves = movesBetween(photos, order, together);
          expect(moves.length).toBeLessThanOrEqual(together.length);
          const stored = moves.reduce<readonly string[]>(
            (listed, { imageId, position }) => moved(listed, imageId, position),
            photos,
          );
          expect(stored).toEqual(order);
        },
      ),
    );
  });
});

describe('the filter of photos', () => {
  const photo = { roomType: 'KITCHEN', imageOf: 'Kitchen', stagingRefusal: null };
  const staged = (reviewStatus: string, withdrawnAt: string | null = null) => ({
    kind: 'staged',
    variant: { reviewStatus, withdrawnAt },
  });
  test.each([
    ['no-room', { ...photo, roomType: null, imageOf: null }, [], true],
    ['no-room', { ...photo, roomType: null, imageOf: 'Patio' }, [], false],
    ['no-room', photo, [], false],
    ['not-staged', photo, [], true],
    ['not-staged', photo, [staged('APPROVED', '2026-01-01T00:00:00Z')], true],
    ['not-staged', photo, [staged('APPROVED')], false],
    ['not-staged', photo, [{ kind: 'rejected' }, { kind: 'failed' }], true],
    ['not-staged', photo, [{ kind: 'open' }], false],
    ['not-staged', { ...photo, roomType: null, imageOf: 'Patio' }, [], false],
    // It cannot be staged, so it does not wait for that.
    ['not-staged', { ...photo, stagingRefusal: 'PHOTO_TOO_SMALL' }, [], false],
    ['to-review', photo, [staged('APPROVED'), staged('PENDING_REVIEW')], true],
    ['to-review', photo, [staged('APPROVED')], false],
    ['all', photo, [], true],
  ] as const)('%s of %o with %o: %s', (filter, one, states, isShown) => {
    expect(fits(filter, one as never, states as never)).toBe(isShown);
  });

  test('stands in the address; what is none counts as all', () => {
    expect([filterIn({ show: 'to-review' }), filterIn({ show: 'x' }), filterIn({})]).toEqual([
      'to-review',
      'all',
      'all',
    ]);
  });
});
