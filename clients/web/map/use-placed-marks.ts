import type { Map as MapView } from 'maplibre-gl';
import { useEffect, useMemo, useState } from 'react';
import { layOutMarks, type Marks, type PlacedMark } from './mark-layout.ts';

/** While a map zooms, marks are placed again whenever they have come closer by so many zooms. */
const STEP = 0.25;

/** Marks with their space at the zoom that the map has. */
export function usePlacedMarks(map: MapView, marks: Marks): readonly PlacedMark[] {
  const [zoom, setZoom] = useState(() => map.getZoom());
  useEffect(() => {
    const step = (): void =>
      setZoom((last) => (Math.abs(map.getZoom() - last) < STEP ? last : map.getZoom()));
    const rest = (): void => setZoom(map.getZoom());
    rest();
    map.on('zoom', step);
    map.on('moveend', rest);
    return () => {
      map.off('zoom', step);
      map.off('moveend', rest);
    };
  }, [map]);
  return useMemo(
    () => layOutMarks(marks, { zoom, middle: map.getCenter().lng, ...textSizes() }),
    [map, marks, zoom],
  );
}

/** The text of pills, as `home-marks.css` has it, in rem. */
const PILL_TEXT = 0.75;
let pen: CanvasRenderingContext2D | null | undefined;

function textSizes() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen) pen.font = `600 ${PILL_TEXT * rem}px ${getComputedStyle(document.body).fontFamily}`;
  return { rem, textWidth: (text: string): number => pen?.measureText(text).width ?? text.length * rem };
}
