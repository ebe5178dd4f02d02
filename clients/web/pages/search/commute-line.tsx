import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { commuteTimes } from '../../api/queries.ts';
import { type CommutePlace, commutePlace } from '../../session/commute-place.ts';
import { kept } from '../../site/keeper.ts';
import { useSite, useText } from '../../site/use-site.ts';

interface CommuteLineProps {
  readonly propertyId: string;
  /** The homes of its page of the list: they are asked about together. */
  readonly page: readonly { readonly propertyId: string }[];
}

/** How long it takes from a home of the list to the place that the person has chosen; nothing without one. */
export default function CommuteLine({ propertyId, page }: CommuteLineProps) {
  const { api, person, settings } = useSite();
  const { t } = useText();
  // The server does not know it.
  const [place, setPlace] = useState<CommutePlace | null>(null);
  useEffect(() => setPlace(commutePlace(kept, person?.current() ?? null)), [person]);
  const { label, latitude = 0, longitude = 0, mode = 'CAR' } = place ?? {};
  const propertyIds = page.map((home) => home.propertyId);
  const { data } = useQuery({
    ...commuteTimes(api, { propertyIds, to: { latitude, longitude }, mode }),
    enabled: place !== null && settings.commute?.modes.includes(mode) === true,
  });
  const minutes = data?.minutes[propertyIds.indexOf(propertyId)] ?? null;
  if (minutes === null || label === undefined) return null;
  return <p className="muted">{t(`commute.time.${mode}`, { count: minutes, place: label })}</p>;
}
