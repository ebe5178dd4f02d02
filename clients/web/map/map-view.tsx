import styles from 'maplibre-gl/dist/maplibre-gl.css?url';
import type { RefObject } from 'react';
import './map-view.css';

/** The element that `useMap` draws a map in. It fills its parent. */
export function MapView({ element }: { readonly element: RefObject<HTMLDivElement | null> }) {
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="map" />
      <div ref={element} className="map-view" />
    </>
  );
}
