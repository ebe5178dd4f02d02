import fc from 'fast-check';
import {
  COMPARISONS,
  type Condition,
  type Literal,
  TEXT_FUNCTIONS,
} from '../../../persistence/reso/query-tree.ts';

/** Any condition over these fields, as the parser makes it. */
const FIELDS = ['ListingKey', 'ListPrice', 'City', 'InteriorFeatures', 'ModificationTimestamp', 'Unknown'];
const field = fc.constantFrom(...FIELDS);
const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => value.isWellFormed());
const day = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
});

export const literals: fc.Arbitrary<Literal> = fc.oneof(
  text.map((value): Literal => ({ kind: 'string', value })),
  fc
    .tuple(fc.integer(), fc.nat({ max: 999 }))
    .map(
      ([whole, rest]): Literal => ({
        kind: 'number',
        value: rest === 0 ? String(whole) : `${whole}.${rest}`,
      }),
    ),
  day.map((value): Literal => ({ kind: 'date', value: value.toISOString().slice(0, 10) })),
  day.map((value): Literal => ({ kind: 'instant', value: value.toISOString() })),
  fc.boolean().map((value): Literal => ({ kind: 'boolean', value })),
  fc.constantFrom<Literal>({ kind: 'null' }, { kind: 'now' }),
);

export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    fc.record({
      kind: fc.constant('compare' as const),
      field,
      operator: fc.constantFrom(...COMPARISONS),
      literal: literals,
    }),
    fc.record({ kind: fc.constant('has' as const), field, literal: literals }),
    fc.record({
      kind: fc.constant('in' as const),
      field,
      literals: fc.array(literals, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('text' as const),
      call: fc.constantFrom(...TEXT_FUNCTIONS),
      field,
      value: text,
    }),
    fc.record({
      kind: fc.constant('any' as const),
      field,
      variable: fc.constant(''),
      inner: fc.constant(null),
    }),
    fc.record({ kind: fc.constant('not' as const), inner: tie('any') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom('any' as const, 'all' as const),
      field,
      variable: fc.constantFrom('x', 'item'),
      inner: tie('any'),
    }),
  ),
})).any;
