import { expect, test } from 'vitest';
import { named } from '../../../persistence/database/sql-values.ts';

test('each name becomes one numbered value; casts, times and quoted text stay', () => {
  const text = `select :a::int, concat(':', :b::text), time '13:00', :a::int + :long_1 where x = 'HH24:MI'`;
  expect(named(text, { b: 'B', a: 1, long_1: null, unused: 2 })).toEqual({
    text: `select $1::int, concat(':', $2::text), time '13:00', $1::int + $3 where x = 'HH24:MI'`,
    values: [1, 'B', null],
  });
});

test('a name without a value is an error', () => {
  expect(() => named('select :a, :b', { a: 1 })).toThrow('no value for :b');
});
