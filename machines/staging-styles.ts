import { CANONICAL_STYLES, type CanonicalStyle } from './vocabulary.ts';

/**
 * The style names that older clients may send, and their meaning (docs/contract.md#rooms-and-styles): a canonical
 * style, and a prompt modifier where the alias asks for more than the style says. The copy inside migration 0009 is
 * frozen; a change here affects only new requests.
 */
export interface StyleMeaning {
  readonly canonical: CanonicalStyle;
  /** Added to the prompt; null when the style needs no addition. */
  readonly modifier: string | null;
}

export interface ResolvedStyle extends StyleMeaning {
  /** True when the name is not canonical. Such a name is rejected after the sunset instant. */
  readonly isAlias: boolean;
}

/** `[modifier, names]` a line; the canonical names are added below. */
const NAMES: Record<CanonicalStyle, readonly (readonly [string | null, string])[]> = {
  MODERN: [
    [null, 'contemporary standard american urban_modern professional airbnb_modern high_tech'],
    ['one bright accent', 'modern_pop'],
    ['essentials only', 'minimalist minimal'],
    ['walnut, tapered legs, mustard + teal', 'midcentury mid_century_modern retro vintage bauhaus'],
  ],
  SCANDINAVIAN: [
    [null, 'nordic hygge scandi warm_minimalist'],
    ['low natural wood, ceramics', 'japandi wabi_sabi asian_zen organic_modern'],
    ['white + sand + soft blue, rattan', 'coastal hamptons beach coastal_grandmother'],
    ['rattan, palms', 'tropical'],
  ],
  INDUSTRIAL: [[null, 'urban_industrial industrial_chic loft warehouse']],
  FARMHOUSE: [
    [null, 'modern_farmhouse farmhouse_chic rustic country cabin'],
    ['painted wood, florals', 'cottage cottagecore shabby_chic french_country'],
    ['terracotta, woven', 'southwestern desert_modern'],
    ['layered textiles', 'boho bohemian eclectic moroccan'],
  ],
  TRADITIONAL: [
    [null, 'classic victorian european_classic mediterranean tuscan grandmillennial'],
    ['quieter', 'transitional new_traditional neotraditional'],
  ],
  LUXURY: [[null, 'luxurious luxe_modern glam premium airbnb_premium art_deco hollywood_regency']],
};

/**
 * Every accepted name in lower snake case. `no-furniture` must never be added: it is a historical style for display
 * only and cannot be generated (docs/contract.md#rooms-and-styles).
 */
export const STYLE_ALIASES: Readonly<Record<string, StyleMeaning>> = Object.freeze(
  Object.fromEntries(
    CANONICAL_STYLES.flatMap((canonical) => [
      [canonical.toLowerCase(), { canonical, modifier: null }],
      ...NAMES[canonical].flatMap(([modifier, names]) =>
        names.split(' ').map((name) => [name, { canonical, modifier }]),
      ),
    ]),
  ),
);

/**
 * Reads a style name in any case, with blanks, dashes or underscores between its words. Null for an unknown name; never
 * a silent default.
 */
export function resolveStyle(name: string): ResolvedStyle | null {
  const slug = name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
  const meaning = Object.hasOwn(STYLE_ALIASES, slug) ? STYLE_ALIASES[slug] : undefined;
  if (meaning === undefined) return null;
  return { ...meaning, isAlias: slug !== meaning.canonical.toLowerCase() };
}
