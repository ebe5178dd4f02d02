import { expect, test } from 'vitest';
import { inShare } from './share.ts';

const CASES = Array.from({ length: 26 }, (_, index) => index);

test('without a share every case runs', () => {
  expect(CASES.filter((index) => inShare(index, undefined))).toEqual(CASES);
});

test('each case runs in exactly one of the three shares, and a share is a third of them', () => {
  const shares = ['0/3', '1/3', '2/3'].map((share) => CASES.filter((index) => inShare(index, share)));
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(CASES);
  expect(shares.map(({ length }) => length)).toEqual([9, 9, 8]);
});

test.each(['', '3/3', '1/2', '1', '1/3 ', 'all'])('the share %j is rejected', (share) => {
  expect(() => inShare(0, share)).toThrow(`SHARE is ${JSON.stringify(share)}`);
});
