import { queryOptions } from '@tanstack/react-query';
import type { Site } from '../../site/site.ts';

export type LegalPage = 'about' | 'privacy' | 'terms' | 'contact';

/** The operator's text of a page, in the language of the pages. */
export const legalText = ({ texts, language }: Pick<Site, 'texts' | 'language'>, page: LegalPage) => {
  const name = `${page}.${language.text.locale}`;
  return queryOptions({
    queryKey: ['legal', name],
    queryFn: () => texts(name),
    staleTime: Number.POSITIVE_INFINITY,
  });
};
