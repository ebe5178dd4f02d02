import type { QueryClient } from '@tanstack/react-query';
import type { PublicSiteSettings } from '../../../src/website/renderer.ts';
import type { BrowserSender } from '../api/browser-sender.ts';
import type { Account, SiteApi } from '../api/site-api.ts';
import type { Language } from '../words/language.ts';
import type { Notices } from './notices.ts';

/** The texts of a document that are the same for all pages. */
export interface WrittenOnce {
  /** The styles, so that a page is drawn without waiting for another file. */
  readonly styles: string;
  /** The script that loads the others. */
  readonly starter: string;
}

/**
 * The person whose page this document is: an id, null for no one, undefined while that is not known. Every call of the
 * page names it (`X-Person`), so nothing is done as someone else who has signed in meanwhile. It never changes from one
 * person to another within a document: the page is loaded again.
 */
export interface PagePerson {
  current(): string | null | undefined;
  /** Takes what the server says. What the browser keeps of others is removed, and other tabs learn of it. */
  is(person: string | null): void;
  /** Someone has signed in on this page: the next answer says who. */
  signedIn(): void;
}

/** Ids of homes, the latest first. */
export interface HomeMarks {
  readonly seen: readonly string[];
  readonly hidden: readonly string[];
  /** Marked for comparing, in that order. */
  readonly compared: readonly string[];
}

/** The homes that have been seen, hidden, or marked for comparing in this browser (`session/home-marks.ts`). */
export interface MarkedHomes {
  subscribe(listener: () => void): () => void;
  current(): HomeMarks;
  /** Called when it is known who is signed in, and when another window has changed something. */
  refresh(): void;
  see(id: string): void;
  hide(id: string): void;
  restore(ids: readonly string[]): void;
  /** @returns false when there are as many as can be compared */
  compare(id: string, isCompared: boolean): boolean;
  compareNone(): void;
}

/** What every page and loader may use: the context of the router. */
export interface Site {
  readonly api: SiteApi;
  readonly queries: QueryClient;
  readonly language: Language;
  readonly settings: PublicSiteSettings;
  /** A text of the operator by its name, such as `terms.es`. */
  readonly texts: (name: string) => Promise<string>;
  readonly notices: Notices;
  /** Null in the browser, whose document holds them already. */
  readonly written: WrittenOnce | null;
  /** Null on the server, where no one signs in. */
  readonly account: Account | null;
  /** Whose page it is. Null on the server, which draws each page for one person or for everyone. */
  readonly person: PagePerson | null;
  /** Null on the server, whose pages are the same for everyone. */
  readonly marks: MarkedHomes | null;
  /** Requests that are no procedure, such as photos. Null on the server. */
  readonly sender: BrowserSender | null;
}
