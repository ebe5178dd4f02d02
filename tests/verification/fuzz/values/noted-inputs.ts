import fc from 'fast-check';
import { hostileKey, hostileValue } from './hostile-values.ts';
import { placesIn, replacedAt } from './mutated.ts';
import { rawJson } from './raw-json.ts';

/** Every type that superjson can be told to build, and some that it cannot. */
const TYPES: readonly unknown[] = [
  'undefined',
  'number',
  'bigint',
  'Date',
  'regexp',
  'set',
  'map',
  'URL',
  'Error',
  'nope',
  '__proto__',
  ...['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64'].map(
    (kind) => ['typed-array', `${kind}Array`],
  ),
  ['typed-array', 'Array'],
  ['symbol', 'x'],
  ['class', 'Object'],
  ['custom', 'x'],
  [],
  [[]],
];
const type = fc.constantFrom<unknown>(...TYPES);
/** Keeps types without a special value as frequent as those with one. */
const typedArray = fc.constantFrom<unknown>(
  ...TYPES.filter((one) => Array.isArray(one) && one[0] === 'typed-array'),
);

/** Values over which a builder loops, or from which it builds very much. */
const costly: fc.Arbitrary<unknown> = fc.oneof(
  // Large enough to be noticed, but building a list of that length does not end this process.
  fc.constantFrom(3e6, 5e6).map((length) => ({ length })),
  fc.constantFrom({ length: -1 }, { length: '3e6' }, { size: 3e6 }, { 0: 1, length: 3e6 }),
  fc.constantFrom(
    '9'.repeat(9_000),
    `/${'(a+)+'.repeat(40)}$/`,
    '1e400',
    '-0',
    null,
    '+275760-09-13T00:00:00.000Z',
  ),
  fc.constantFrom('x', 'http://x/').map((text) => text.repeat(2_000)),
);

/** Large inputs: deep, wide, with many keys. */
const large: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"json":', '}]']),
    fc.constantFrom(33, 200, 3_000, 20_000),
    fc.constantFrom('0', '0,'.repeat(4_990).slice(0, -1), '[],'.repeat(30_000).slice(0, -1)),
  )
  .map(([[open = '', close = ''], depth, inside]) =>
    rawJson(`${open.repeat(depth)}[${inside}]${close.repeat(depth)}`),
  );

const odd = fc.oneof(
  hostileKey,
  fc.constantFrom('', '.', 'a\\', 'a\\.b', 'length', '0.0.0', `${'a.'.repeat(3_000)}a`),
);

/** superjson's `meta` for a value: annotations of existing places, of missing ones, and in invalid forms. */
function metaFor(json: unknown): fc.Arbitrary<unknown> {
  const own = placesIn(json)
    .slice(1)
    .map((path) => path.join('.'));
  const path = own.length === 0 ? odd : fc.oneof({ arbitrary: fc.constantFrom(...own), weight: 5 }, odd);
  const note = fc.oneof(
    type.map((one) => [one]),
    fc.tuple(
      type,
      fc.dictionary(
        path,
        type.map((one) => [one]),
        { maxKeys: 2 },
      ),
    ),
    type,
  );
  const values = fc.oneof(
    fc.dictionary(path, note, { maxKeys: 3 }),
    note,
    fc.constantFrom('x', 'length'),
    hostileValue,
  );
  // References of a place to itself, to its parent, and to the whole value.
  const equalities = fc.oneof(
    fc.dictionary(path, fc.array(path, { maxLength: 4 }), { maxKeys: 3 }),
    fc.array(fc.oneof(path, fc.constant('')), { maxLength: 3 }).map((paths) => [paths]),
    fc.tuple(fc.array(path), fc.dictionary(path, fc.array(path))),
    hostileValue,
  );
  const version = fc.constantFrom<unknown>(1, undefined, 0, 2, '1');
  return fc.oneof(
    { arbitrary: fc.record({ values, v: version }), weight: 3 },
    { arbitrary: fc.record({ referentialEqualities: equalities, v: version }), weight: 2 },
    { arbitrary: fc.record({ values, referentialEqualities: equalities }), weight: 1 },
    { arbitrary: hostileValue, weight: 1 },
  );
}

/**
 * Envelopes around values of `valid`: plain, annotated, with a costly value at the annotation, too large, or
 * missing.
 */
export function notedEnvelopes(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const noted = valid.chain((json) => fc.record({ json: fc.constant(json), meta: metaFor(json) }));
  const baited = fc
    .tuple(valid, fc.nat(60), fc.oneof(hostileKey, fc.constant('x')), costly, fc.oneof(type, typedArray))
    .map(([value, at, key, bait, kind]) => {
      // Replaces an object of the input or another part; in an empty input it gets a new key.
      const all = placesIn(value).slice(1);
      const objects = all.filter((path) =>
        all.some(
          (inner) => inner.length > path.length && String(inner.slice(0, path.length)) === String(path),
        ),
      );
      const places = at % 2 === 0 && objects.length > 0 ? objects : all;
      const path = places[at % Math.max(1, places.length)] ?? [key];
      const json = places.length === 0 ? { [key]: bait } : replacedAt(value, path, bait);
      return { json, meta: { values: { [path.join('.')]: [kind] } } };
    });
  // The whole input.
  const whole = fc
    .tuple(costly, fc.oneof(type, typedArray))
    .map(([json, kind]) => ({ json, meta: { values: [kind] } }));
  return fc.oneof(
    { arbitrary: valid.map((json) => ({ json, meta: { v: 1 } })), weight: 2 },
    { arbitrary: noted, weight: 5 },
    { arbitrary: baited, weight: 4 },
    { arbitrary: whole, weight: 2 },
    { arbitrary: large.map((json) => ({ json })), weight: 1 },
    { arbitrary: fc.tuple(valid, large).map(([json, meta]) => ({ json, meta })), weight: 1 },
    {
      arbitrary: fc.oneof(
        valid,
        valid.map((json) => [{ json }]),
        hostileValue,
      ),
      weight: 2,
    },
  );
}
