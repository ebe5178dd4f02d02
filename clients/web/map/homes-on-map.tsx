import { useCallback, useMemo, useRef, useState } from 'react';
import type { SiteFilters } from '../api/queries.ts';
import type { PictureChoice } from '../pictures/picture-choice.ts';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { useHomeMarks, useMarksOfPerson } from '../session/use-home-marks.ts';
import { useText } from '../site/use-site.ts';
import { HomeCard, HomesCard } from './home-card.tsx';
import { type Box, withEdge } from './map-area.ts';
import { MapMark } from './map-mark.tsx';
import { clusterLevel, type Group, type Marks, type PlacedMark, withoutHomes } from './mark-layout.ts';
import { DEEPEST_ZOOM, type MapControl } from './use-map.ts';
import { usePlacedMarks } from './use-placed-marks.ts';
import './homes-on-map.css';

interface HomesOnMapProps {
  readonly control: MapControl;
  readonly marks: Marks;
  /** What the marks were found with. */
  readonly filters: SiteFilters;
  readonly pictures: PictureChoice | undefined;
  /** The home that the pointer or the focus is on, on the map or elsewhere. */
  readonly pointed: string | null;
  readonly onPoint: (propertyId: string | null) => void;
  /** The home whose page this is; it is marked by a house. */
  readonly own?: string;
}

/** What a card is open for. */
type Opened = { readonly propertyId: string } | { readonly box: Box };

/** Homes as marks on a map, none over another. A home opens its card; several come closer, or open a list of them. */
export function HomesOnMap({ control, marks, filters, pictures, pointed, onPoint, own }: HomesOnMapProps) {
  const { view } = control;
  useMarksOfPerson();
  const hidden = useHomeMarks((of) => of.hidden);
  const seen = useHomeMarks((of) => of.seen);
  // The home of the page stays, also when it is hidden.
  const shown = useMemo(
    () =>
      withoutHomes(
        marks,
        hidden.filter((id) => id !== own),
      ),
    [marks, hidden, own],
  );
  const placed = usePlacedMarks(view, shown);
  const isSeen = ({ count, pins }: Group): boolean => count === 1 && seen.includes(pins[0]?.propertyId ?? '');
  const [opened, setOpened] = useState<Opened | null>(null);
  const opener = useRef<Element | null>(null);
  const open = (next: Opened): void => {
    opener.current = document.activeElement;
    setOpened(next);
  };
  const close = useCallback((): void => {
    setOpened(null);
    // The mark may have become a part of another one.
    const next = opener.current?.isConnected ? opener.current : view.getCanvas();
    (next as HTMLElement).focus();
  }, [view]);
  const press = (mark: Group): void => {
    const [pin] = mark.pins;
    const zoom = view.getZoom();
    if (mark.count === 1 && pin !== undefined) open({ propertyId: pin.propertyId });
    else if (zoom >= DEEPEST_ZOOM) open({ box: withEdge(mark.box) });
    else {
      // The mark goes away, and the keyboard continues with the map.
      view.getCanvas().focus({ preventScroll: true });
      control.approach([mark.longitude, mark.latitude], Math.max(mark.expansionZoom, zoom + 1));
    }
  };
  const openedHome = opened !== null && 'propertyId' in opened ? opened.propertyId : null;
  return (
    <>
      {placed.map((one) => (
        <HomeMark
          key={one.mark.key}
          control={control}
          placed={one}
          isOwn={has(one.mark, own)}
          isSeen={isSeen(one.mark)}
          isPointed={has(one.mark, pointed)}
          isOpened={has(one.mark, openedHome)}
          onPress={() => press(one.mark)}
          onPoint={onPoint}
        />
      ))}
      {openedHome === null ? null : (
        <HomeCard key={openedHome} propertyId={openedHome} pictures={pictures} onClose={close} />
      )}
      {opened !== null && 'box' in opened ? (
        <HomesCard filters={filters} box={opened.box} pictures={pictures} onClose={close} />
      ) : null}
    </>
  );
}

const has = ({ pins }: Group, home: string | null | undefined): boolean =>
  pins.some(({ propertyId }) => propertyId === home);

interface HomeMarkProps {
  readonly control: MapControl;
  readonly placed: PlacedMark;
  readonly isOwn: boolean;
  /** A home whose page was opened. */
  readonly isSeen: boolean;
  readonly isPointed: boolean;
  readonly isOpened: boolean;
  readonly onPress: () => void;
  readonly onPoint: (propertyId: string | null) => void;
}

function HomeMark({ control, placed, isOwn, isSeen, isPointed, isOpened, onPress, onPoint }: HomeMarkProps) {
  const { t } = useText();
  const { mark, look, width, height } = placed;
  const [pin] = mark.pins;
  const point = (isOn: boolean): void => {
    if (mark.count === 1 && pin !== undefined) onPoint(isOn ? pin.propertyId : null);
  };
  const count =
    mark.count === 1
      ? t(isSeen ? 'map.seenHome' : 'map.home', { price: pin?.pill ?? '' })
      : t('map.cluster', { count: mark.count });
  const own = mark.count === 1 ? t('map.thisHome') : `${t('map.thisHome')}. ${count}`;
  return (
    <MapMark
      map={control.view}
      latitude={mark.latitude}
      longitude={mark.longitude}
      isPointed={isPointed || isOpened}
    >
      <Button
        kind="pill"
        aria-label={isOwn ? own : count}
        aria-pressed={mark.count === 1 ? isOpened : undefined}
        data-look={look}
        data-level={look === 'cluster' ? clusterLevel(mark.count) : undefined}
        data-own={isOwn || undefined}
        data-seen={isSeen || undefined}
        data-pointed={isPointed || isOpened || undefined}
        style={{ width, height }}
        onPress={onPress}
        onMouseEnter={() => point(true)}
        onMouseLeave={() => point(false)}
        onFocus={() => point(true)}
        onBlur={() => point(false)}
      >
        {isOwn && look === 'cluster' ? <Icon name="home" /> : null}
        {look === 'cluster' ? (
          <GroupMark mark={mark} />
        ) : (
          <span className="home-mark-price">{isOwn ? <Icon name="home" /> : pin?.pill}</span>
        )}
      </Button>
    </MapMark>
  );
}

/** 12,742 homes are `13K`. */
const COUNT: Intl.NumberFormatOptions = { notation: 'compact' };

/** How many homes; the lowest price is shown while the pointer or the focus is on them. */
function GroupMark({ mark: { count, minPrice, currency } }: { readonly mark: Group }) {
  const { t, money, number } = useText();
  return (
    <>
      <span className="home-mark-count">{number(count, COUNT)}</span>
      {currency === null ? null : (
        <span className="home-mark-from">{t('map.from', { price: money(minPrice, currency) })}</span>
      )}
    </>
  );
}
