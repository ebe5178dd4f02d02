import { type Map as MapView, Marker } from 'maplibre-gl';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

interface MapMarkProps {
  readonly map: MapView;
  readonly latitude: number;
  readonly longitude: number;
  /** Drawn over its neighbors. */
  readonly isPointed: boolean;
  readonly children: ReactNode;
}

/** Keeps its content at a position of the map, as elements that can be focused and found by their names. */
export function MapMark({ map, latitude, longitude, isPointed, children }: MapMarkProps) {
  const [element] = useState(() => document.createElement('div'));
  useEffect(() => {
    const marker = new Marker({ element }).setLngLat([longitude, latitude]).addTo(map);
    // The map names its markers as if they were pictures; what is inside has a name already.
    element.removeAttribute('aria-label');
    element.removeAttribute('role');
    return () => void marker.remove();
  }, [map, element, latitude, longitude]);
  useEffect(() => {
    element.style.zIndex = isPointed ? '1' : '';
  }, [element, isPointed]);
  return createPortal(children, element);
}
