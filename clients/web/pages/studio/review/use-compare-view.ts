import { useState } from 'react';
import { moved, WHOLE, type Zoom, zoomed } from './zoom.ts';

const STEP = 1.5;
/** Of the window, that an arrow key moves a near picture. */
const PART = 0.25;

/** How the two pictures are looked at: which one, how near, with or without the map of changes. */
export function useCompareView() {
  const [isPhotoShown, setPhotoShown] = useState(false);
  const [areChangesShown, setChangesShown] = useState(false);
  const [share, setShare] = useState(50);
  const [zoom, setZoom] = useState<Zoom>(WHOLE);
  const move = (right: number, down: number) => () => setZoom(moved(zoom, { right, down }));
  return {
    shown: { isPhotoShown, areChangesShown, share, zoom, onShare: setShare, onZoom: setZoom },
    setChangesShown,
    /** Another pair is looked at whole, and staged. */
    reset(): void {
      setZoom(WHOLE);
      setPhotoShown(false);
    },
    /** By the keys of the review. */
    actions: {
      changes: () => setChangesShown(!areChangesShown),
      blink: () => setPhotoShown(!isPhotoShown),
      nearer: () => setZoom(zoomed(zoom, STEP)),
      farther: () => setZoom(zoomed(zoom, 1 / STEP)),
      whole: () => setZoom(WHOLE),
      left: move(-PART, 0),
      right: move(PART, 0),
      up: move(0, -PART),
      down: move(0, PART),
    },
  };
}
