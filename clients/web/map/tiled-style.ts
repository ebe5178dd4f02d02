import { layers, namedFlavor } from '@protomaps/basemaps';
import { addProtocol, type StyleSpecification } from 'maplibre-gl';
import { Protocol } from 'pmtiles';
import type { Locale } from '../../../i18n/translator.ts';

export type MapTheme = 'light' | 'dark';

let isKnown = false;

/** Protomaps' layers over one PMTiles file, which is read in ranges. Names are drawn from the browser's own fonts. */
export function tiledStyle(url: string, theme: MapTheme, locale: Locale): StyleSpecification {
  if (!isKnown) addProtocol('pmtiles', new Protocol().tile);
  isKnown = true;
  return {
    version: 8,
    sources: {
      tiles: {
        type: 'vector',
        url: `pmtiles://${url}`,
        attribution: '© OpenStreetMap, Protomaps',
      },
    },
    layers: layers('tiles', namedFlavor(theme), { lang: locale }),
  };
}
