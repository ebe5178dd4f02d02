import { describe, expect, test } from 'vitest';
import { homeTypeName } from '../../../../clients/web/words/home-types.ts';
import { createText } from '../../../../clients/web/words/text.ts';
import en from '../../../../i18n/user/en.json' with { type: 'json' };
import es from '../../../../i18n/user/es.json' with { type: 'json' };

const HERE = { areaUnits: 'Square Feet', country: 'US' } as const;
const SPAIN = { areaUnits: 'Square Meters', country: 'ES' } as const;

describe('words, dates, money and areas', () => {
  const [english, spanish] = [createText('en', en, HERE), createText('es', es, HERE)];
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
  test('a type of homes has a name where the catalogs know it', () => {
    const types = ['Single Family Residence', 'Houseboat', 'search.total'];
    expect(types.map((type) => homeTypeName(english.t, type))).toEqual(['House', ...types.slice(1)]);
    expect(homeTypeName(spanish.t, 'Condominium')).toBe('Condominio');
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
  test('areas are in the units of the site, and in those of the record where these are others', () => {
    const spain = createText('es', es, SPAIN);
    const written = (text: typeof english, value: number, units: string) => [
      text.area(value, units),
      text.recordedArea(value, units),
    ];
    expect(written(english, 1_076.39, 'Square Feet')).toEqual(['1,076 sq ft', null]);
    expect(written(english, 100, 'Square Meters')).toEqual(['1,076 sq ft', '100 m²']);
    expect(written(english, 0.25, 'Acres')).toEqual(['0.25 ac', null]);
    expect(written(spain, 1_076.39, 'Square Feet')).toEqual(['100 m²', '1076 ft²']);
    expect(written(spain, 2, 'Acres')).toEqual(['8094 m²', '2 acres']);
    expect(written(spain, 12.5, 'Hectares')).toEqual(['12,5 ha', null]);
  });
  test('the price of an area is that of one unit of the site', () => {
    const spain = createText('es', es, SPAIN);
    expect(spain.pricePerArea(300_000, 'EUR', { area: 100, units: 'Square Meters' })).toMatch(
      /^3000\s€ \/ m²$/,
    );
    expect(english.pricePerArea(1, 'USD', { area: 0.09290304, units: 'Square Meters' })).toBe('$1 / sq ft');
  });
});
