import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Inputs, Outputs } from '../../../typescript/procedures.ts';
import { mapMarks, placeNames } from '../../api/queries.ts';
import { writeNames } from '../../map/basemap.ts';
import { type Box, boxAround, cornersOfCluster, WORLD } from '../../map/map-area.ts';
import { MapMark } from '../../map/map-mark.tsx';
import { MapView } from '../../map/map-view.tsx';
import { type MapControl, useMap, type View } from '../../map/use-map.ts';
import { Button } from '../../primitives/button.tsx';
import { useSite, useText } from '../../site/use-site.ts';
import { MapPreview } from './map-preview.tsx';
import { mapQuestion, type SearchState, writeState } from './search-state.ts';
import './search-map.css';

type Marks = Outputs['search']['map'];
type Cluster = Marks['clusters'][number];
type Pin = Marks['pins'][number];

/** 12,742 homes are `13K`. */
const COUNT: Intl.NumberFormatOptions = { notation: 'compact' };
const WORLD_ZOOM = 2;
/** So much finer than the first answer is the second one. */
const CLOSER = 8;

interface SearchMapProps {
  readonly state: SearchState;
  readonly filters: NonNullable<Inputs['search']['map']['filters']>;
  /** The home that the pointer or the focus is on, in the list or on the map. */
  readonly pointed: string | null;
  readonly onPoint: (propertyId: string | null) => void;
}

/**
 * The homes of a search on a map. Once a person moves it, its box is part of the address, so list and map hold the same
 * homes; before, it shows where all of them are. One move asks once, when the map rests.
 */
export default function SearchMap({ state, filters, pointed, onPoint }: SearchMapProps) {
  const { api } = useSite();
  const { t, number } = useText();
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState<string | null>(null);
  /** The box that the map itself wrote into the address. */
  const written = useRef('');
  const { control, failed } = useMap(element, ({ box, zoom }: View) => {
    written.current = box.join();
    const { cursor, ...rest } = state;
    void navigate({
      to: '/search',
      search: writeState({ ...rest, box, zoom }),
      replace: state.box !== undefined,
      resetScroll: false,
    });
  });
  const [fitted, setFitted] = useState<View | null>(null);
  const { box } = state;
  const around = useHomesAround(filters, box === undefined);
  useEffect(() => {
    if (control === null) return;
    if (box !== undefined) {
      if (box.join() !== written.current) control.fit(box);
      written.current = box.join();
      return;
    }
    written.current = '';
    setFitted(around === null ? null : control.fit(around));
  }, [control, box, around]);
  const asked =
    mapQuestion(state, filters) ??
    (fitted === null
      ? null
      : { filters, bbox: [...fitted.box] as Inputs['search']['map']['bbox'], zoom: fitted.zoom });
  const { data, isError } = useQuery({
    ...mapMarks(api, asked ?? { filters, bbox: [...WORLD], zoom: WORLD_ZOOM }),
    enabled: asked !== null && control !== null,
    placeholderData: keepPreviousData,
  });
  useNames(control, asked);
  const approach = ({ longitude, latitude, expansionZoom }: Cluster): void => {
    const zoom = Math.max(expansionZoom, (control?.view.getZoom() ?? 0) + 1);
    control?.approach([longitude, latitude], zoom);
  };
  return (
    <div className="search-map">
      <MapView element={element} />
      {failed || isError ? (
        <p className="search-map-problem" role="status">
          {t(failed ? 'map.notDrawn' : 'map.failed')}
        </p>
      ) : null}
      {control === null || data === undefined
        ? null
        : inOrder(data).map((mark) =>
            'propertyId' in mark ? (
              <MapMark
                key={mark.propertyId}
                map={control.view}
                {...positionOf(mark)}
                isPointed={pointed === mark.propertyId}
              >
                <Button
                  kind="pill"
                  aria-label={t('map.home', { price: mark.pill })}
                  aria-pressed={isOpen === mark.propertyId}
                  data-pointed={pointed === mark.propertyId || undefined}
                  onPress={() => setOpen(mark.propertyId)}
                  onMouseEnter={() => onPoint(mark.propertyId)}
                  onMouseLeave={() => onPoint(null)}
                  onFocus={() => onPoint(mark.propertyId)}
                  onBlur={() => onPoint(null)}
                >
                  {mark.pill}
                </Button>
              </MapMark>
            ) : (
              <MapMark key={mark.id} map={control.view} {...positionOf(mark)} isPointed={false}>
                <Button
                  kind="pill"
                  aria-label={t('map.cluster', { count: mark.count })}
                  onPress={() => approach(mark)}
                >
                  <span className="map-cluster-count">{number(mark.count, COUNT)}</span>
                  <LowestPrice cluster={mark} />
                </Button>
              </MapMark>
            ),
          )}
      {isOpen === null ? null : (
        <MapPreview propertyId={isOpen} pictures={state.pictures} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

/** Names on the built-in map. A new theme is a new style, which has none yet. */
function useNames(
  control: MapControl | null,
  asked: Pick<Inputs['search']['map'], 'bbox' | 'zoom'> | null,
): void {
  const { api, settings } = useSite();
  const isBuiltIn = settings.map.styleUrl === null && settings.map.pmtilesUrl === null;
  const { bbox = [...WORLD] as Inputs['search']['map']['bbox'], zoom = WORLD_ZOOM } = asked ?? {};
  const { data } = useQuery({
    ...placeNames(api, { bbox, zoom }),
    enabled: isBuiltIn && asked !== null,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (control === null || data === undefined) return;
    const write = (): void => writeNames(control.view, data.places);
    write();
    control.view.on('styledata', write);
    return () => void control.view.off('styledata', write);
  }, [control, data]);
}

/** The box that holds all homes of the filters: first roughly from the whole world, then closer. Null while unknown. */
function useHomesAround(filters: SearchMapProps['filters'], enabled: boolean): Box | null {
  const { api } = useSite();
  const world = useQuery({ ...mapMarks(api, { filters, bbox: [...WORLD], zoom: WORLD_ZOOM }), enabled });
  const rough = useMemo(() => boxOfMarks(world.data), [world.data]);
  const closer = useQuery({
    ...mapMarks(api, { filters, bbox: [...(rough ?? WORLD)], zoom: WORLD_ZOOM + CLOSER }),
    enabled: enabled && rough !== null,
  });
  return useMemo(() => boxOfMarks(closer.data), [closer.data]);
}

const boxOfMarks = (marks: Marks | undefined): Box | null =>
  marks === undefined ? null : boxAround([...marks.clusters.flatMap(cornersOfCluster), ...marks.pins]);

/** Shown while the pointer or the focus is on the pill. */
function LowestPrice({ cluster: { minPrice, currency } }: { readonly cluster: Cluster }) {
  const { t, money } = useText();
  if (currency === null) return null;
  return <span className="map-cluster-price">{t('map.from', { price: money(minPrice, currency) })}</span>;
}

/** From north to south, so that the keyboard goes through them as the eye does. */
const inOrder = ({ clusters, pins }: Marks): (Cluster | Pin)[] =>
  [...clusters, ...pins].toSorted((one, other) => other.latitude - one.latitude);

const positionOf = ({ latitude, longitude }: Cluster | Pin) => ({ latitude, longitude });
