import type { Map as MapView } from 'maplibre-gl';
import {
  TerraDraw,
  TerraDrawFreehandMode,
  TerraDrawPolygonMode,
  ValidateNotSelfIntersecting,
} from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { areaOfRing, type Corners } from './map-area.ts';

/** `polygon`: corner by corner; `freehand`: a line in one stroke. */
export type Drawing = 'polygon' | 'freehand';

interface DrawingOptions {
  readonly drawing: Drawing;
  readonly color: `#${string}`;
  readonly onDrawn: (area: Corners) => void;
  /** The line crosses itself: what is inside cannot be said, and it is drawn again. */
  readonly onCrossed: () => void;
  /** The map has a new style, which does not have what was drawn so far. */
  readonly onLost: () => void;
}

/** Pixels between two corners of a line in one stroke. */
const LEAST_STEP = 10;

/** Lets a person draw an area by mouse or finger. @returns stops it */
export function startDrawing(map: MapView, options: DrawingOptions): () => void {
  const { drawing, color, onDrawn, onCrossed, onLost } = options;
  const styles = {
    fillColor: color,
    fillOpacity: 0.15,
    outlineColor: color,
    outlineWidth: 3,
    closingPointColor: color,
    closingPointWidth: 8,
  };
  const mode =
    drawing === 'polygon'
      ? new TerraDrawPolygonMode({ styles, validation: ValidateNotSelfIntersecting })
      : new TerraDrawFreehandMode({ styles, drawInteraction: 'click-drag', minDistance: LEAST_STEP });
  const prefixId = 'drawing';
  const draw = new TerraDraw({ adapter: new TerraDrawMapLibreGLAdapter({ map, prefixId }), modes: [mode] });
  draw.on('finish', (id) => {
    const feature = draw.getSnapshotFeature(id);
    if (feature?.geometry.type !== 'Polygon') return;
    if (ValidateNotSelfIntersecting(feature).valid)
      onDrawn(areaOfRing(feature.geometry.coordinates[0] ?? []));
    else {
      draw.clear();
      onCrossed();
    }
  });
  draw.start();
  draw.setMode(drawing);
  const watch = (): void => {
    if (map.getSource(`${prefixId}-polygon`) === undefined) onLost();
  };
  map.on('styledata', watch);
  return () => {
    map.off('styledata', watch);
    draw.stop();
  };
}
