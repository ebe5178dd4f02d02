import { addProtocol, type StyleSpecification } from 'maplibre-gl';
import { Protocol } from 'pmtiles';
import { type Drawing, streetLayers } from './street-layers.ts';

let isKnown = false;

/** One PMTiles file with Protomaps' layers, which is read in ranges. */
export function tiledStyle(url: string, drawing: Drawing): StyleSpecification {
  if (!isKnown) addProtocol('pmtiles', new Protocol().tile);
  isKnown = true;
  return {
    version: 8,
    sources: { tiles: { type: 'vector', url: `pmtiles://${url}`, attribution: ATTRIBUTION } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': drawing.color('--land') } },
      ...streetLayers((layer) => ({ source: 'tiles', 'source-layer': layer }), drawing),
    ],
  };
}

/** What the data's license asks for. */
const ATTRIBUTION =
  '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a> <a href="https://protomaps.com">Protomaps</a>';
