import { expect, test } from 'vitest';
import { shareOf } from './share.ts';

const CASES = Array.from({ length: 26 }, (_, index) => index);

test('without a share every case runs', () => {
  expect(CASES.filter(shareOf(undefined))).toEqual(CASES);
});

test('each case runs in exactly one of the three shares, and a share is a third of them', () => {
  const shares = ['0/3', '1/3', '2/3'].map((share) => CASES.filter(shareOf(share)));
  expect(shares.flat().toSorted((a, b) => a - b)).toEqual(CASES);
  expect(shares.map(({ length }) => length)).toEqual([9, 9, 8]);
});

test.each(['', '3/3', '1/2', '1', '1/3 ', 'all'])('the share %j is rejected', (share) => {
  expect(() => shareOf(share)).toThrow(`SHARE is ${JSON.stringify(share)}`);
});
