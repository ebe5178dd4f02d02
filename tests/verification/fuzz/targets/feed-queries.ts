import fc from 'fast-check';
import { expect } from 'vitest';
import { ConditionSql } from '../../../../persistence/reso/condition-sql.ts';
import { QueryFault } from '../../../../persistence/reso/query-tree.ts';
import { resourcesOf } from '../../../../persistence/reso/resources/all.ts';
import { MOST_CHARACTERS, parseFilter, writeFilter } from '../../../../src/reso/query/parse-filter.ts';
import { readOptions } from '../../../../src/reso/query/query-options.ts';
import { conditions } from '../../../support/reso/conditions.ts';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';

const resources = resourcesOf({ origin: 'https://homes.example', name: 'Homes' });
const PIECES =
  `ListPrice City InteriorFeatures x x:x now() not and or eq ne in has any all ( ) , / : ' '' 'a' 1 -1.5 2026-02-30 2026-02-28T00:00:00Z null true % -- ;`.split(
    ' ',
  );
type FuzzInput = { option: string; text: string; isWritten: boolean };

/**
 * `$filter` and the other options of the feed: what is read is written and read again as the same, and is SQL whose every value
 * is a parameter; everything else is a fault for the sender.
 */
export const feedQueries = defineTarget<unknown, FuzzInput>({
  name: 'feed-queries',
  about: 'queries of the feed',
  runs: 800,
  mustSee: ['compiled', 'read', 'refused'],
  input: () =>
    fc.oneof(
      conditions.map((condition) => ({ option: '$filter', text: writeFilter(condition), isWritten: true })),
      fc.record({
        option: fc.constantFrom(
          '$filter',
          '$orderby',
          '$select',
          '$expand',
          '$top',
          '$skip',
          '$count',
          '$skiptoken',
        ),
        text: fc.oneof(
          hostileText,
          fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(' ')),
          fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
          fc.constantFrom('('.repeat(MOST_CHARACTERS), 'not '.repeat(900), `'${"''".repeat(1_990)}`),
        ),
        isWritten: fc.constant(false),
      }),
    ),
  feed({ option, text }) {
    const property = resources.get('Property');
    if (property === undefined) throw new Error('there is no Property');
    try {
      const { filter } = readOptions(new URLSearchParams([[option, text]]), property, { isCollection: true });
      if (filter === null) return 'read';
      expect(parseFilter(writeFilter(filter))).toEqual(filter);
      const compiled = new ConditionSql(property);
      const sql = compiled.of(filter);
      // The same SQL whatever the values are.
      const placeholders = [...sql.matchAll(/\$(\d+)::/g)].map(([, number]) => Number(number));
      expect(new Set(placeholders).size).toBe(compiled.values.list.length);
      return 'compiled';
    } catch (error) {
      if (!(error instanceof QueryFault)) throw error;
      expect(error.message.length).toBeLessThan(300);
      return 'refused';
    }
  },
});
