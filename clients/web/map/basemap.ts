import type { StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import outlines from 'us-atlas/states-10m.json?url';
import type { Locale } from '../../../i18n/translator.ts';
import type { MapBackground } from '../../../src/website/renderer.ts';
import type { MapTheme } from './tiled-style.ts';

/**
 * The map's background: the operator's style, the operator's tiles, or the built-in one.
 * @param color the value of a color role, such as `--land`
 */
export async function backgroundOf(
  { styleUrl, pmtilesUrl }: MapBackground,
  theme: MapTheme,
  { color, locale }: { readonly color: (role: string) => string; readonly locale: Locale },
): Promise<StyleSpecification | string> {
  if (styleUrl !== null) return styleUrl;
  if (pmtilesUrl !== null) {
    const { tiledStyle } = await import('./tiled-style.ts');
    return tiledStyle(pmtilesUrl, theme, locale);
  }
  return plainStyle(color);
}

/** The states of the USA: public data of its Census Bureau. */
type Atlas = Topology<{ states: GeometryCollection; nation: GeometryCollection }>;

/** The land of the USA and the borders of its states, without names: quiet behind the prices, and from no other server. */
async function plainStyle(color: (role: string) => string): Promise<StyleSpecification> {
  const response = await fetch(outlines);
  if (!response.ok) throw new Error(`The outlines of the map were answered with ${response.status}`);
  const atlas = (await response.json()) as Atlas;
  const { nation, states } = atlas.objects;
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: feature(atlas, nation), attribution: 'U.S. Census Bureau' },
      borders: { type: 'geojson', data: mesh(atlas, states, (one, other) => one !== other) },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': color('--water') } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': color('--land') } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': color('--border-strong'), 'line-opacity': 0.5 },
      },
    ],
  };
}
