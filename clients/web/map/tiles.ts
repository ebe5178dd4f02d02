import { addProtocol, type VectorSourceSpecification } from 'maplibre-gl';
import { Protocol } from 'pmtiles';

let isKnown = false;

/** One PMTiles file with Protomaps' layers, which is read in ranges. */
export function tilesOf(url: string): VectorSourceSpecification {
  if (!isKnown) addProtocol('pmtiles', new Protocol().tile);
  isKnown = true;
  return { type: 'vector', url: `pmtiles://${url}`, attribution: ATTRIBUTION };
}

/** What the data's license asks for. */
const ATTRIBUTION =
  '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a> <a href="https://protomaps.com">Protomaps</a>';
