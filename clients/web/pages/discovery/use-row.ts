import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { usePerson } from '../../session/person.ts';
import { recentSearches } from '../../session/recent-searches.ts';
import { kept } from '../../site/keeper.ts';
import { useSite } from '../../site/use-site.ts';
import { readState } from '../search/search-state.ts';
import { usePlace } from '../search/use-place.ts';
import { homesOfRow, type NamedPlace, type RowKind } from './discovery-data.ts';

const NOWHERE: AddressQuery = {};

/** The place that was searched last on this device; null while it is not known, and where there is none. */
export function useLastPlace(): NamedPlace | null {
  const personId = usePerson()?.id ?? null;
  const [address, setAddress] = useState(NOWHERE);
  useEffect(() => {
    // The document is the same for everyone: what the device keeps comes after it.
    setAddress(recentSearches(kept, personId).find(({ q }) => q !== undefined) ?? NOWHERE);
  }, [personId]);
  const { q, place } = readState(address);
  const found = usePlace({ ...(q === undefined ? {} : { q }), ...(place === undefined ? {} : { place }) });
  if (q !== undefined && place !== undefined) return { id: place, label: q };
  // An address is no place.
  return found?.place?.count ? found.place : null;
}

/** The homes of a row: those of the visitor's place where it has any, else those of the site's. */
export function useRow(kind: RowKind, here: NamedPlace | null, last: NamedPlace | null) {
  const site = useSite();
  const own = useQuery({ ...homesOfRow(site, kind, last), enabled: last !== null && last.id !== here?.id });
  const ofSite = useQuery(homesOfRow(site, kind, here));
  return (own.data?.total ?? 0) > 0 ? { ...own, place: last } : { ...ofSite, place: here };
}
