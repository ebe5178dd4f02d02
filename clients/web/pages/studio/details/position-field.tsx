import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Box, Position } from '../../../map/map-area.ts';
import { Button } from '../../../primitives/button.tsx';
import { Section } from '../../../primitives/parts.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import { locatedAddress, type OwnListing } from '../studio-queries.ts';
import { CoordinatesField } from './coordinates-field.tsx';
import type { SavedFieldProps } from './saved-field.tsx';

const PinMap = lazy(() => import('../../../map/pin-map.tsx'));

/** Half the side of the first view, in degrees: some streets. */
const STREETS = 0.01;
/** The same of a place of which only a point is known. */
const TOWN = 0.04;

const around = ({ latitude, longitude }: Position, by: number): Box => [
  longitude - by,
  latitude - by,
  longitude + by,
  latitude + by,
];

/** Where the home stands. The map is loaded when it is asked for, and begins where the postal code or the city is. */
export function PositionField({ listing, save }: SavedFieldProps) {
  const { t } = useText();
  const [isShown, setShown] = useState(false);
  const { latitude, longitude } = listing;
  const position = latitude === null || longitude === null ? null : { latitude, longitude };
  const { area, isFar, isPending } = useArea(listing, position, isShown || position !== null);
  const place = (area?.bbox as Box | null | undefined) ?? (area === null ? null : around(area, TOWN));
  return (
    <Section title={t('studio.position.title')} id="position">
      {position === null ? <p className="muted">{t('studio.position.none')}</p> : null}
      <CoordinatesField listing={listing} save={save} />
      <p role="status" className="studio-note">
        {isFar ? t('studio.position.far', { postalCode: listing.postalCode ?? '' }) : null}
      </p>
      {isShown && !isPending ? (
        <Suspense fallback={<p>{t('common.loading')}</p>}>
          <PinMap
            around={position === null ? place : around(position, STREETS)}
            onPosition={(next) => void save(next).then((isStored) => setShown(!isStored))}
          />
        </Suspense>
      ) : (
        <div>
          <Button onPress={() => setShown(true)}>{t('studio.position.open')}</Button>
        </div>
      )}
    </Section>
  );
}

/** What is known of the place of the address. A question that is not answered leaves the map where the site's place is. */
function useArea(listing: OwnListing, position: Position | null, isAsked: boolean) {
  const { api } = useSite();
  const { propertyId, country, stateOrProvince, city, postalCode } = listing;
  const { data, isLoading } = useQuery({
    ...locatedAddress(api, { propertyId, country, stateOrProvince, city, postalCode, position }),
    enabled: isAsked,
  });
  return { area: data?.area ?? null, isFar: data?.isFar === true, isPending: isLoading };
}
