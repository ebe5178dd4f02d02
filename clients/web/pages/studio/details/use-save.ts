import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Inputs } from '../../../../typescript/procedures.ts';
import { problemKey } from '../../../api/failures.ts';
import { useTurns } from '../../../primitives/use-turns.ts';
import { useSite } from '../../../site/use-site.ts';
import { myListing, type OwnListing } from '../studio-queries.ts';
import { withoutChange } from './pending-change.ts';

export type ListingChange = Omit<Inputs['properties']['update'], 'propertyId'>;
/** Stores some fields. @returns whether they were stored */
export type Save = (change: ListingChange) => Promise<boolean>;

/**
 * Stores changes of a listing one after the other, so that the last one of a field counts. Only the changed fields are
 * sent: what another agent does to the others stays.
 * @returns the listing with the changes that are on their way, so that the next one begins with them
 */
export function useSave(stored: OwnListing): { readonly listing: OwnListing; readonly save: Save } {
  const { api, notices } = useSite();
  const queries = useQueryClient();
  const inTurn = useTurns();
  const [pending, setPending] = useState<ListingChange>({});
  const { propertyId } = stored;
  const { queryKey } = myListing(api, propertyId);
  const store = async (change: ListingChange): Promise<boolean> => {
    let isStored = true;
    try {
      await api.properties.update({ ...change, propertyId });
      queries.setQueryData(queryKey, (known) => known && ({ ...known, ...change } as OwnListing));
      notices.say('menu.saved');
    } catch (error) {
      notices.say(problemKey(error));
      isStored = false;
    }
    await queries.invalidateQueries({ queryKey });
    setPending((all) => withoutChange(all, change));
    return isStored;
  };
  const save: Save = (change) => {
    setPending((all) => ({ ...all, ...change }));
    return inTurn(() => store(change));
  };
  return { listing: { ...stored, ...pending } as OwnListing, save };
}
