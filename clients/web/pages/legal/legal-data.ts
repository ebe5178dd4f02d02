import { queryOptions } from '@tanstack/react-query';
import type { Site } from '../../site/site.ts';

export type LegalPage = 'privacy' | 'terms' | 'contact';

/** The operator's text of a page, in the language of the pages. */
export const legalText = ({ texts, language }: Pick<Site, 'texts' | 'language'>, page: LegalPage) => {
  const name = `${page}.${language.text.locale}`;
  return queryOptions({
    queryKey: ['legal', name],
    queryFn: () => texts(name),
    staleTime: Number.POSITIVE_INFINITY,
  });
};

/** A part of a text: a heading, a list or a paragraph. */
export type Block =
  | { readonly kind: 'title' | 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** Parts are divided by empty lines. `# ` begins the title, `## ` a heading, `- ` an item of a list. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('# ')) return { kind: 'title', text: part.slice(2) };
      if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) };
      if (!part.startsWith('- ')) return { kind: 'paragraph', text: part };
      return { kind: 'list', items: part.split(/\r?\n- /).map((item) => item.replace(/^- /, '')) };
    });
}
