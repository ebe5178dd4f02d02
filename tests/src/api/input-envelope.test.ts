import fc from 'fast-check';
import superjson from 'superjson';
import { describe, expect, test } from 'vitest';
import {
  checkInputText,
  MAX_INPUT_DEPTH,
  MAX_INPUT_NOTES,
  MAX_INPUT_VALUES,
  readEnvelope,
} from '../../../src/api/input-envelope.ts';
import { PublicError } from '../../../src/errors/errors.ts';
import { inputOf, JSON_TYPE, startAdapter } from '../../support/http/adapter-fixture.ts';

/** The fields that an error names. */
function refusedFields(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(PublicError);
    const { code, fields } = error as PublicError;
    expect(code).toBe('INVALID_INPUT');
    return Object.keys(fields ?? {});
  }
  throw new Error('it was taken');
}

describe('an input as a client writes it', () => {
  const shared = fc.constant({ latitude: 1, longitude: 2 });
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    shared,
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.NEGATIVE_INFINITY),
  );
  /** Names as inputs have them: not empty, no dot, no backslash, and none that superjson rejects. */
  const name = fc.stringMatching(/^[a-zA-Z0-9_ é]{1,6}$/).filter((key) => key !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    record: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: false }),
  }));

  test('is read as superjson would read it', () => {
    fc.assert(
      fc.property(value, (input) => {
        const text = superjson.stringify(input);
        checkInputText(text);
        expect(readEnvelope(JSON.parse(text))).toEqual(superjson.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('has its keys and depth counted correctly, whatever its strings contain', () => {
    const values = (of: unknown): number =>
      typeof of !== 'object' || of === null
        ? 1
        : Object.values(of).reduce((sum, one) => sum + values(one), 1);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (json) => {
        // A list of many copies must exceed the limit by its counted values.
        const times = Math.ceil((MAX_INPUT_VALUES + 2) / values(json));
        const many = JSON.stringify(Array.from({ length: times * 2 }, () => json));
        expect(refusedFields(() => checkInputText(many))).toEqual(['_']);
        checkInputText(JSON.stringify(json));
      }),
      { numRuns: 50 },
    );
  });
});

test.each([
  ['the deepest', '['.repeat(MAX_INPUT_DEPTH), '['.repeat(MAX_INPUT_DEPTH + 1)],
  ['the deepest of keys', '{"a":'.repeat(MAX_INPUT_DEPTH), '{"a":'.repeat(MAX_INPUT_DEPTH + 1)],
  ['the most', `[0${',0'.repeat(MAX_INPUT_VALUES - 1)}`, `[0${',0'.repeat(MAX_INPUT_VALUES)}`],
  ['brackets in texts', `"${'[{,'.repeat(9_000)}\\\\"`, `"\\\\"${'['.repeat(40)}`],
  ['quotes in texts', `"${'\\"[,'.repeat(9_000)}"`, `"\\\\\\""${'['.repeat(40)}`],
])('%s is accepted at the limit and rejected above it', (_what, taken, beyond) => {
  checkInputText(taken);
  expect(refusedFields(() => checkInputText(beyond))).toEqual(['_']);
});

const EVERY_TYPE = [
  'bigint',
  'Date',
  'Error',
  'regexp',
  'set',
  'map',
  'URL',
  'nope',
  '__proto__',
  'constructor',
  ['typed-array', 'Float64Array'],
  ['class', 'Object'],
  ['symbol', 'x'],
  ['custom', 'x'],
  [],
  null,
  1,
];

test.each(EVERY_TYPE)('an annotation of the type %j is rejected with its path', (type) => {
  const noted = (values: unknown) => ({ json: { filters: { length: 1e8 } }, meta: { values } });
  expect(refusedFields(() => readEnvelope(noted({ filters: [type] })))).toEqual(['meta.values.filters']);
  expect(refusedFields(() => readEnvelope(noted([type])))).toEqual(['meta.values']);
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [at, ['undefined']]));

test.each<[what: string, payload: unknown, field: string]>([
  ['no envelope', { limit: 999 }, 'json'],
  ['an empty envelope', {}, 'json'],
  ['a list', [{ json: 1 }], 'json'],
  ['null', null, 'json'],
  ['a text', 'x', 'json'],
  ['an inherited json', Object.create({ json: 1 }), 'json'],
  ['meta that is a text', { json: {}, meta: 'x' }, 'meta'],
  ['meta with another key', { json: {}, meta: { types: {} } }, 'meta'],
  ['another version', { json: {}, meta: { v: 0 } }, 'meta'],
  ['values that are a text', { json: {}, meta: { values: 'x' } }, 'meta.values'],
  ['values that are nothing', { json: {}, meta: { values: null } }, 'meta.values'],
  [
    'undefined where a value stands',
    { json: { a: 1 }, meta: { values: { a: ['undefined'] } } },
    'meta.values.a',
  ],
  ['undefined as a whole with a value', { json: {}, meta: { values: ['undefined'] } }, 'meta.values'],
  ['a number that JSON can hold', { json: { a: '7' }, meta: { values: { a: ['number'] } } }, 'meta.values.a'],
  [
    'a note with children',
    { json: { a: null }, meta: { values: { a: ['undefined', {}] } } },
    'meta.values.a',
  ],
  ['a place that is not there', { json: {}, meta: { values: { a: ['undefined'] } } }, 'meta.values'],
  [
    'an inherited place',
    { json: {}, meta: { values: { 'constructor.name': ['undefined'] } } },
    'meta.values',
  ],
  ['the length of a list', { json: [], meta: { values: { length: ['undefined'] } } }, 'meta.values'],
  ['a place within a text', { json: 'abc', meta: { values: { 0: ['undefined'] } } }, 'meta.values'],
  ['an index that is none', { json: [null], meta: { values: { '00': ['undefined'] } } }, 'meta.values'],
  [
    'a longer path',
    { json: {}, meta: { values: { [`${'a.'.repeat(200)}a`]: ['undefined'] } } },
    'meta.values',
  ],
  ['many notes', { json: Array(2_000).fill(null), meta: { values: many(MAX_INPUT_NOTES + 1) } }, 'meta'],
  [
    'an equality with null',
    { json: { a: {}, b: null }, meta: { referentialEqualities: { a: ['b'] } } },
    EQUAL(),
  ],
  ['an equality of nothing', { json: {}, meta: { referentialEqualities: { a: ['b'] } } }, EQUAL()],
  ['an equality with itself', { json: {}, meta: { referentialEqualities: [['']] } }, EQUAL()],
  ['an equality of a number', { json: { a: {} }, meta: { referentialEqualities: { a: [1] } } }, EQUAL()],
])('%s is rejected', (_what, payload, field) => {
  expect(refusedFields(() => readEnvelope(payload))).toEqual([field]);
});

function EQUAL(): string {
  return 'meta.referentialEqualities';
}

test('values marked as the same reference stay separate, unchanged values', () => {
  const json = { a: { x: 1 }, b: [{ x: 1 }] };
  const read = readEnvelope({ json, meta: { referentialEqualities: { a: ['b.0'] }, v: 1 } }) as typeof json;
  expect(read).toEqual(json);
  expect(read.a).not.toBe(read.b[0]);
});

describe('over HTTP', () => {
  const ask = async (query: string, init: RequestInit = {}) => {
    const { url } = await startAdapter();
    const answer = await fetch(`${url}/${query}`, init);
    const { error } = (await answer.json()) as { error: { json: { data: { fields: object } } } };
    return { status: answer.status, fields: error.json.data.fields };
  };

  test('a list that only claims a length allocates nothing', async () => {
    const peak = process.resourceUsage().maxRSS;
    const payload = {
      json: { filters: { length: 1e7 } },
      meta: { values: { filters: [['typed-array', 'Float64Array']] } },
    };
    const input = `input=${encodeURIComponent(JSON.stringify(payload))}`;
    expect(await ask(`within?${input}`)).toEqual({
      status: 400,
      fields: { 'meta.values.filters': [expect.stringContaining('plain JSON')] },
    });
    // It used 1.5 GB once.
    expect(process.resourceUsage().maxRSS - peak).toBeLessThan(200 * 1024);
  });

  test('an input without its envelope is answered with the expected format', async () => {
    expect(await ask('within?input={"limit":999}')).toEqual({
      status: 400,
      fields: { json: ['Put the input under this key: {"json": input}.'] },
    });
    const init = { method: 'POST', headers: JSON_TYPE, body: '{"polygon":[]}' };
    expect(await ask('within', init)).toMatchObject({ status: 400, fields: { json: [expect.any(String)] } });
  });

  test('a deep input, and a wide one, are rejected before they are parsed', async () => {
    const deep = `{"json":${'['.repeat(400_000)}`;
    const wide = `{"json":[${'0,'.repeat(400_000)}`;
    for (const body of [deep, wide])
      expect(await ask('echo', { method: 'POST', headers: JSON_TYPE, body })).toMatchObject({
        status: 400,
        fields: { _: [expect.stringMatching(/^(?:Nest|Send) at most /)] },
      });
    expect(await ask(`hello?${inputOf(Array(6_000).fill(0)).replaceAll('%2C', ',')}`)).toMatchObject({
      fields: { _: [expect.any(String)] },
    });
  });

  test('an answer names at most a hundred fields', async () => {
    const json = { polygon: Array(150).fill(7) };
    const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ json }) };
    const { fields } = await ask('within', init);
    expect(Object.keys(fields)).toHaveLength(100);
  });
});
