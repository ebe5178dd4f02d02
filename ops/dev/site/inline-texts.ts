import { ownSite } from '../../../src/site/read-site.ts';
import { publicSite } from '../../../src/site/site.ts';
import type { InlineTexts, SiteRenderer } from '../../../src/website/renderer.ts';

const INLINE_SCRIPT = /<script(?![^>]*\s(?:src|type="application\/))[^>]*>([\s\S]*?)<\/script>/g;
const INLINE_STYLE = /<style[^>]*>([\s\S]*?)<\/style>/g;

/** The texts of the scripts and styles in a document. */
export const inlineTexts = (html: string): InlineTexts => ({
  scripts: [...html.matchAll(INLINE_SCRIPT)].map(([, text = '']) => text),
  styles: [...html.matchAll(INLINE_STYLE)].map(([, text = '']) => text),
});

/**
 * The inline scripts and styles of all pages, as a page shows them that has no data: whatever else stands in a document
 * later was not written by us, and browsers refuse it.
 */
export async function knownInlineTexts({ render }: Pick<SiteRenderer, 'render'>): Promise<InlineTexts> {
  const { html, status } = await render({
    url: 'https://site.invalid/privacy',
    api: {},
    texts: async () => '',
    nonce: null,
    settings: {
      site: publicSite(ownSite()),
      origin: 'https://site.invalid',
      agentsNeedInvitation: false,
      commute: null,
      sample: false,
      feeds: [],
      map: { styleUrl: null, pmtilesUrl: null },
      providers: { google: null, apple: null },
      crashReports: null,
    },
    styles: '',
    signal: new AbortController().signal,
  });
  if (status !== 200) throw new Error(`The page without data was answered with ${status}`);
  return inlineTexts(html);
}
