import { describe, expect, test } from 'vitest';
import { type Audience, catalog, LOCALES } from '../../i18n/translator.ts';
import { ATTEMPT_FAILURES } from '../../machines/failure-classes.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES, DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { REFUSALS } from '../../src/errors.ts';

const placeholders = (message: string): string[] =>
  [...message.matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1] ?? '');
const camel = (code: string): string =>
  code.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe.each<Audience>(['user', 'agent'])('%s catalogs', (audience) => {
  const en = catalog(audience, 'en');
  const es = catalog(audience, 'es');

  test('both languages have equal keys in order, and equal placeholders', () => {
    expect(Object.keys(es)).toEqual(Object.keys(en));
    expect(Object.keys(en)).toEqual(Object.keys(en).toSorted());
    for (const key of Object.keys(en)) {
      expect(placeholders(es[key] ?? '').toSorted(), key).toEqual(placeholders(en[key] ?? '').toSorted());
    }
  });

  test('no message is empty, and no placeholder is half written', () => {
    for (const locale of LOCALES) {
      for (const [key, message] of Object.entries(catalog(audience, locale))) {
        expect(message.trim(), key).not.toBe('');
        expect(message.replace(/\{\{\w+\}\}/g, ''), key).not.toMatch(/[{}]/);
      }
    }
  });

  test('plural forms come as a pair', () => {
    const stems = (suffix: string): string[] =>
      Object.keys(en).flatMap((key) => (key.endsWith(suffix) ? [key.slice(0, -suffix.length)] : []));
    expect(stems('_one')).toEqual(stems('_other'));
  });

  test('every room and style has a name, and the label is the one that rules demand', () => {
    const keys = [
      ...CANONICAL_ROOM_TYPES.map((r) => `room.${r}`),
      ...CANONICAL_STYLES.map((s) => `style.${s}`),
    ];
    for (const key of keys) expect(en, key).toHaveProperty([key]);
    expect(en['disclosure.label']).toBe(DISCLOSURE_LABEL);
  });
});

test('customers and agents read the same refusal in the same words', () => {
  for (const locale of LOCALES) {
    const agent = catalog('agent', locale);
    for (const [key, message] of Object.entries(catalog('user', locale)))
      expect(agent[key], key).toBe(message);
  }
});

test('every public refusal has words that need no variables', () => {
  for (const { messageKey } of Object.values(REFUSALS)) {
    expect(catalog('user', 'en')[messageKey], messageKey).toMatch(/^[^{}]+$/);
  }
});

test('agents have words for every way a job can fail', () => {
  for (const code of Object.keys(ATTEMPT_FAILURES)) {
    expect(catalog('agent', 'en')).toHaveProperty([`errors.${camel(code)}`]);
  }
});
