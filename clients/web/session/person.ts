import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Outputs } from '../../typescript/procedures.ts';
import { failureOf } from '../api/failures.ts';
import { PERSONAL } from '../api/queries.ts';
import { useAnswer } from '../api/use-answer.ts';
import type { Site } from '../site/site.ts';
import { useSite } from '../site/use-site.ts';

export type Me = Outputs['users']['getMe'];

const UNAUTHORIZED = 401;
const ME = [PERSONAL, 'users.getMe'] as const;

/** The query of the person who is signed in; null when signed out. */
export const me = ({ api, person }: Pick<Site, 'api' | 'person'>) =>
  queryOptions({
    queryKey: ME,
    queryFn: async ({ signal }): Promise<Me | null> => {
      if (person?.current() === null) return null;
      try {
        const known = await api.users.getMe(undefined, { signal });
        person?.is(known.id);
        return known;
      } catch (error) {
        if (failureOf(error).httpStatus === UNAUTHORIZED) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whom the server has drawn the page for; undefined when it was drawn for everyone. */
export function drawnFor(queries: QueryClient): string | null | undefined {
  const known = queries.getQueryData<Me | null>(ME);
  return known === undefined ? undefined : (known?.id ?? null);
}

/** Asks the server once more who is signed in. */
export const askAgain = (queries: QueryClient): void => void queries.invalidateQueries({ queryKey: ME });

/** Loads who is signed in, for pages that a person has to themselves. */
export async function loadPerson(site: Site): Promise<Me | null> {
  return site.queries.ensureQueryData(me(site));
}

/** Forgets everything about the person, on this page and in this browser. */
export function forgetPerson({ queries, person }: Pick<Site, 'queries' | 'person'>): void {
  person?.is(null);
  queries.setQueryData(ME, null);
  queries.removeQueries({ queryKey: [PERSONAL], predicate: ({ queryKey }) => queryKey[1] !== ME[1] });
}

/** The person who is signed in, null when signed out, undefined while it is not known yet. */
export function usePerson(): Me | null | undefined {
  const site = useSite();
  return useAnswer({ ...me(site), enabled: site.account !== null });
}
