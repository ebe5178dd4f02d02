import type { FeedProfile, FeedResource } from '../profiles/profile-schema.ts';

/** A feed as its reader needs it. */
export interface FeedSource {
  readonly profile: FeedProfile;
  /** The service root; requests go nowhere else. */
  readonly baseUrl: string;
  /** An OData expression that every request has; null for none. */
  readonly filter: string | null;
  /** The Bearer token, or `id:secret` for client credentials. Read at each request, so that it is in no object. */
  secret(): string;
}

export type FeedTask = 'REPLICATE' | 'RECONCILE';

/**
 * Where the reading of a feed is: plain JSON, stored in the transaction that writes the page's records, so that a crash
 * repeats at most one request. Only the reader knows what `at` means.
 */
export interface FeedCursor {
  readonly phase: FeedTask;
  readonly resource: FeedResource;
  /** The newest time of each resource at the end of its last complete look: the next look begins before it. */
  readonly watermarks: Partial<Record<FeedResource, string>>;
  /** The last number of the feed's events, and the numbers before it that were read already. */
  readonly events: { readonly last: string; readonly recent: readonly string[] } | null;
  readonly at: FeedPosition;
  readonly done: boolean;
}

/** The position within one resource. */
export type FeedPosition =
  | { readonly way: 'BEGIN' }
  | ByTimeAndKey
  | ByTime
  | ByGroup
  | ByLink
  | BySkip
  | ByEvents
  | ByKeys
  | KeyListing;

/** By time and key: after this row. `newest`: the newest time so far, here and below. */
export interface ByTimeAndKey {
  readonly way: 'TIME_AND_KEY';
  readonly since: string | null;
  readonly time: string | null;
  readonly key: string | null;
  readonly newest: string | null;
}
/** From this time on, in pages of `top`, which grow until a group of equal times fits. */
export interface ByTime {
  readonly way: 'TIME';
  readonly from: string | null;
  readonly top: number;
  readonly newest: string | null;
}
/** All rows of one millisecond, by key. */
export interface ByGroup {
  readonly way: 'GROUP';
  readonly time: string;
  readonly after: string | null;
  readonly newest: string | null;
}
/** One walk over pages that may move while they are read. */
interface Walk {
  /** 0: what the look wants; 1 and more: what changed since the walk before began. */
  readonly round: number;
  readonly since: string | null;
  /** When the first page of the walk was answered, by the source's clock. */
  readonly begun: string | null;
  readonly pages: number;
  /** Rows so far, and the feed's count at the first page. */
  readonly rows: number;
  readonly count: number | null;
  readonly restarts: number;
  readonly newest: string | null;
}
/** Opaque links; `mark` finds a loop, `keys` a page that repeats. */
export interface ByLink extends Walk {
  readonly way: 'LINK';
  readonly link: string | null;
  readonly mark: string | null;
  readonly keys: string | null;
  readonly repeats: number;
}
/** `$skip`, with an overlap whose keys must be found again. */
export interface BySkip extends Walk {
  readonly way: 'SKIP';
  readonly skip: number;
  readonly tail: readonly string[];
}
/** Records that are to be read by their keys. */
interface Waiting {
  readonly waiting: readonly FeedKey[];
  /** Requested in a list and not in its answer: each is requested by itself. */
  readonly missing: readonly FeedKey[];
}
/** Events after the number `scan`, and the records that they name. */
export interface ByEvents extends Waiting {
  readonly way: 'EVENTS';
  readonly scan: string | null;
}
/** Records by their keys, for what a reconciliation found missing. */
export interface ByKeys extends Waiting {
  readonly way: 'KEYS';
}
/** The list of all keys. */
export interface KeyListing {
  readonly way: 'LIST';
  readonly after: string | null;
  readonly link: string | null;
  readonly mark: string | null;
  readonly pages: number;
  readonly listed: number;
  readonly count: number | null;
  readonly restarts: number;
}

export interface FeedKey {
  readonly resource: string;
  readonly key: string;
}

export interface FeedRecord extends FeedKey {
  /** ModificationTimestamp as the feed wrote it; null when it has none that is a time. */
  readonly modifiedAt: string | null;
  /** As it came, without what PostgreSQL's jsonb cannot hold (NUL, halves of surrogate pairs). */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A part of the list of all keys of a resource. */
export interface FeedKeyList {
  readonly resource: FeedResource;
  readonly keys: readonly { readonly key: string; readonly modifiedAt: string | null }[];
  /**
   * Null before the end of the list. Then whether the list is whole: it came to its end and has as many keys as the feed
   * counts. Nothing may be deleted by a list that is not.
   */
  readonly complete: boolean | null;
  readonly listed: number;
  /** What the feed counts; null when it does not. */
  readonly count: number | null;
}

/** The answer to one request. */
export interface FeedPage {
  readonly records: readonly FeedRecord[];
  /**
   * Records that left, as the feed itself says: 404 for a key, or the profile's sign. Their children leave with them.
   * `Media` may be among them: a picture of a listing that is read again as well.
   */
  readonly gone: readonly FeedKey[];
  readonly cursor: FeedCursor;
  /** The same as `cursor.done`: the look, or the list of every resource, has ended. */
  readonly done: boolean;
  readonly keys?: FeedKeyList;
}

export type FeedErrorCode =
  /** No answer, an answer 5xx, or none in time. */
  | 'UNREACHABLE'
  /** The token or the credentials are refused. */
  | 'UNAUTHORIZED'
  /** 429, or no place within the profile's rates (`NoPlaceError`): wait `retryAfterMs`. */
  | 'RATE_LIMITED'
  /** Not JSON, cut off, too large, without keys, or links that lead in a circle. */
  | 'BROKEN_ANSWER'
  /** The feed refuses the request, or the address may not be called: an operator is needed. */
  | 'REFUSED';

/** The reading failed; the cursor stays where it was. Never holds a token, an address with a query, or a record. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly code: FeedErrorCode;
  /** How long to wait at least; null when the feed does not say. */
  readonly retryAfterMs: number | null;

  constructor(code: FeedErrorCode, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Nothing was sent: our own rate has no place now. What the feed itself asks for is no such error. */
export class NoPlaceError extends FeedError {
  constructor(waitMs: number) {
    super('RATE_LIMITED', 'no request is left in the rate of the feed', waitMs);
  }
}

export interface FeedRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Bytes as they come over the line, also of an answer that fails. */
  received(bytes: number): void;
}

export interface FeedAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The source's clock (`Date`), in milliseconds; null when it does not say. */
  readonly date: number | null;
  /** Decompressed, bounded. */
  readonly text: string;
}

/** One HTTP request, bounded in bytes and time. @throws FeedError */
export type FeedFetch = (request: FeedRequest) => Promise<FeedAnswer>;

/** The rate of a feed over all workers. */
export interface FeedRate {
  /** A place for one request, or how long to wait for the next one. */
  take(): Promise<{ readonly place: string } | { readonly waitMs: number }>;
  /** The request has ended, and this much came over the line. */
  release(place: string, bytes: number): Promise<void>;
}

/** Access tokens of this process, by source; they are in no row and in no cursor. One map for all feeds. */
export type FeedTokens = Map<string, { readonly token: string; readonly endsAt: number }>;

export interface FeedPorts {
  readonly fetch: FeedFetch;
  readonly rate: FeedRate;
  readonly tokens: FeedTokens;
  /** Milliseconds; only for the ends of access tokens and the dates of `Retry-After`. */
  now(): number;
  readonly signal: AbortSignal;
}
