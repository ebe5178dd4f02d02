import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { expect, test } from 'vitest';
import { type Origin, streetLayers } from '../../../../clients/web/map/street-layers.ts';
import { COLORS, cssVariable } from '../../../../clients/web/tokens/tokens.ts';

const variables = Object.entries(COLORS).map(([name, role]) => [cssVariable(name), role] as const);
const fromTiles: Origin = (layer) => ({ source: 'tiles', 'source-layer': layer });
const styled = (theme: 'light' | 'dark', from = fromTiles) =>
  streetLayers(from, {
    color: (role) => new Map(variables).get(role)?.[theme] ?? '',
    locale: 'es',
    families: ['Inter', 'sans-serif'],
  });

test.each(['light', 'dark'] as const)('the style is valid, with colors of the site alone, in %s', (theme) => {
  const layers = styled(theme);
  const style = {
    version: 8 as const,
    sources: { tiles: { type: 'vector' as const, url: 'https://tiles.example.com' } },
    layers,
  };
  expect(validateStyleMin(style)).toEqual([]);
  const colors = JSON.stringify(layers).match(/#[0-9a-f]{6,8}/g) ?? [];
  expect(colors.length).toBeGreaterThan(layers.length);
  const known = new Set<string>(variables.map(([, role]) => role[theme]));
  expect(colors.filter((color) => !known.has(color))).toEqual([]);
});

test('roads, water, parks, buildings and places are drawn, greater roads over lesser ones, names over all', () => {
  const ids = styled('light').map(({ id }) => id);
  const inOrder = [
    'earth',
    'parks',
    'water',
    'buildings',
    'streets-edge',
    'streets',
    'collectors',
    'arterials',
    'highways',
  ];
  expect(ids.filter((id) => inOrder.includes(id))).toEqual(inOrder);
  const firstName = ids.findIndex((id) => id.endsWith('-names'));
  expect(ids.slice(firstName).every((id) => id.endsWith('-names'))).toBe(true);
});

test('names are in the language of the page where the tiles have them, and no server of glyphs is named', () => {
  const names = styled('light').filter((layer) => layer.type === 'symbol');
  for (const { layout } of names) {
    expect(layout?.['text-field']).toEqual(['coalesce', ['get', 'name:es'], ['get', 'name']]);
    expect(layout?.['text-font']).toEqual([expect.any(String), 'Inter', 'sans-serif']);
  }
});
