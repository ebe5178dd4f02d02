import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Locale } from '../../../i18n/translator.ts';

/** How the layers of a map are drawn. */
export interface Drawing {
  /** The value of a color role, such as `--land`. */
  readonly color: (role: string) => string;
  readonly locale: Locale;
  /** The families of the page's text, which the map takes from the document: no server of glyphs is asked. */
  readonly families: readonly string[];
}

/** Where a layer's features come from: a layer of one source of tiles, or a separate source. */
export type Origin = (layer: string) => { readonly source: string; readonly 'source-layer'?: string };

/**
 * Land, water, parks, streets and names, from features as Protomaps' tiles have them
 * (https://docs.protomaps.com/basemaps/layers). Every color is a token of the site.
 */
export function streetLayers(from: Origin, { color, locale, families }: Drawing): LayerSpecification[] {
  const polygons: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
  const name: ExpressionSpecification = ['coalesce', ['get', `name:${locale}`], ['get', 'name']];
  /** The first family is none: its name sets the weight. */
  const font = (weight: 'normal' | 'medium' | 'semibold') => ({ 'text-font': [weight, ...families] });
  const written = (on: string, text = '--text-muted') => ({
    'text-color': color(text),
    'text-halo-color': color(on),
    'text-halo-width': 1.5,
  });
  const roads: LayerSpecification[] = [];
  const edges: LayerSpecification[] = [];
  for (const { id, filter, from: minzoom, widths, role } of ROADS) {
    const common = {
      type: 'line' as const,
      ...from('roads'),
      filter,
      minzoom,
      layout: { 'line-cap': 'round' as const, 'line-join': 'round' as const },
    };
    edges.push({
      ...common,
      id: `${id}-edge`,
      paint: { 'line-color': color('--road-edge'), 'line-width': byZoom(widths, EDGE) },
    });
    roads.push({ ...common, id, paint: { 'line-color': color(role), 'line-width': byZoom(widths) } });
  }
  return [
    {
      id: 'earth',
      type: 'fill',
      ...from('earth'),
      filter: polygons,
      paint: { 'fill-color': color('--land') },
    },
    {
      id: 'parks',
      type: 'fill',
      ...from('landuse'),
      filter: oneOf('kind', GREEN),
      paint: { 'fill-color': color('--park') },
    },
    {
      id: 'grounds',
      type: 'fill',
      ...from('landuse'),
      filter: oneOf('kind', GROUNDS),
      paint: { 'fill-color': color('--built'), 'fill-opacity': 0.6 },
    },
    {
      id: 'water',
      type: 'fill',
      ...from('water'),
      filter: polygons,
      paint: { 'fill-color': color('--water') },
    },
    {
      id: 'rivers',
      type: 'line',
      ...from('water'),
      minzoom: 9,
      filter: oneOf('kind', ['river', 'canal', 'stream']),
      paint: { 'line-color': color('--water'), 'line-width': byZoom([9, 0.5, 18, 8]) },
    },
    {
      id: 'buildings',
      type: 'fill',
      ...from('buildings'),
      minzoom: 14,
      filter: polygons,
      paint: { 'fill-color': color('--built') },
    },
    ...edges,
    {
      id: 'paths',
      type: 'line',
      ...from('roads'),
      minzoom: 15,
      filter: oneOf('kind', ['path', 'other']),
      paint: { 'line-color': color('--border-strong'), 'line-width': 1, 'line-dasharray': [2, 2] },
    },
    {
      id: 'rails',
      type: 'line',
      ...from('roads'),
      minzoom: 12,
      filter: is('kind', 'rail'),
      paint: { 'line-color': color('--border-strong'), 'line-width': 1, 'line-opacity': 0.6 },
    },
    ...roads,
    {
      id: 'borders',
      type: 'line',
      ...from('boundaries'),
      filter: oneOf('kind', ['country', 'region']),
      paint: { 'line-color': color('--border-strong'), 'line-opacity': 0.5 },
    },
    {
      id: 'street-names',
      type: 'symbol',
      ...from('roads'),
      minzoom: 15,
      filter: is('kind', 'minor_road'),
      layout: { ...font('normal'), ...ALONG, 'text-field': name, 'text-size': 11 },
      paint: written('--road', '--text'),
    },
    {
      id: 'road-names',
      type: 'symbol',
      ...from('roads'),
      minzoom: 12,
      filter: ['all', oneOf('kind', ['highway', 'major_road']), named()],
      layout: {
        ...font('medium'),
        ...ALONG,
        'text-field': name,
        'text-size': ['interpolate', ['linear'], ['zoom'], 12, 10.5, 16, 13],
        'symbol-sort-key': [
          'match',
          ['get', 'kind_detail'],
          ['motorway', 'trunk'],
          0,
          'primary',
          1,
          'secondary',
          2,
          3,
        ],
      },
      paint: written('--road', '--text'),
    },
    {
      id: 'water-names',
      type: 'symbol',
      ...from('water'),
      filter: ['all', ['==', ['geometry-type'], 'Point'], named()],
      layout: { ...font('normal'), 'text-field': name, 'text-size': 12, 'text-max-width': 7 },
      paint: written('--water'),
    },
    {
      id: 'park-names',
      type: 'symbol',
      ...from('pois'),
      minzoom: 14,
      filter: oneOf('kind', GREEN),
      layout: { ...font('normal'), 'text-field': name, 'text-size': 11, 'text-max-width': 7 },
      paint: written('--park'),
    },
    {
      id: 'quarter-names',
      type: 'symbol',
      ...from('places'),
      minzoom: 11,
      maxzoom: 16,
      filter: oneOf('kind', ['macrohood', 'neighbourhood']),
      layout: { ...font('medium'), ...placeText(name), 'text-size': 12 },
      paint: written('--land'),
    },
    {
      id: 'town-names',
      type: 'symbol',
      ...from('places'),
      maxzoom: 15,
      filter: is('kind', 'locality'),
      layout: {
        ...font('semibold'),
        ...placeText(name),
        'text-size': [
          'interpolate',
          ['linear'],
          ['coalesce', ['get', 'population_rank'], 0],
          0,
          11,
          8,
          13,
          13,
          17,
        ],
      },
      paint: written('--land', '--text'),
    },
    {
      id: 'country-names',
      type: 'symbol',
      ...from('places'),
      maxzoom: 7,
      filter: oneOf('kind', ['country', 'region']),
      layout: { ...font('medium'), ...placeText(name), 'text-size': 12 },
      paint: written('--land'),
    },
  ];
}

const is = (property: string, value: string): ExpressionSpecification => ['==', ['get', property], value];
const oneOf = (property: string, values: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', property],
  ['literal', [...values]],
];
const named = (): ExpressionSpecification => ['has', 'name'];
const isLink: ExpressionSpecification = ['has', 'is_link'];

const ALONG = { 'symbol-placement': 'line', 'symbol-spacing': 350, 'text-padding': 4 } as const;
const placeText = (name: ExpressionSpecification) => ({
  'text-field': name,
  'text-max-width': 7,
  'symbol-sort-key': ['coalesce', ['get', 'min_zoom'], 0] as ExpressionSpecification,
});

const GREEN = [
  'allotments',
  'cemetery',
  'forest',
  'garden',
  'golf_course',
  'grass',
  'grassland',
  'meadow',
  'national_park',
  'nature_reserve',
  'park',
  'pitch',
  'playground',
  'protected_area',
  'recreation_ground',
  'scrub',
  'village_green',
  'wetland',
  'wood',
  'zoo',
];
const GROUNDS = [
  'aerodrome',
  'college',
  'commercial',
  'hospital',
  'industrial',
  'railway',
  'school',
  'university',
];

/** A zoom and a width in pixels, and the same for a closer one. */
type Widths = readonly [zoom: number, width: number, closer: number, wider: number];

/** What the edges add on both sides together. */
const EDGE = 1.5;
const byZoom = ([zoom, width, closer, wider]: Widths, more = 0): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.6],
  ['zoom'],
  zoom,
  width + more,
  closer,
  wider + more,
];

/** From the least to the greatest: a greater road is drawn over a lesser one. */
const ROADS: readonly {
  readonly id: string;
  readonly filter: ExpressionSpecification;
  /** The first zoom that shows it. */
  readonly from: number;
  readonly widths: Widths;
  readonly role: '--road' | '--road-major';
}[] = [
  { id: 'streets', filter: is('kind', 'minor_road'), from: 13, widths: [13, 0.8, 18, 14], role: '--road' },
  {
    id: 'links',
    filter: ['all', oneOf('kind', ['highway', 'major_road']), isLink],
    from: 12,
    widths: [12, 0.8, 18, 12],
    role: '--road-major',
  },
  {
    id: 'collectors',
    filter: ['all', oneOf('kind_detail', ['secondary', 'tertiary']), ['!', isLink]],
    from: 10,
    widths: [10, 0.4, 18, 18],
    role: '--road',
  },
  {
    id: 'arterials',
    filter: ['all', oneOf('kind_detail', ['primary', 'trunk']), ['!', isLink]],
    from: 8,
    widths: [8, 0.5, 18, 22],
    role: '--road-major',
  },
  {
    id: 'highways',
    filter: ['all', is('kind', 'highway'), ['!', isLink]],
    from: 5,
    widths: [5, 0.6, 18, 26],
    role: '--road-major',
  },
];
