import type { GeoJSONSource, Map as MapView, StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import outlines from 'us-atlas/states-10m.json?url';
import type { Locale } from '../../../i18n/translator.ts';
import type { MapBackground } from '../../../src/website/renderer.ts';
import type { Outputs } from '../../typescript/procedures.ts';
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

/** The source and the layer of the built-in map that hold the names of places. */
const NAMES = 'place-names';

type Names = Outputs['search']['placeNames']['places'];

/** Writes names on a map; other backgrounds than the built-in one have their own. */
export function writeNames(map: MapView, names: Names): void {
  const features = names.map(({ name, kind, longitude, latitude }, place) => ({
    type: 'Feature' as const,
    properties: { name, kind, place },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  }));
  map.getSource<GeoJSONSource>(NAMES)?.setData({ type: 'FeatureCollection', features });
}

/** The states of the USA: public data of its Census Bureau. */
type Atlas = Topology<{ states: GeometryCollection; nation: GeometryCollection }>;

/** The land of the USA, the borders of its states, and the places of our own database: quiet, and from no other server. */
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
      [NAMES]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
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
      {
        id: NAMES,
        type: 'symbol',
        source: NAMES,
        layout: {
          'text-field': ['get', 'name'],
          // A font of the device: no other server is asked.
          'text-font': ['sans-serif'],
          'text-size': ['case', ['==', ['get', 'kind'], 'city'], 14, 12],
          'symbol-sort-key': ['get', 'place'],
        },
        paint: {
          'text-color': color('--text-muted'),
          'text-halo-color': color('--land'),
          'text-halo-width': 1.5,
        },
      },
    ],
  };
}
