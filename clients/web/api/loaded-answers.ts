import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * What the server has loaded for a page travels in an element of its document, so that the browser does not ask again:
 * as data, which no browser runs, and without the times at which it was loaded, so that the same page is the same bytes.
 */
export const ANSWERS_ID = 'loaded-answers';

type Answer = readonly [key: QueryKey, answer: unknown];

/** The element's text. */
export function writeAnswers(queries: QueryClient): string {
  const answers: Answer[] = [];
  for (const { queryKey, state } of queries.getQueryCache().getAll())
    if (state.status === 'success') answers.push([queryKey, state.data]);
  return JSON.stringify(answers).replaceAll('<', '\\u003c');
}

/** Takes the answers out of the document. */
export function takeAnswers(document: Document, queries: QueryClient): void {
  const text = document.getElementById(ANSWERS_ID)?.textContent;
  if (!text) throw new Error('The document holds no answers');
  for (const [key, answer] of JSON.parse(text) as Answer[]) queries.setQueryData(key, answer);
}
