/**
 * Renders pages within bounds: so many at a time, in turns that are fair between clients, so many waiting, so long for
 * each. Public pages are the same bytes for everyone, so one rendering answers all requests that come within a few seconds.
 */
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import { BoundReached, isCrowded, PublicError } from '../errors/errors.ts';
import { asPublicError } from '../http/error-response.ts';
import { createFairQueue, QueueFull } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import type { WorkBudget } from '../limits/work-budget.ts';
import { isTimeout, within } from '../time.ts';
import { createCompression } from './compression.ts';
import { createInlineSources, type InlineSources } from './page-headers.ts';
import type { InlineTexts, Page, PageRequest, SiteRenderer } from './renderer.ts';

export interface PublicPage extends Page {
  /** The hashes that let browsers run its inline scripts and styles. */
  readonly inline: InlineSources;
  /** The pictures and the listings that it shows. */
  readonly imageIds: readonly string[];
  readonly propertyIds: readonly string[];
  /** The document as gzip, for browsers that take it. Made once, when first asked for. */
  compressed(): Uint8Array;
}

export interface RenderingLimits {
  /** Pages rendered at a time; each waits for the database most of its time. */
  readonly atOnce: number;
  /** Of these, for one client. */
  readonly atOnceEach: number;
  /** Pages that wait for their turn; beyond, those of the client with the most are answered with SERVICE_UNAVAILABLE. */
  readonly waiting: number;
  readonly timeoutMs: number;
  /** How long a public page is cached. */
  readonly freshMs: number;
  /** How long it is shown when there is no room to render it again. */
  readonly staleMs: number;
  /** Memory for cached pages, in characters of HTML. */
  readonly cachedCharacters: number;
}

export const RENDERING_LIMITS: RenderingLimits = {
  atOnce: 8,
  atOnceEach: 1,
  waiting: 64,
  timeoutMs: 10_000,
  // A listing that is taken down is gone within two seconds, rendering included.
  freshMs: 1_500,
  staleMs: 60_000,
  cachedCharacters: 32_000_000,
};

const RETRY_AFTER_SECONDS = 5;

type Rendered = Omit<PageRequest, 'signal'>;

export function createRendering(
  renderer: SiteRenderer,
  {
    inline,
    limits,
    clock,
    budget,
    rejections,
    arePublic,
  }: {
    readonly inline: InlineTexts;
    readonly limits: RenderingLimits;
    readonly clock: Clock;
    readonly budget: Pick<WorkBudget, 'begin'>;
    readonly rejections: RejectionLog;
    /** Whether everyone may see all of these pictures now. */
    readonly arePublic: (imageIds: readonly string[]) => Promise<boolean>;
  },
) {
  const turns = createFairQueue({
    lanes: limits.atOnce,
    lanesEach: limits.atOnceEach,
    mostWaiting: limits.waiting,
  });
  const cacheFor = (maxAgeMs: number) =>
    createCache<PublicPage>({
      clock,
      maxAgeMs,
      maxSize: limits.cachedCharacters / 2,
      sizeOf: ({ html }) => Math.max(1, html.length),
    });
  const fresh = cacheFor(limits.freshMs);
  const kept = cacheFor(limits.staleMs);
  const compress = createCompression();
  const inlineSources = createInlineSources(inline);

  /**
   * @param client for whom: its pages wait for each other
   * @throws PublicError when too many wait or rendering takes too long; whatever a page's procedures reject with
   */
  const render = (client: string, request: Rendered): Promise<Page> =>
    within(limits.timeoutMs, async (signal) => {
      const settle = await budget.begin(client, signal);
      const turn = { clients: [client], subject: '' };
      let took = 0;
      const page = await turns
        .run(
          turn,
          async () => {
            const rendered = await renderer.render({ ...request, signal });
            took = rendered.renderedMs;
            return rendered;
          },
          signal,
        )
        .finally(() => settle(took));
      return { ...page, headers: page.headers.filter(([name]) => name === 'location' || name === 'link') };
    }).catch((error: unknown) => {
      if (!(error instanceof QueueFull) && !isCrowded(error))
        throw isTimeout(error) ? unavailable(error) : error;
      rejections.note('pages', { client });
      throw busy(error);
    });
  const load = async (client: string, request: Rendered): Promise<PublicPage> => {
    const page = publicPage(await render(client, request), { compress, inlineSources });
    if (page.failure !== undefined && isCrowded(publicErrorOf(page.failure.error)))
      throw busy(page.failure.error);
    if (page.failure === undefined) kept.set(request.url, page);
    return page;
  };

  return {
    pages: renderer.pages,
    render,
    /**
     * The page of an address, rendered now or within the last seconds; an older one, within a minute, while there is no
     * room for this client and all of its pictures are still shown.
     * @param mayBeOld whether an older one will do
     * @throws as `render`
     */
    async renderPublic(
      { client, mayBeOld }: { readonly client: string; readonly mayBeOld: boolean },
      request: Rendered,
    ): Promise<{ readonly page: PublicPage; readonly isStale: boolean }> {
      try {
        const isKept = ({ failure }: PublicPage) => failure === undefined;
        return { page: await fresh.load(request.url, () => load(client, request), isKept), isStale: false };
      } catch (error) {
        const page = mayBeOld && isCrowded(error) ? kept.get(request.url) : undefined;
        // A picture that was hidden since takes its old pages with it.
        if (page === undefined || !(await arePublic(page.imageIds))) throw error;
        return { page, isStale: true };
      }
    },
  };
}

export type Rendering = ReturnType<typeof createRendering>;

const unavailable = (cause: unknown, retryAfterSeconds = RETRY_AFTER_SECONDS): PublicError =>
  new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause });
const busy = (cause: unknown): PublicError =>
  unavailable(
    new BoundReached('no room to render a page', { cause }),
    publicErrorOf(cause).retryAfterSeconds,
  );

/** The error of a failed call, or of a page. */
export const publicErrorOf = (error: unknown): PublicError =>
  asPublicError(error instanceof Error && error.cause instanceof PublicError ? error.cause : error);

interface PageParts {
  readonly compress: (html: string) => Uint8Array;
  readonly inlineSources: (html: string) => InlineSources;
}

const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const PICTURE = new RegExp(`/api/images/${ID}`, 'g');
const LISTING = new RegExp(`/properties/${ID}`, 'g');
/** Proxies refuse answers with long headers. */
const MOST_LISTINGS = 50;
const idsIn = (html: string, address: RegExp): string[] => [
  ...new Set(Array.from(html.matchAll(address), ([, id]) => String(id))),
];

/** What all answers with one rendering share is made once. */
function publicPage(page: Page, { compress, inlineSources }: PageParts): PublicPage {
  let made: Uint8Array | null = null;
  return {
    ...page,
    inline: inlineSources(page.html),
    imageIds: idsIn(page.html, PICTURE),
    propertyIds: idsIn(page.html, LISTING).slice(0, MOST_LISTINGS),
    compressed() {
      made ??= compress(page.html);
      return made;
    },
  };
}
