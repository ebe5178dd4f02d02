import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { useSite } from '../../../app/use-site.ts';
import { problemKey } from '../problems.ts';
import { myListing, type OwnListing } from '../studio-queries.ts';

export type ListingChange = Omit<Inputs['properties']['update'], 'propertyId'>;
/** Stores some fields. @returns whether they were stored */
export type Save = (change: ListingChange) => Promise<boolean>;

/**
 * Stores changes of a listing one after the other, so that the last one of a field counts. Only the changed fields are
 * sent: what another agent does to the others stays.
 */
export function useSave(propertyId: string): Save {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const last = useRef(Promise.resolve(true));
  const { queryKey } = myListing(api, propertyId);
  const store = async (change: ListingChange): Promise<boolean> => {
    let isStored = true;
    try {
      await api.properties.update({ ...change, propertyId });
      notices.say('menu.saved');
    } catch (error) {
      notices.say(problemKey(error));
      isStored = false;
    }
    await queries.invalidateQueries({ queryKey });
    return isStored;
  };
  return (change) => {
    // Shown at once, so that the next change begins with this one; a failure shows what is stored.
    queries.setQueryData(queryKey, (listing) =>
      listing === undefined ? listing : ({ ...listing, ...change } as OwnListing),
    );
    last.current = last.current.then(() => store(change));
    return last.current;
  };
}
