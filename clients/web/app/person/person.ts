import type { QueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../../typescript/procedures.ts';
import { forgetSearches } from '../../pages/search/recent-searches.ts';
import { ME, me, PERSONAL } from '../queries.ts';
import type { Site } from '../site.ts';
import { useAnswer } from '../use-answer.ts';
import { useSite } from '../use-site.ts';
import { markSignedIn } from './signed-in-mark.ts';

export type Me = Outputs['users']['getMe'];

/** Loads who is signed in, for pages that a person has to themselves. */
export async function loadPerson(site: Site): Promise<Me | null> {
  return site.queries.ensureQueryData(me(site));
}

/** Forgets everything about the person, on this page. */
export function forgetPerson(queries: QueryClient): void {
  markSignedIn(false);
  forgetSearches(localStorage);
  queries.setQueryData(ME, null);
  queries.removeQueries({ queryKey: [PERSONAL], predicate: ({ queryKey }) => queryKey[1] !== ME[1] });
}

/** The person who is signed in, null for nobody, undefined while it is not known yet. */
export function usePerson(): Me | null | undefined {
  const site = useSite();
  return useAnswer({ ...me(site), enabled: site.account !== null });
}
