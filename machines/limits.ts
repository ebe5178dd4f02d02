/** The limits and times of the machines. Milliseconds unless the name says otherwise. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Base of the wait before attempt 2 (docs/contract.md#jobs); jitter adds up to a fifth. */
export const RETRY_BACKOFF_MS = 30 * SECOND;

/** Waits before the same unreached attempt is sent again (docs/contract.md#failures). */
export const UNREACHABLE_BACKOFF_MS: readonly number[] = [1 * SECOND, 4 * SECOND, 16 * SECOND];

/** A throttled create is sent again at most this often before the attempt gives up. */
export const MAX_THROTTLED_SENDS = 20;
/** The wait when the provider names none. */
export const DEFAULT_THROTTLE_WAIT_MS = 10 * SECOND;
/** Bounds of the wait that a throttling provider names. */
export const MIN_THROTTLE_WAIT_MS = 1 * SECOND;
export const MAX_THROTTLE_WAIT_MS = 5 * MINUTE;

/** Of an open house, and of those of a listing that are not over, and that are over or canceled. */
export const OPEN_HOUSE_LEAST_MS = 15 * MINUTE;
export const OPEN_HOUSE_MOST_MS = 8 * HOUR;
export const MAX_OPEN_HOUSES = 20;
export const MAX_PAST_OPEN_HOUSES = 50;

/** Room groups of a listing; a constraint of the table has the same value. */
export const MAX_GROUPS_PER_LISTING = 50;

/** Characters of a message, and of the note of a report (docs/contract.md#questions). */
export const MAX_MESSAGE_TEXT = 2_000;
export const MAX_MESSAGE_REPORT_NOTE = 1_000;
/** Of a person in a day. */
export const THREADS_PER_DAY = 20;
export const MESSAGES_PER_DAY = 500;
/** How long a message waits to be read before a mail. */
export const MESSAGE_MAIL_MS = 2 * MINUTE;
/** Mails about messages to a person in an hour; what comes after is in the digest. */
export const MESSAGE_MAILS_PER_HOUR = 3;

/** Of a person (docs/contract.md#saved-searches). */
export const MAX_SAVED_SEARCHES = 50;
/** More new homes of a search are not counted. */
export const MOST_NEW_HOMES = 99;
/** Homes that an alert names, and matches of a search that wait for one; it counts the others. */
export const MOST_ALERT_HOMES = 50;
/** How long a change of a price, and another event, waits for others that belong in the same alert. */
export const PRICE_ALERT_WAIT_MS = 10 * MINUTE;
export const OTHER_ALERT_WAIT_MS = 2 * MINUTE;
/** Of alerts, of their matches, and of the events that they are about. */
export const ALERTS_KEPT_DAYS = 30;

/**
 * How long a create with a lost answer is searched for (docs/contract.md#purchases). It counts as lost after the first
 * complete scan of the provider's list that began later.
 */
export const RECONCILE_WINDOW_MS = 15 * MINUTE;
/** A provider's 404 for a prediction that it made counts only after this time, and only if a scan agrees. */
export const GONE_PATIENCE_MS = 5 * MINUTE;
/** When a decision is this late because no complete scan has come, a person must look. */
export const SCAN_OVERDUE_MS = 15 * MINUTE;

/** A create that has no answer after this is given up; it may have been accepted. */
export const CREATE_TIMEOUT_MS = 60 * SECOND;
/** A claim is used within this time or withdrawn, so that after a failover no create begins late. */
export const CLAIM_FRESH_MS = 10 * SECOND;
/** After this time on a new database server, creates that were claimed on the one before are in the provider's list. */
export const SERVER_SETTLE_MS = CLAIM_FRESH_MS + CREATE_TIMEOUT_MS + 5 * SECOND;
/** The provider's list names the input of a prediction for an hour; an older gap is compared by a person. */
export const LISTED_GAP_MS = 50 * MINUTE;

/** Minimum time between the starts of two scans of the provider's list, in the whole installation. */
export const MIN_SCAN_PAUSE_MS = 5 * SECOND;
/** While no new purchase is searched for, the pause between scans doubles up to this. */
export const MAX_SCAN_PAUSE_MS = 60 * SECOND;
/** A scan that takes longer is cut short. */
export const SCAN_TIMEOUT_MS = 2 * MINUTE;
/** A scan prolongs its turn while it runs. Without that it counts as dead after this time, and another may begin. */
export const SCAN_TURN_MS = 15 * SECOND;

/** `Cancel-After` of every prediction, in the provider's notation. PREDICTION_OVERDUE_MS is the same plus a margin. */
export const PROVIDER_DEADLINE = '15m';
export const PREDICTION_OVERDUE_MS = 20 * MINUTE;
/** The provider removes an output so long after it completed it. */
export const OUTPUT_LIFE_MS = HOUR;
/** The provider deletes a prediction's output after an hour. After this time its outcome can no longer be learned. */
export const PREDICTION_FORGOTTEN_MS = 75 * MINUTE;

/** Back-off between downloads of a finished picture: doubles each time, until the provider has deleted the picture. */
export const DOWNLOAD_BACKOFF_BASE_MS = 2 * SECOND;
export const DOWNLOAD_BACKOFF_MAX_MS = 5 * MINUTE;
/** An output whose address answers 404 so often, with at least this time between, is gone. */
export const MISSING_TRIES = 3;
export const MISSING_APART_MS = 30 * SECOND;
/** While our storage refuses, the pause before the next download grows up to this. */
export const MAX_STORAGE_WAIT_MS = 60 * SECOND;

/** One put of a result may take this long; a discarded key is deleted after twice this. */
export const PUT_TIMEOUT_MS = 30 * SECOND;
export const DISCARD_DELAY_MS = 2 * PUT_TIMEOUT_MS;

/** A deletion that failed this often needs a person (docs/contract.md#deleting-objects). */
export const MAX_DELETION_TRIES = 10;
export const DELETION_BACKOFF_BASE_MS = 5 * SECOND;
export const DELETION_BACKOFF_MAX_MS = 60 * MINUTE;
/** Another worker may claim a deletion again after this if its worker vanished. */
export const DELETION_CLAIM_MS = 2 * MINUTE;

/** A request or proposal of a tour names this many times at most (docs/contract.md#tours). */
export const MAX_TOUR_SLOTS = 3;
export const MIN_TOUR_SLOT_MS = 15 * MINUTE;
export const MAX_TOUR_SLOT_MS = 4 * HOUR;
/** The maximum number of proposals between two agreements (docs/contract.md#tours). */
export const MAX_TOUR_ROUNDS = 5;
/** The time to answer a proposal. It is shorter when the proposed times or the held one are earlier. */
export const TOUR_PROPOSAL_MS = 48 * HOUR;
/** How long an agent may take back what they decided (docs/contract.md#tours). */
export const TOUR_UNDO_MS = 15 * MINUTE;
/** How long after its end an agent may still report a tour's outcome. Meanwhile the tour blocks a new one. */
export const TOUR_OUTCOME_PATIENCE_MS = 7 * 24 * HOUR;
/** How long a change of a tour that was not read counts as unread (docs/contract.md#tours). */
export const UNREAD_TOUR_MS = 30 * 24 * HOUR;

/** How long after a visit its customer may report pictures or contest a no-show (docs/contract.md#mismatch-reports). */
export const MISMATCH_REPORT_MS = 30 * 24 * HOUR;
/** So many open reports withdraw a picture. */
export const REPORTS_THAT_WITHDRAW = 3;
/** So many acknowledged reports come to an operator: of one picture within a year, or of an agent's pictures within a month. */
export const ACKNOWLEDGED_TOO_OFTEN = {
  ofPicture: { reports: 5, days: 365 },
  ofAgent: { reports: 3, days: 30 },
} as const;
/** Pictures of one call, and characters of its note. */
export const MAX_REPORTED_PICTURES = 20;
export const MAX_REPORT_NOTE = 1_000;

/** Bytes of an uploaded photo. */
export const MAX_PHOTO_BYTES = 25 * 1024 * 1024;
/** Photos of one call that orders their staging, and of one group that shares its furniture. */
export const MAX_ASSIGNMENTS = 20;
/** Pictures of one call that approves them. */
export const MAX_APPROVALS = 50;
/** The most entries of each list of a furniture brief; each has at least one. */
export const MAX_BRIEF = { pieces: 8, materials: 3, colours: 4 } as const;

/** After so many withdrawals of a picture, only an operator may lift the last (docs/contract.md#withdrawing). */
export const MAX_WITHDRAWALS = 10;

/** The wait that the provider named, within our bounds. */
export function throttleWithinBounds(waitMs: number): number {
  return Math.min(Math.max(waitMs, MIN_THROTTLE_WAIT_MS), MAX_THROTTLE_WAIT_MS);
}

/** Adds up to a fifth, by `jitter` in [0, 1), so that waits that begin together do not end together. */
export function spread(waitMs: number, jitter: number): number {
  return Math.round(waitMs * (1 + 0.2 * jitter));
}
