import fc from 'fast-check';
import { rawJson } from './raw-json.ts';

/** Values that an attacker would try. */
const CONTROL_TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e',
  '\ufeff',
  '\r\n',
  '\u2028',
  '\x7f',
  '\x1b[31m',
];
const WORDS = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'NaN',
  '-0',
  '%00',
  '%',
  '..',
  '.',
  "' or 1=1 --",
  '\\',
  '#{7*7}',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '00000000-0000-0000-0000-000000000000',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
];
const RAW_NUMBERS = [
  '1e999',
  '-1e999',
  '-0',
  '0.1e-400',
  '9007199254740993',
  '1e21',
  '123456789012345678901234567890',
];
const NUMBERS = [
  0,
  -1,
  0.5,
  1e-9,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e300,
  Number.MAX_VALUE,
  5e-324,
];

/** Short texts with characters that columns, journals and terminals cannot take. */
export const controlText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', 'ab'), fc.constantFrom(...CONTROL_TEXTS), fc.constantFrom('', 'ab'))
  .map((parts) => parts.join(''));

/** Any sequence of UTF-16 units, so with lone surrogates; sometimes long. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...CONTROL_TEXTS, ...WORDS), weight: 5 },
  {
    arbitrary: fc
      .array(fc.nat({ max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
    weight: 2,
  },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('a', '\0', '\ud800', '"', '𝔸', '/', 'ﷺ'), fc.constantFrom(65, 257, 1_025, 3_000))
      .map(([unit, times]) => unit.repeat(times)),
    weight: 1,
  },
);

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '{"json":', '[{"__proto__":'), fc.constantFrom(50, 800, 3_000))
  .map(([open, depth]) => {
    const close = [...open].reverse().flatMap((sign) => (sign === '[' ? [']'] : sign === '{' ? ['}'] : []));
    return rawJson(`${open.repeat(depth)}0${close.join('').repeat(depth)}`);
  });

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, [], {}),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom(...RAW_NUMBERS).map(rawJson),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

export const hostileKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toJSON',
    'then',
    'length',
    '0',
    '',
  ),
  hostileText,
);

/** Own keys whatever their name: an assignment to `__proto__` would not make one. */
const record = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(hostileKey, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

/** Objects with members of another type, for code that reads a member without a type check. */
export const pretender: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant({ length: { toString: 1 } }),
  fc.constantFrom<unknown>(
    { length: -1 },
    { length: 5e6 },
    { size: 2, length: 'x' },
    { toString: 1 },
    { valueOf: 1, toString: 1 },
    { toJSON: 1 },
    { constructor: { name: 'Date' } },
    { getTime: 1 },
  ),
);

/** Anything that JSON text can say. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: leaf, weight: 6 },
  { arbitrary: pretender, weight: 2 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: fc.array(leaf, { maxLength: 5 }), weight: 1 },
  { arbitrary: record(leaf), weight: 2 },
  { arbitrary: record(fc.array(record(leaf), { maxLength: 3 })), weight: 1 },
);

/** A text that is no JSON, or not one value of it. */
export const brokenJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '[',
    '"',
    'undefined',
    'NaN',
    '{"a":1,}',
    '{}{}',
    '\ufeff{}',
    '{"a":1,"a":2}',
    "{'a':1}",
  ),
  fc
    .tuple(hostileValue, fc.nat({ max: 200 }))
    .map(([value, cut]) => JSON.stringify(value)?.slice(0, cut) ?? ''),
  hostileText,
);
