import type { GeoJSONSource, Map as MapView, StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import outlines from 'us-atlas/states-10m.json?url';
import type { MapBackground } from '../../../src/website/renderer.ts';
import type { Outputs } from '../../typescript/procedures.ts';
import type { Box } from './map-area.ts';
import { type Drawing, streetLayers } from './street-layers.ts';

export type MapTheme = 'light' | 'dark';

/** The addresses of the built-in map's streets by layer, which the build writes here (`ops/dev/site/streets.ts`). */
declare const STREETS: Readonly<Record<'earth' | 'water' | 'roads' | 'postal_codes', string>>;

/** The map's background: the operator's style, the operator's tiles, or the built-in one. */
export async function backgroundOf(
  { styleUrl, pmtilesUrl }: MapBackground,
  theme: MapTheme,
  drawing: Drawing,
): Promise<StyleSpecification | string> {
  if (styleUrl !== null) return styleUrl.replace('{theme}', theme);
  return pmtilesUrl === null ? builtInStyle(drawing) : tiledStyle(pmtilesUrl, drawing);
}

/** A background that brings its own names of places. */
async function tiledStyle(url: string, drawing: Drawing): Promise<StyleSpecification> {
  const { tilesOf } = await import('./tiles.ts');
  return {
    version: 8,
    sources: { tiles: tilesOf(url) },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': drawing.color('--land') } },
      ...streetLayers((layer) => ({ source: 'tiles', 'source-layer': layer }), drawing),
    ],
  };
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

const NOTHING = { type: 'FeatureCollection' as const, features: [] };

/** A source of the built-in map. */
const streetsOf = (layer: string): string => `sample-${layer}`;
/** West, south, east, north of the sample town. */
const TOWN: Box = [-122.44, 47.46, -122.21, 47.78];
/** From farther away its streets are not drawn. */
const TOWN_ZOOM = 8;
const loaded = new WeakSet<GeoJSONSource>();

/** Loads the streets of the sample town when the built-in map shows it: no one who looks elsewhere pays for them. */
export function loadStreets(map: MapView): void {
  const [west, south, east, north] = TOWN;
  const view = map.getBounds();
  const isShown =
    view.getWest() < east && view.getEast() > west && view.getSouth() < north && view.getNorth() > south;
  if (!isShown || map.getZoom() < TOWN_ZOOM) return;
  for (const [layer, url] of Object.entries(STREETS)) {
    const source = map.getSource<GeoJSONSource>(streetsOf(layer));
    if (source === undefined || loaded.has(source)) continue;
    loaded.add(source);
    source.setData(url);
  }
}

/** The states of the USA: public data of its Census Bureau. */
type Atlas = Topology<{ states: GeometryCollection; nation: GeometryCollection }>;

/**
 * The land of the USA and the borders of its states, the streets of the sample town, and the places of our own database:
 * all from this server.
 */
async function builtInStyle(drawing: Drawing): Promise<StyleSpecification> {
  const { color, families } = drawing;
  const response = await fetch(outlines);
  if (!response.ok) throw new Error(`The outlines of the map were answered with ${response.status}`);
  const atlas = (await response.json()) as Atlas;
  const { nation, states } = atlas.objects;
  const sources: StyleSpecification['sources'] = {
    land: { type: 'geojson', data: feature(atlas, nation), attribution: 'U.S. Census Bureau' },
    borders: { type: 'geojson', data: mesh(atlas, states, (one, other) => one !== other) },
    [NAMES]: { type: 'geojson', data: NOTHING },
    ...Object.fromEntries(
      Object.keys(STREETS).map((layer) => [
        streetsOf(layer),
        { type: 'geojson', data: NOTHING, attribution: 'City of Seattle' },
      ]),
    ),
  };
  const streets = streetLayers((layer) => ({ source: streetsOf(layer) }), drawing);
  const drawn = (layer: string) =>
    streets.filter((one) => 'source' in one && one.source === streetsOf(layer));
  return {
    version: 8,
    sources,
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': color('--water') } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': color('--land') } },
      {
        id: 'states',
        type: 'line',
        source: 'borders',
        paint: { 'line-color': color('--border-strong'), 'line-opacity': 0.5 },
      },
      // Here water surrounds the land, and not the other way round.
      ...drawn('water'),
      ...drawn('earth'),
      {
        id: 'shores',
        type: 'line',
        source: streetsOf('earth'),
        minzoom: 9,
        filter: ['==', ['get', 'kind'], 'city'],
        paint: { 'line-color': color('--border-strong'), 'line-opacity': 0.5 },
      },
      {
        id: 'postal-codes',
        type: 'line',
        source: streetsOf('postal_codes'),
        minzoom: 11,
        filter: ['==', ['geometry-type'], 'LineString'],
        paint: { 'line-color': color('--border-strong'), 'line-opacity': 0.3, 'line-dasharray': [4, 3] },
      },
      ...drawn('roads'),
      {
        id: 'postal-code-names',
        type: 'symbol',
        source: streetsOf('postal_codes'),
        minzoom: 11,
        filter: ['==', ['geometry-type'], 'Point'],
        layout: { 'text-field': ['get', 'name'], 'text-font': ['medium', ...families], 'text-size': 11 },
        paint: {
          'text-color': color('--text-muted'),
          'text-halo-color': color('--land'),
          'text-halo-width': 1.5,
        },
      },
      {
        id: NAMES,
        type: 'symbol',
        source: NAMES,
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['semibold', ...families],
          'text-size': ['case', ['==', ['get', 'kind'], 'city'], 14, 12],
          'symbol-sort-key': ['get', 'place'],
        },
        paint: {
          'text-color': color('--text'),
          'text-halo-color': color('--land'),
          'text-halo-width': 1.5,
        },
      },
    ],
  };
}
