import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Inputs } from '../../typescript/procedures.ts';
import { mapMarks } from '../api/queries.ts';
import type { PictureChoice } from '../pictures/picture-choice.ts';
import { useSite, useText } from '../site/use-site.ts';
import { HomeMarks } from './home-marks.tsx';
import type { Box, Position } from './map-area.ts';
import { MapView } from './map-view.tsx';
import type { Marks, Pin } from './mark-layout.ts';
import { useMap } from './use-map.ts';
import './surroundings-map.css';

interface SurroundingsMapProps {
  readonly home: Pin;
  readonly pictures: PictureChoice | undefined;
}

/** Half the side of the first view, in degrees of latitude: about a kilometer. */
const NEAR = 0.009;
/** Homes are asked for somewhat farther away, for those who move the map. */
const ASKED = 3 * NEAR;
/** At this zoom the server answers with homes one by one, as long as they are not too many. */
const SINGLE_HOMES = 17;

/** A home among the homes on the market around it. */
export default function SurroundingsMap({ home, pictures }: SurroundingsMapProps) {
  const { api } = useSite();
  const { t } = useText();
  const element = useRef<HTMLDivElement>(null);
  const { control, failed } = useMap(element, { isInText: true });
  const [pointed, setPointed] = useState<string | null>(null);
  const { latitude, longitude } = home;
  useEffect(() => {
    control?.fit(boxBy({ latitude, longitude }, NEAR));
  }, [control, latitude, longitude]);
  const bbox = [...boxBy(home, ASKED)] as Inputs['search']['map']['bbox'];
  const { data } = useQuery(mapMarks(api, { filters: {}, bbox, zoom: SINGLE_HOMES }));
  const marks = useMemo(() => withHome(data, home), [data, home]);
  if (failed) return <p className="muted">{t('map.notDrawnHere')}</p>;
  return (
    <div className="surroundings-map">
      <MapView element={element} />
      {control === null ? null : (
        <HomeMarks
          control={control}
          marks={marks}
          filters={{}}
          pictures={pictures}
          pointed={pointed}
          onPoint={setPointed}
          own={home.propertyId}
        />
      )}
    </div>
  );
}

function boxBy({ latitude, longitude }: Position, north: number): Box {
  const east = north / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  return [longitude - east, latitude - north, longitude + east, latitude + north].map((degrees, side) =>
    side % 2 === 0 ? Math.min(180, Math.max(-180, degrees)) : Math.min(90, Math.max(-90, degrees)),
  ) as unknown as Box;
}

/** The home itself is always there, on the market or not, and whatever the server says about the others. */
function withHome(marks: Marks | undefined, home: Pin): Marks {
  const { clusters, pins } = marks ?? { clusters: [], pins: [] };
  const others = pins.filter(({ propertyId }) => propertyId !== home.propertyId);
  return { clusters, pins: [...others, home], total: 0 };
}
