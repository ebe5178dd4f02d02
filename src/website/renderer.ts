/** What the site's server bundle (`clients/web/entry-server.tsx`) and the web role agree on. */
import type { Locale } from '../../i18n/languages.ts';
import type { CommuteMode } from '../../machines/vocabulary.ts';
import type { HttpHeader } from '../http/message.ts';
import type { PublicSite } from '../site/site.ts';

/** Where a map's background comes from: a MapLibre style, or one PMTiles file with Protomaps' layers. */
export interface MapBackground {
  /** `{theme}` in it is `light` or `dark`. */
  readonly styleUrl: string | null;
  readonly pmtilesUrl: string | null;
}

/** Where pages send reports of their errors, and what the reports say of this installation. */
export interface SiteCrashReports {
  readonly dsn: string;
  readonly release: string;
  readonly environment: string;
}

/** What a feed wants said on pages with its listings. */
export interface FeedNotice {
  readonly words: Readonly<Record<Locale, string>>;
  /** When all of the feed was seen last. */
  readonly updatedAt: string | null;
}

/** Settings that every page may know: they stand in the document, for everyone to read. */
export interface PublicSiteSettings {
  /** Whose site it is. */
  readonly site: PublicSite;
  /** Whether only invited people may become agents (`SIGN_UP`). */
  readonly agentsNeedInvitation: boolean;
  /** Whether there are travel times, by which ways, and whether a search can be bound by them; null without a router. */
  readonly commute: { readonly modes: readonly CommuteMode[]; readonly hasAreas: boolean } | null;
  /** The map's background; both null for the built-in one. */
  readonly map: MapBackground;
  /** Client ids of the identity providers with which people can sign in. */
  readonly providers: { readonly google: string | null; readonly apple: string | null };
  /** Null: errors of pages are not reported. */
  readonly crashReports: SiteCrashReports | null;
  /** What the pages show is a sample, and each of them says so. */
  readonly sample: boolean;
  /** Of the feeds whose listings the pages show. */
  readonly feeds: readonly FeedNotice[];
  /** The site's own origin, for absolute addresses. */
  readonly origin: string;
}

export interface PageRequest {
  /** The absolute address of the page. */
  readonly url: string;
  /** The procedures, called in this process as the person of the page, or as no one for a public page. */
  readonly api: unknown;
  /** A text of the operator by its name, such as `terms.es`. */
  readonly texts: (name: string) => Promise<string>;
  /** For the inline scripts of a page for one person; null for public pages, whose policy carries hashes. */
  readonly nonce: string | null;
  readonly settings: PublicSiteSettings;
  /** The site's own styles, after those of the build. */
  readonly styles: string;
  /** Aborted when no one waits for the page any more. */
  readonly signal: AbortSignal;
}

/** A rendered page: 200, 404, a redirect, or one that says that it failed. */
export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: readonly HttpHeader[];
  /** Why what the page shows could not be loaded. */
  readonly failure?: { readonly error: unknown };
  /** Milliseconds for which rendering had the event loop for itself. */
  readonly renderedMs: number;
}

/** How a page is served. */
export interface PageTraits {
  /** The same bytes for everyone, whatever cookie comes; otherwise rendered for the person, and kept by no one. */
  readonly isPublic: boolean;
  /**
   * What of a query decides what a public page shows, in one form: a query again, or ''. Addresses that differ in anything
   * else are one page.
   */
  readonly shownBy: (query: string) => string;
  /** How long caches may keep a public page, when that is not as usual (docs/contract.md#caches). */
  readonly freshSeconds: number | null;
  /** The page runs WebAssembly of our own files. */
  readonly webAssembly: boolean;
}

/** A page by the pattern of its address, such as `/properties/:propertyId`, without its language. */
export interface SitePage extends PageTraits {
  readonly path: string;
}

/** The inline scripts and styles of pages, as they are known when the site is built. */
export interface InlineTexts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

export interface SiteRenderer {
  /** Every page of the site. */
  readonly pages: readonly SitePage[];
  /** Rejects when a component fails. */
  render(page: PageRequest): Promise<Page>;
}
