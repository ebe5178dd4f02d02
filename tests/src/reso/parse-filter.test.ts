import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QueryFault } from '../../../persistence/reso/query-tree.ts';
import {
  MOST_CHARACTERS,
  MOST_DEPTH,
  MOST_TERMS,
  parseFilter,
  writeFilter,
} from '../../../src/reso/query/parse-filter.ts';
import { conditions } from '../../support/reso/conditions.ts';

/** The subset of OData's filters (docs/feeds.md#queries). */
describe('a filter', () => {
  test('that is written is read as the same condition', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const text = writeFilter(condition);
        fc.pre(text.length <= MOST_CHARACTERS);
        expect(parseFilter(text)).toEqual(condition);
      }),
    );
  });

  test('binds and before or, and not before both', () => {
    expect(parseFilter('A eq 1 or not B eq 2 and C eq 3')).toEqual(
      parseFilter('(A eq 1) or ((not (B eq 2)) and (C eq 3))'),
    );
  });

  test.each([
    ['', 'nothing'],
    ["A eq 'b", 'an open string'],
    ['A eq', 'no value'],
    ['A eq 1 B', 'a rest'],
    ['A eq 2026-02-30', 'a day of no calendar'],
    ['A eq 2026-01-01T25:00:00Z', 'an hour of no clock'],
    ['A eq 2026-01-01T00:00:00', 'an instant without a zone'],
    ['1 eq A', 'a value first'],
    ['A EQ 1', 'another spelling'],
    ['eq eq 1', 'an operator as a field'],
    ["tolower(A) eq 'b'", 'a function that is not served'],
    ["A eq 'b' --", 'a comment'],
    ['A/any(x eq 1)', 'a lambda without a variable'],
    ['A/all()', 'all of nothing'],
    ['A in ()', 'no values'],
    [`A eq ${'1'.repeat(40)}`, 'a number without an end'],
    [`${'('.repeat(MOST_DEPTH + 1)}A eq 1${')'.repeat(MOST_DEPTH + 1)}`, 'too deep'],
    [`${'not '.repeat(MOST_DEPTH + 1)}A eq 1`, 'too many nots'],
    [Array.from({ length: MOST_TERMS + 1 }, () => 'A eq 1').join(' or '), 'too many terms'],
    [`A eq '${'b'.repeat(MOST_CHARACTERS)}'`, 'too long'],
  ])('%s is refused', (text) => {
    expect(() => parseFilter(text)).toThrow(QueryFault);
  });

  test('is read in time that grows with its length alone', () => {
    for (const text of [
      `'${"''".repeat(1_990)}`,
      `A eq ${'-'.repeat(3_900)}`,
      '/'.repeat(3_999),
      'a'.repeat(3_999),
    ]) {
      const since = performance.now();
      expect(() => parseFilter(text)).toThrow(QueryFault);
      expect(performance.now() - since).toBeLessThan(200);
    }
  });
});
