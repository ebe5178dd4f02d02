/**
 * Renders pages within bounds: so many at a time, so many waiting, so long for each. Public pages are the same bytes
 * for everyone, so one rendering answers all requests that come within a few seconds.
 */
import { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import { BoundReached, PublicError } from '../errors/errors.ts';
import { within } from '../time.ts';
import { createCompression } from './compression.ts';
import { createInlineHashes, type InlineSources } from './page-headers.ts';
import type { Page, PageRequest, SiteRenderer } from './renderer.ts';

export interface PublicPage extends Page {
  /** The hashes that let browsers run its inline scripts and styles. */
  readonly inline: InlineSources;
  /** The document as gzip, for browsers that take it. Made once, when first asked for. */
  compressed(): Uint8Array;
}

export interface RenderingLimits {
  /** Pages rendered at a time; each waits for the database most of its time. */
  readonly atOnce: number;
  /** Pages that wait for their turn; a request beyond is answered with SERVICE_UNAVAILABLE. */
  readonly waiting: number;
  readonly timeoutMs: number;
  /** How long a public page is cached. */
  readonly freshMs: number;
  /** Memory for cached pages, in characters of HTML. */
  readonly cachedCharacters: number;
}

export const RENDERING_LIMITS: RenderingLimits = {
  atOnce: 8,
  waiting: 64,
  timeoutMs: 10_000,
  // A listing that is taken down is gone within two seconds, rendering included.
  freshMs: 1_500,
  cachedCharacters: 32_000_000,
};

const RETRY_AFTER_SECONDS = 5;

export function createRendering(
  renderer: SiteRenderer,
  { limits, clock }: { readonly limits: RenderingLimits; readonly clock: Clock },
) {
  const turns = new Semaphore(limits.atOnce);
  const pages = createCache<PublicPage>({
    clock,
    maxAgeMs: limits.freshMs,
    maxSize: limits.cachedCharacters,
    sizeOf: ({ html }) => Math.max(1, html.length),
  });
  const compress = createCompression();
  const inlineHashes = createInlineHashes();

  /** @throws PublicError when too many wait or rendering takes too long; whatever a page's procedures reject with */
  const render = async (request: Omit<PageRequest, 'signal'>): Promise<Page> => {
    if (turns.load.waiting >= limits.waiting) throw busy();
    return within(limits.timeoutMs, async (signal) => {
      const leave = await turns.take({ signal });
      try {
        const page = await renderer.render({ ...request, signal });
        return { ...page, headers: page.headers.filter(([name]) => name === 'location' || name === 'link') };
      } finally {
        leave();
      }
    });
  };

  return {
    pages: renderer.pages,
    render,
    /** The page of an address, rendered now or within the last seconds. @throws as `render` */
    renderPublic(request: Omit<PageRequest, 'signal'>): Promise<PublicPage> {
      const load = async () => publicPage(await render(request), { compress, inlineHashes });
      return pages.load(request.url, load, ({ failure }) => failure === undefined);
    },
  };
}

export type Rendering = ReturnType<typeof createRendering>;

const busy = (): PublicError =>
  new PublicError('SERVICE_UNAVAILABLE', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new BoundReached('too many pages wait to be rendered'),
  });

/** Both remember the style, which is the same text in all pages. */
interface PageParts {
  readonly compress: (html: string) => Uint8Array;
  readonly inlineHashes: (html: string) => InlineSources;
}

/** What all answers with one rendering share is made once, because hashing takes the event loop. */
function publicPage(page: Page, { compress, inlineHashes }: PageParts): PublicPage {
  let made: Uint8Array | null = null;
  return {
    ...page,
    inline: inlineHashes(page.html),
    compressed() {
      made ??= compress(page.html);
      return made;
    },
  };
}
