import { describe, expect, test } from 'vitest';
import { resolveStyle, STYLE_ALIASES } from '../../machines/staging-styles.ts';
import { CANONICAL_STYLES } from '../../machines/vocabulary.ts';

/** The older names of styles (docs/contract.md#rooms-and-styles): names by style, with the modifier in brackets. */
const CATALOGUE: Record<string, string> = {
  MODERN:
    'contemporary, standard, american, urban_modern, professional, airbnb_modern, high_tech, modern_pop [one bright accent], minimalist / minimal [essentials only], midcentury / mid_century_modern / retro / vintage / bauhaus [walnut, tapered legs, mustard + teal]',
  SCANDINAVIAN:
    'nordic, hygge, scandi, japandi / wabi_sabi / asian_zen / organic_modern [low natural wood, ceramics], warm_minimalist, coastal / hamptons / beach / coastal_grandmother [white + sand + soft blue, rattan], tropical [rattan, palms]',
  INDUSTRIAL: 'urban_industrial, industrial_chic, loft, warehouse',
  FARMHOUSE:
    'modern_farmhouse, farmhouse_chic, rustic, country, cabin, cottage / cottagecore / shabby_chic / french_country [painted wood, florals], southwestern / desert_modern [terracotta, woven], boho / bohemian / eclectic / moroccan [layered textiles]',
  TRADITIONAL:
    'classic, transitional / new_traditional / neotraditional [quieter], victorian, european_classic, mediterranean / tuscan, grandmillennial',
  LUXURY: 'luxurious, luxe_modern, glam, premium, airbnb_premium, art_deco, hollywood_regency',
};

const entries = Object.entries(CATALOGUE).flatMap(([canonical, text]) =>
  text.split(/,\s*(?![^[]*\])/).flatMap((group) => {
    const [, names = '', modifier = null] = /^([^[]+?)(?:\s*\[(.+)\])?$/.exec(group) ?? [];
    return names.split(' / ').map((name) => ({ name: name.trim(), canonical, modifier }));
  }),
);

test.each(entries)('$name is $canonical ($modifier)', ({ name, canonical, modifier }) => {
  expect(resolveStyle(name)).toEqual({ canonical, modifier, isAlias: true });
});

test('no other name exists beyond the catalogue and the six styles', () => {
  const names = [...entries.map(({ name }) => name), ...CANONICAL_STYLES.map((style) => style.toLowerCase())];
  expect(Object.keys(STYLE_ALIASES).sort()).toEqual(names.sort());
});

describe('accepted spellings of a name', () => {
  test.each(CANONICAL_STYLES.flatMap((style) => [style, style.toLowerCase(), ` ${style} `]))(
    '%j is canonical',
    (name) => {
      expect(resolveStyle(name)).toMatchObject({ canonical: name.trim().toUpperCase(), isAlias: false });
    },
  );

  test.each(['Mid-Century Modern', 'MID_CENTURY_MODERN', ' mid century  modern'])('%j', (name) => {
    expect(resolveStyle(name)).toMatchObject({ canonical: 'MODERN', isAlias: true });
  });
});

test.each(['no-furniture', 'No Furniture', 'no_furniture', 'gothic', '', ' ', 'constructor', '__proto__'])(
  '%j is not accepted',
  (name) => {
    expect(resolveStyle(name)).toBeNull();
  },
);
