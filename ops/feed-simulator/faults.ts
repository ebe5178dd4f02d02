/** What a feed does wrong, as switches with names. Data faults are done once; the others to answers, so many times. */
export const FEED_FAULTS = {
  'duplicate-times': 'data: all listings of the page and beyond get one ModificationTimestamp',
  'mass-update': 'data: every listing gets a new ModificationTimestamp, the same for all',
  'cannot-view': 'data: a tenth of the listings get MlgCanView false',
  'late-commits': 'changes get their time and number now, and become visible later (control: commit)',
  'cut-digits': 'times are stored with microseconds and answered with milliseconds',
  'moving-skip': 'before each page but the first, a record of an earlier page changes and another one leaves',
  'looping-links': 'the link to the next page leads to the first one',
  'relative-links': 'links are relative to the request',
  'foreign-links': 'links lead to another host',
  'expired-links': 'a link is answered with 410',
  'too-many': '429 with Retry-After: 7',
  'too-many-silent': '429 without Retry-After',
  'token-ends': '401, and the access token is no longer valid',
  'truncated-json': 'the text ends in the middle, with a length that fits',
  'cut-off': 'the connection ends in the middle of the answer',
  'page-repeats': 'the page of the request before comes again',
  'small-pages': 'a third of the requested rows, without a link or a word about it',
  'short-list': 'a list of keys lacks its last rows, but is counted with them',
  'empty-feed': 'every collection is empty, and counts 0',
  'record-vanishes': 'a record is deleted after the list that names it, before it is fetched',
  'unreadable-text': 'NUL and halves of surrogate pairs in the texts of records',
  error: '500',
  html: 'a page of HTML with status 200',
  endless: 'an answer without an end',
  silent: 'no answer',
  redirect: '302 to another address',
  'media-404': 'pictures are not found',
  'media-too-many': '429 with Retry-After: 7 for pictures',
  'media-huge': 'pictures have 61 megapixels, more than intake takes',
} as const;
export type FeedFault = keyof typeof FEED_FAULTS;
export const FEED_FAULT_NAMES = Object.keys(FEED_FAULTS) as FeedFault[];

/** The switches that are on. */
export interface FaultSwitches {
  /** How many answers have the fault; `every` leaves others between them. */
  set(fault: FeedFault, times?: number, every?: number): void;
  /** Whether it is on, without using it up. */
  isOn(fault: FeedFault): boolean;
  /** Whether this answer has it; uses it up. */
  take(fault: FeedFault): boolean;
  /** No answer has it any more; it stays in the list. */
  end(fault: FeedFault): void;
  clear(): void;
  list(): { fault: FeedFault; left: number; used: number }[];
}

export function createFaultSwitches(): FaultSwitches {
  const on = new Map<FeedFault, { left: number; every: number; asked: number; used: number }>();
  return {
    set(fault, times = Number.POSITIVE_INFINITY, every = 1) {
      on.set(fault, { left: times, every, asked: 0, used: 0 });
    },
    isOn: (fault) => (on.get(fault)?.left ?? 0) > 0,
    take(fault) {
      const state = on.get(fault);
      if (state === undefined || state.left <= 0) return false;
      state.asked += 1;
      if (state.asked % state.every !== 0) return false;
      state.left -= 1;
      state.used += 1;
      return true;
    },
    end(fault) {
      const state = on.get(fault);
      if (state !== undefined) state.left = 0;
    },
    clear: () => on.clear(),
    list: () => [...on].map(([fault, { left, used }]) => ({ fault, left, used })),
  };
}
