import { describe, expect, test } from 'vitest';
import { createText } from '../../../../clients/web/words/text.ts';
import en from '../../../../i18n/user/en.json' with { type: 'json' };
import es from '../../../../i18n/user/es.json' with { type: 'json' };

describe('words, dates, money and areas', () => {
  const [english, spanish] = [createText('en', en), createText('es', es)];
  test('plural forms follow the language', () => {
    expect([0, 1, 2, 21_613].map((count) => english.t('search.total', { count }))).toEqual([
      '0 homes',
      '1 home',
      '2 homes',
      '21,613 homes',
    ]);
    expect(spanish.t('search.total', { count: 1 })).toBe('1 vivienda');
  });
  test('a missing key is shown as it is', () => {
    expect(english.t('no.such.key')).toBe('no.such.key');
  });
  test('money is whole unless it has cents, with the currency’s own sign', () => {
    expect([english.money(895_000, 'USD'), english.money(0.5, 'USD'), english.money(1_200, 'EUR')]).toEqual([
      '$895,000',
      '$0.50',
      '€1,200',
    ]);
  });
  test('a time names its zone', () => {
    expect(english.dateTime('2026-12-01T22:00:00.000Z', 'America/Los_Angeles')).toMatch(/2:00.PM PST/);
    expect(english.dateTime('2026-12-01T22:00:00.000Z', 'UTC')).toMatch(/10:00.PM UTC/);
  });
});
