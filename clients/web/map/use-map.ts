import { AttributionControl, Map as MapView, NavigationControl, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSite, useText } from '../site/use-site.ts';
import { backgroundOf, loadStreets, type MapTheme } from './basemap.ts';
import { type Box, boxOf, cornersOf } from './map-area.ts';

setWorkerUrl(workerUrl);

/** What a map shows when it rests. */
export interface View {
  readonly box: Box;
  readonly zoom: number;
}

export interface MapControl {
  readonly view: MapView;
  /** Shows a box at once, without `onRest`. @param edge pixels to leave around it */
  readonly fit: (box: Box, edge?: number) => View;
  readonly shown: () => View;
  /** Moves closer to a point; `onRest` follows. */
  readonly approach: (center: [number, number], zoom: number) => void;
}

/** A gesture is over when the map has not moved for so long. */
const REST_MS = 200;
export const DEEPEST_ZOOM = 18;

interface MapOptions {
  /** What to do when a person has moved the map and it rests again. */
  readonly onRest?: (view: View) => void;
  /** On a page that scrolls: one finger and the wheel scroll the page, two fingers and Ctrl with the wheel the map. */
  readonly isInText?: boolean;
}

/**
 * A map in an element.
 * @returns `failed` where the browser cannot draw maps
 */
export function useMap(
  element: RefObject<HTMLElement | null>,
  { onRest, isInText = false }: MapOptions = {},
): { readonly control: MapControl | null; readonly failed: boolean } {
  const { settings } = useSite();
  const { t, locale } = useText();
  const [control, setControl] = useState<MapControl | null>(null);
  const [failed, setFailed] = useState(false);
  const rested = useRef(onRest);
  rested.current = onRest;
  // More words, such as those of a page that is pointed at, are no reason for another map.
  const words = useRef(t);
  words.current = t;
  useEffect(() => {
    const container = element.current;
    if (container === null) return;
    // Shown until the homes are known.
    const { mapPlace } = settings.site;
    let map: MapView;
    try {
      map = new MapView({
        container,
        center: [mapPlace.longitude, mapPlace.latitude],
        zoom: mapPlace.zoom,
        maxZoom: DEEPEST_ZOOM,
        attributionControl: false,
        dragRotate: false,
        pitchWithRotate: false,
        touchPitch: false,
        cooperativeGestures: isInText,
        locale: {
          'Map.Title': words.current('map.title'),
          'NavigationControl.ZoomIn': words.current('map.zoomIn'),
          'NavigationControl.ZoomOut': words.current('map.zoomOut'),
          'AttributionControl.ToggleAttribution': words.current('map.attribution'),
          'CooperativeGesturesHandler.WindowsHelpText': words.current('map.ctrlToZoom'),
          'CooperativeGesturesHandler.MacHelpText': words.current('map.commandToZoom'),
          'CooperativeGesturesHandler.MobileHelpText': words.current('map.twoFingers'),
        },
      });
    } catch {
      // No WebGL: the list next to it shows the same homes.
      setFailed(true);
      return;
    }
    map.touchZoomRotate.disableRotation();
    map.addControl(new NavigationControl({ showCompass: false }));
    // Not at the bottom, where previews of homes and a phone's tab bar would cover it.
    map.addControl(new AttributionControl({ compact: true }), 'top-left');
    const stopThemes = watchTheme((theme) => {
      backgroundOf(settings.map, theme, { color: tokenOf, locale, families: familiesOfText() }).then(
        (style) => map.setStyle(style),
        // Homes are shown without a background, too.
        (error: unknown) => reportError(error),
      );
    });
    // A new theme is a new style, which has none yet.
    for (const change of ['moveend', 'styledata'] as const) map.on(change, () => loadStreets(map));
    const stopMoves = watchRest(map, () => rested.current?.(viewOf(map)));
    setControl({ view: map, ...stopMoves.control });
    return () => {
      stopThemes();
      stopMoves.stop();
      setControl(null);
      map.remove();
    };
  }, [element, settings, locale, isInText]);
  return { control, failed };
}

const viewOf = (map: MapView): View => ({ box: boxOf(map.getBounds()), zoom: Math.floor(map.getZoom()) });

/** Calls once for each rest after a person's move, however many parts the gesture had. */
function watchRest(map: MapView, onRest: () => void) {
  let isQuiet = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const place = (): string => `${map.getCenter()} ${map.getZoom()}`;
  let last = place();
  map.on('movestart', stop);
  map.on('moveend', () => {
    stop();
    // A window that is resized, or a phone's bar that folds away, moves nothing.
    const isMoved = place() !== last;
    if (!isQuiet && isMoved)
      timer = setTimeout(() => {
        last = place();
        onRest();
      }, REST_MS);
  });
  const fit = (box: Box, edge = 0): View => {
    isQuiet = true;
    map.fitBounds(cornersOf(box), { animate: false, padding: edge });
    isQuiet = false;
    last = place();
    return viewOf(map);
  };
  const approach = (center: [number, number], zoom: number): void => {
    map.easeTo({ center, zoom: Math.min(DEEPEST_ZOOM, zoom) });
  };
  return { stop, control: { fit, approach, shown: () => viewOf(map) } };
}

/** The value of a token in the shown theme. */
export const tokenOf = (role: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(role);

/** A name in quotes would be none: the map quotes them itself. */
const familiesOfText = (): string[] =>
  tokenOf('--typeface-body')
    .split(',')
    .map((family) => family.trim().replaceAll(/["']/g, ''));

const DARK = '(prefers-color-scheme: dark)';

/** Tells the theme now, and whenever it changes. */
function watchTheme(show: (theme: MapTheme) => void): () => void {
  const system = matchMedia(DARK);
  let shown: MapTheme | null = null;
  const update = (): void => {
    const chosen = document.documentElement.dataset.theme;
    const theme = (chosen ?? (system.matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';
    if (theme !== shown) show(theme);
    shown = theme;
  };
  const watcher = new MutationObserver(update);
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  system.addEventListener('change', update);
  update();
  return () => {
    watcher.disconnect();
    system.removeEventListener('change', update);
  };
}
