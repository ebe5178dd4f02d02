import fc from 'fast-check';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { transformer } from '../../../src/api/transformer.ts';

const text = (write: () => unknown): string => {
  try {
    return JSON.stringify(write());
  } catch (error) {
    return String(error);
  }
};
function sameAsSuperjson(value: unknown): void {
  expect(text(() => transformer.serialize(value))).toBe(text(() => superjson.serialize(value)));
}

test('every output is read as if superjson had written it', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.date({ noInvalidDate: true }),
    fc.bigInt(),
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY, new Set([1]), new Map()),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    record: fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 4, noNullPrototype: false }),
  }));
  fc.assert(fc.property(value, sameAsSuperjson));
});

class Own {
  held = 1;
}
const twice = { a: 1 };
const ring: Record<string, unknown> = {};
ring.self = ring;

test.each([
  ['what occurs twice', [twice, twice]],
  ['what holds itself', ring],
  ['a list of holes', Array(2)],
  ['an instance of a class', new Own()],
  ['a forbidden name', JSON.parse('{"__proto__":{"a":1}}')],
  ['another forbidden name', { constructor: 1 }],
  ['an object that writes itself', { toJSON: () => 'itself' }],
  ['minus zero', { at: -0 }],
  ['no number', [Number.NaN, Number.NEGATIVE_INFINITY]],
  ['nothing', { at: undefined }],
  ['an invalid date', new Date(Number.NaN)],
])('%s is left to superjson', (_, value) => sameAsSuperjson(value));
