import { expect, test } from 'vitest';
import { withoutChange } from '../../../../../../clients/web/pages/studio/details/pending-change.ts';

test('a change that has ended leaves what was changed once more meanwhile', () => {
  const [first, second] = [['POOL'], ['POOL', 'FIREPLACE']];
  const pending = { features: second, city: 'Seattle', yearBuilt: null };
  expect(withoutChange(pending, { features: first, city: 'Seattle', yearBuilt: null })).toEqual({
    features: second,
  });
  expect(withoutChange(pending, pending)).toEqual({});
});
