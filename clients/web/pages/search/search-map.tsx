import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Inputs, Outputs } from '../../../typescript/procedures.ts';
import { type Filtered, mapMarks, placeNames, type SiteFilters } from '../../api/queries.ts';
import { useAreaLayer } from '../../map/area-layer.ts';
import { writeNames } from '../../map/basemap.ts';
import type { Corners } from '../../map/drawn-area.ts';
import { HomesOnMap } from '../../map/homes-on-map.tsx';
import { type Box, boxAround, cornersOfCluster, WORLD } from '../../map/map-area.ts';
import { MapView } from '../../map/map-view.tsx';
import { type MapControl, useMap, type View } from '../../map/use-map.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { DrawTools } from './search-map-drawing.tsx';
import { mapQuestion, type SearchState, writeState } from './search-state.ts';
import './search-map.css';

type Marks = Outputs['search']['map'];

const WORLD_ZOOM = 2;
/** Pixels around the homes of the first view, so that no mark is cut. */
const EDGE = 32;
/** So much finer than the first answer is the second one. */
const CLOSER = 8;

interface SearchMapProps {
  readonly state: SearchState;
  readonly filters: SiteFilters;
  /** The home that the pointer or the focus is on, in the list or on the map. */
  readonly pointed: string | null;
  readonly onPoint: (propertyId: string | null) => void;
}

/**
 * The homes of a search on a map. Once a person moves it, its box is part of the address, so list and map hold the same
 * homes; before, it shows where all of them are. One move asks once, when the map rests.
 */
export default function SearchMap({ state, filters, pointed, onPoint }: SearchMapProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const [isDrawing, setDrawing] = useState(false);
  /** The box that the map itself wrote into the address. */
  const written = useRef('');
  const show = ({ box, zoom }: View, change: Partial<SearchState> = {}): void => {
    written.current = box.join();
    const { cursor, ...rest } = state;
    const isNew = state.box === undefined || 'area' in change;
    const search = writeState({ ...rest, box, zoom, ...change });
    void navigate({ to: '/search', search, replace: !isNew, resetScroll: false });
  };
  const { control, failed } = useMap(element, { onRest: show });
  const asked = useAsked(control, { state, filters, written });
  const { api } = useSite();
  const { data, isError } = useQuery({
    ...mapMarks(api, asked ?? { filters, bbox: [...WORLD], zoom: WORLD_ZOOM }),
    enabled: asked !== null && control !== null,
    placeholderData: keepPreviousData,
  });
  useNames(control, asked);
  useAreaLayer(control, isDrawing ? null : (state.area ?? null));
  const search = (area: Corners | undefined): void => {
    setDrawing(false);
    if (control !== null) show(control.shown(), { area });
  };
  return (
    <div className="search-map">
      <MapView element={element} />
      {failed || isError ? (
        <p className="search-map-problem" role="status">
          {t(failed ? 'map.notDrawn' : 'map.failed')}
        </p>
      ) : null}
      {control === null ? null : (
        <DrawTools
          control={control}
          area={state.area}
          isDrawing={isDrawing}
          onDrawing={setDrawing}
          onArea={search}
        />
      )}
      {control === null || data === undefined || isDrawing ? null : (
        <HomesOnMap
          control={control}
          marks={data}
          filters={filters}
          pictures={state.pictures}
          pointed={pointed}
          onPoint={onPoint}
        />
      )}
    </div>
  );
}

type Question = Filtered<'map'>;

interface Asked {
  readonly state: SearchState;
  readonly filters: SearchMapProps['filters'];
  readonly written: RefObject<string>;
}

/**
 * Shows the box of the address, or else the drawn area, or else where all homes are.
 * @returns the question about what is shown; null while that is unknown
 */
function useAsked(control: MapControl | null, { state, filters, written }: Asked): Question | null {
  const [fitted, setFitted] = useState<View | null>(null);
  /** The map that shows the box: a new one, as for another language, does not yet. */
  const shownOn = useRef<MapControl | null>(null);
  const { area, box } = state;
  const drawn = useMemo(() => (area === undefined ? null : boxAround(area)), [area]);
  const found = useHomesAround(filters, box === undefined && drawn === null);
  const around = drawn ?? found;
  useEffect(() => {
    if (control === null) return;
    if (box !== undefined) {
      if (box.join() !== written.current || shownOn.current !== control) control.fit(box);
      written.current = box.join();
      shownOn.current = control;
      return;
    }
    written.current = '';
    setFitted(around === null ? null : control.fit(around, EDGE));
  }, [control, box, around, written]);
  const inAddress = mapQuestion(state, filters);
  if (inAddress !== null || fitted === null) return inAddress;
  return { filters, bbox: [...fitted.box] as Question['bbox'], zoom: fitted.zoom };
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
