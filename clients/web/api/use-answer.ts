import {
  type QueryKey,
  type UndefinedInitialDataOptions,
  type UseSuspenseQueryOptions,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';

/**
 * The answer of a query; undefined while it is not known. A page that the server draws never changes, so there no one
 * watches for changes: each heart had two that did, in a tenth of the time of a page.
 */
export const useAnswer: <Answer, Key extends QueryKey>(
  query: UndefinedInitialDataOptions<Answer, Error, Answer, Key>,
) => Answer | undefined =
  typeof document === 'undefined'
    ? ({ queryKey }) => useQueryClient().getQueryData(queryKey)
    : (query) => useQuery(query).data;

/** The answer of a query that the page's loader has asked. */
export const useLoaded: <Answer, Key extends QueryKey>(
  query: UseSuspenseQueryOptions<Answer, Error, Answer, Key>,
) => Answer =
  typeof document === 'undefined'
    ? <Answer>({ queryKey }: { readonly queryKey: QueryKey }) => {
        const answer = useQueryClient().getQueryData<Answer>(queryKey);
        if (answer === undefined) throw new Error(`${queryKey[0]} was not loaded`);
        return answer;
      }
    : (query) => useSuspenseQuery(query).data;
