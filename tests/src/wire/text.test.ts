import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FEATURE_GROUPS, FEATURE_KEYS } from '../../../src/wire/listings/feature-keys.ts';
import { line, pageOf, paragraphs, plainLine, uuid, viewOf } from '../../../src/wire/text.ts';

describe('text from clients', () => {
  test('is trimmed, and has a maximum length', () => {
    expect(line(5).parse('  Zoë\u00a0 ')).toBe('Zoë');
    expect(line(5).safeParse('123456').success).toBe(false);
    expect(line(5).safeParse('   ').success).toBe(false);
  });
  test.each(['a\u0000', 'a\nb', 'a\u0085b', '\ud83d', 'a\u007f'])('a single line rejects %j', (value) => {
    expect(line(10).safeParse(value).success).toBe(false);
  });
  test.each([
    ['an override of the direction', '\u202e12 evaN'],
    ['an isolate', 'Oak \u2067Street'],
    ['a space of no width', '\u200b'],
    ['a filler', '\u3164'],
    ['an empty braille cell', '\u2800\u2800'],
  ])('%s is rejected in a line and in paragraphs', (_, value) => {
    expect(line(40).safeParse(value).success).toBe(false);
    expect(paragraphs(40).safeParse(value).success).toBe(false);
  });
  test.each(['عمر', 'שָׁלוֹם', '👩‍👩‍👧', 'न्\u200dदी', '7', 'Ⅷ'])('%s is text', (value) => {
    expect(plainLine(40).parse(value)).toBe(value);
  });
  test('a link or a mark of direction is no part of a name or an address', () => {
    expect(plainLine(60).safeParse('Oak\u200f Street').success).toBe(false);
    expect(paragraphs(60).parse('שלום\u200f!')).toBe('שלום\u200f!');
    expect(plainLine(60).safeParse('Win now https://bad.example').success).toBe(false);
    expect(line(60).parse('See https://good.example')).toBe('See https://good.example');
  });
  test('paragraphs keep their line breaks and reject other control characters', () => {
    expect(paragraphs(20).parse('a\n\tb\r\nc')).toBe('a\n\tb\r\nc');
    expect(paragraphs(20).safeParse('a\u0000b').success).toBe(false);
    expect(paragraphs(20).safeParse('a\u001bb').success).toBe(false);
  });
  test('ids are converted to the spelling of the database', () => {
    expect(uuid.parse('7B9C0A52-6D1F-4C8E-9B39-0A1B2C3D4E5F')).toBe('7b9c0a52-6d1f-4c8e-9b39-0a1b2c3d4e5f');
    expect(uuid.safeParse('7b9c0a52').success).toBe(false);
  });
});

test('a page has a cursor only when there is more', () => {
  const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  expect(pageOf(items, 2, ({ id }) => id)).toEqual({ items: items.slice(0, 2), nextCursor: 'b' });
  expect(pageOf(items, 3, ({ id }) => id)).toEqual({ items, nextCursor: null });
  expect(pageOf([], 3, () => '')).toEqual({ items: [], nextCursor: null });
});

test('a view has the fields of its schema and no other column of the row', () => {
  const row = { name: 'Ada', email: null, passwordHash: 'x' };
  const view = viewOf(z.object({ email: z.string().nullable(), name: z.string() }), row);
  expect(Object.entries(view)).toEqual([
    ['email', null],
    ['name', 'Ada'],
  ]);
});

test('there are 57 feature keys in ten groups, each once', () => {
  expect(FEATURE_GROUPS).toHaveLength(10);
  expect(new Set(FEATURE_KEYS).size).toBe(57);
});
