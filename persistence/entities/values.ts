/**
 * The values that columns may hold. They stand apart from the entities because the roles use them, and the entities'
 * library is only for migrations and tests.
 */
export const USER_ROLES = ['customer', 'agent'] as const;
export const USER_LOCALES = ['en', 'es'] as const;
/** The kinds of mail that a person can switch off. Codes cannot be. */
export const MAIL_KINDS = [
  'TOUR_REQUESTED',
  'TOUR_PROPOSED',
  'TOUR_CONFIRMED',
  'TOUR_DECLINED',
  'TOUR_CANCELED',
  'PICTURE_WITHDRAWN',
  'LISTING_OFFER',
  'MESSAGE_RECEIVED',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** How often alerts are sent (docs/contract.md#saved-searches). */
export const ALERT_CADENCES = ['INSTANT', 'DAILY', 'WEEKLY', 'NONE'] as const;
export type AlertCadence = (typeof ALERT_CADENCES)[number];
export const ALERT_CHANNELS = ['MAIL', 'PUSH'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

export const ACCOUNT_CODE_PURPOSES = ['deletion', 'export', 'verification'] as const;
export type AccountCodePurpose = (typeof ACCOUNT_CODE_PURPOSES)[number];

/** What an agent may offer another one: to own a listing, or to work on it (docs/contract.md#offers). */
export const OFFER_KINDS = ['OWNERSHIP', 'ASSIGNMENT'] as const;
export type OfferKind = (typeof OFFER_KINDS)[number];
export const OFFER_STATUSES = ['OPEN', 'ACCEPTED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** RESO StandardStatus, all values (docs/contract.md#listings). */
export const STANDARD_STATUSES = [
  'Active',
  'Active Under Contract',
  'Canceled',
  'Closed',
  'Coming Soon',
  'Delete',
  'Expired',
  'Hold',
  'Incomplete',
  'Pending',
  'Withdrawn',
] as const;
export type StandardStatus = (typeof STANDARD_STATUSES)[number];

/** What can happen to a listing's price and offer (docs/contract.md#price-history). */
export const PRICE_EVENTS = [
  'COMING_SOON',
  'LISTED',
  'LISTED_FOR_RENT',
  'PRICE_CHANGED',
  'UNDER_CONTRACT',
  'PENDING',
  'BACK_ON_MARKET',
  'HOLD',
  'WITHDRAWN',
  'CANCELED',
  'EXPIRED',
  'RELISTED',
  'SOLD',
  'RENTED',
  'CORRECTION',
] as const;

/** The source of the event: a change of the listing, an import, or the migration that began the history. */
export const PRICE_EVENT_SOURCES = ['listing', 'import', 'migration'] as const;

/** The kinds of places. Addresses are not places: they come from our own listings. */
export const PLACE_KINDS = ['city', 'neighborhood', 'postal_code', 'county', 'state'] as const;

/** Why a listing is hidden, whatever its status; each is lifted for itself. */
export const HIDING_REASONS = [
  'TAKEN_DOWN',
  'OWNER_SUSPENDED',
  'AWAITS_APPROVAL',
  'FEED_RULE',
  'FEED_TOO_OLD',
] as const;
export type HidingReason = (typeof HIDING_REASONS)[number];
