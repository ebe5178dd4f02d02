import type { GeoJSONSource, Map as MapView } from 'maplibre-gl';
import { useEffect } from 'react';
import { areaIn, areaText, type Corners } from './map-area.ts';
import { type MapControl, tokenOf } from './use-map.ts';

const AREA = 'drawn-area';

/** Shows the area that is searched on a map. */
export function useAreaLayer(control: MapControl | null, area: Corners | null): void {
  // The same area is a new object in each address.
  const text = area === null ? undefined : areaText(area);
  useEffect(() => {
    const shown = areaIn(text);
    if (control === null || shown === undefined) return;
    const { view } = control;
    // A new theme is a new style, which has no area yet.
    const show = (): void => showArea(view, shown);
    show();
    view.on('styledata', show);
    return () => {
      view.off('styledata', show);
      for (const layer of [`${AREA}-fill`, `${AREA}-line`]) if (view.getLayer(layer)) view.removeLayer(layer);
      if (view.getSource(AREA)) view.removeSource(AREA);
    };
  }, [control, text]);
}

function showArea(map: MapView, area: Corners): void {
  // Nothing can be added before the first style.
  if (map.getStyle() === undefined || map.getSource<GeoJSONSource>(AREA) !== undefined) return;
  const ring = [...area, ...area.slice(0, 1)];
  // Across the antimeridian, the next corner is the nearer one.
  let last = ring[0]?.longitude ?? 0;
  const coordinates = ring.map(({ latitude, longitude }) => {
    last = longitude + Math.round((last - longitude) / 360) * 360;
    return [last, latitude];
  });
  map.addSource(AREA, {
    type: 'geojson',
    data: { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [coordinates] } },
  });
  const color = tokenOf('--primary');
  map.addLayer({
    id: `${AREA}-fill`,
    type: 'fill',
    source: AREA,
    paint: { 'fill-color': color, 'fill-opacity': 0.12 },
  });
  map.addLayer({
    id: `${AREA}-line`,
    type: 'line',
    source: AREA,
    paint: { 'line-color': color, 'line-width': 3 },
  });
}
