import type { StandardStatus } from '../../../persistence/entities/values.ts';
import type { ListingValues } from './listing-fields.ts';
import { OTHER_FIELDS } from './listing-fields.ts';
import { instant, price } from './values.ts';

/** What may stand in the history of a listing's prices; a subset of our events. */
type FeedPriceEvent =
  | 'COMING_SOON'
  | 'LISTED'
  | 'LISTED_FOR_RENT'
  | 'RELISTED'
  | 'BACK_ON_MARKET'
  | 'PRICE_CHANGED'
  | 'UNDER_CONTRACT'
  | 'PENDING'
  | 'HOLD'
  | 'WITHDRAWN'
  | 'CANCELED'
  | 'EXPIRED'
  | 'SOLD'
  | 'RENTED';

/** When a record says that its price and status changed last; milliseconds. */
export interface ChangeTimes {
  priceChangedAt: number | null;
  statusChangedAt: number | null;
  previousPrice: number | null;
}
export interface PriceFact {
  event: FeedPriceEvent;
  at: number;
  price: number;
  previousPrice: number | null;
}
type Offer = Pick<
  ListingValues,
  | 'standardStatus'
  | 'listPrice'
  | 'originalListPrice'
  | 'closePrice'
  | 'closeDate'
  | 'listedAt'
  | 'propertyType'
>;

/** The times of the last changes, either named as such or by its last major change. */
export function changeTimes(
  record: Readonly<Record<string, unknown>>,
  statusChangedAt: number | null,
): ChangeTimes {
  const major = record[OTHER_FIELDS.majorChange];
  const majorAt = instant(record[OTHER_FIELDS.majorChangedAt]) ?? null;
  const isPrice = major === 'Price Change';
  const isStatus = typeof major === 'string' && !isPrice;
  return {
    priceChangedAt: instant(record[OTHER_FIELDS.priceChangedAt]) ?? (isPrice ? majorAt : null),
    statusChangedAt: statusChangedAt ?? (isStatus ? majorAt : null),
    previousPrice: price(record[OTHER_FIELDS.previousPrice]) ?? null,
  };
}

const isLease = ({ propertyType }: Offer): boolean => propertyType?.endsWith(' Lease') ?? false;
const ON_MARKET: readonly unknown[] = ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'];
const ENDED: readonly unknown[] = ['Withdrawn', 'Canceled', 'Expired', 'Closed', 'Delete', 'Incomplete'];

const STATUS_EVENTS: Partial<Record<StandardStatus, FeedPriceEvent>> = {
  'Active Under Contract': 'UNDER_CONTRACT',
  Pending: 'PENDING',
  Hold: 'HOLD',
  Withdrawn: 'WITHDRAWN',
  Canceled: 'CANCELED',
  Expired: 'EXPIRED',
};

/** A sale without a price, as in places where it is secret, is no row of the history. */
function sale(offer: Offer, at: number): PriceFact[] {
  if (offer.closePrice === null) return [];
  const soldAt = offer.closeDate === null ? at : Math.min(at, Date.parse(`${offer.closeDate}T12:00:00Z`));
  return [
    { event: isLease(offer) ? 'RENTED' : 'SOLD', at: soldAt, price: offer.closePrice, previousPrice: null },
  ];
}

/**
 * The history of a listing that was not known: only what the record itself dates. `at` is now; nothing lies after it.
 */
export function factsOfBirth(offer: Offer, times: ChangeTimes, at: number): PriceFact[] {
  const { standardStatus, listPrice, listedAt } = offer;
  if (listPrice === null || standardStatus === null) return [];
  const facts: PriceFact[] = [];
  const first = offer.originalListPrice ?? listPrice;
  if (listedAt !== null && standardStatus !== 'Incomplete') {
    const event =
      standardStatus === 'Coming Soon' ? 'COMING_SOON' : isLease(offer) ? 'LISTED_FOR_RENT' : 'LISTED';
    facts.push({ event, at: Math.min(listedAt, at), price: first, previousPrice: null });
  }
  const { priceChangedAt, previousPrice, statusChangedAt } = times;
  const before = previousPrice ?? offer.originalListPrice;
  if (priceChangedAt !== null && before !== null && before !== listPrice && priceChangedAt >= (listedAt ?? 0))
    facts.push({
      event: 'PRICE_CHANGED',
      at: Math.min(priceChangedAt, at),
      price: listPrice,
      previousPrice: before,
    });
  const event = STATUS_EVENTS[standardStatus];
  if (standardStatus === 'Closed')
    facts.push(
      ...(offer.closeDate === null && statusChangedAt === null
        ? []
        : sale(offer, Math.min(statusChangedAt ?? at, at))),
    );
  else if (event !== undefined && statusChangedAt !== null)
    facts.push({ event, at: Math.min(statusChangedAt, at), price: listPrice, previousPrice: null });
  return facts;
}

export interface KnownOffer {
  standardStatus: StandardStatus;
  listPrice: number;
  wasListed: boolean;
}

/**
 * What changed since the listing was read last. A record that says again what is known adds nothing, whatever it says
 * about its changes; the record only dates what differs.
 */
export function factsOfChange(before: KnownOffer, offer: Offer, times: ChangeTimes, at: number): PriceFact[] {
  const { standardStatus, listPrice } = offer;
  if (listPrice === null || standardStatus === null) return [];
  const facts: PriceFact[] = [];
  const status = eventOfStatus(before, offer);
  // What was listed again has its price with that; a listing that is over has no new one.
  const isRepriced =
    before.listPrice !== listPrice &&
    ON_MARKET.includes(standardStatus) &&
    status !== 'RELISTED' &&
    status !== 'LISTED';
  if (isRepriced) {
    const changedAt = Math.min(times.priceChangedAt ?? at, at);
    facts.push({ event: 'PRICE_CHANGED', at: changedAt, price: listPrice, previousPrice: before.listPrice });
  }
  const changedAt = Math.min(times.statusChangedAt ?? at, at);
  if (status === 'SOLD' || status === 'RENTED') facts.push(...sale(offer, changedAt));
  else if (status !== null)
    facts.push({ event: status, at: changedAt, price: listPrice, previousPrice: null });
  return facts;
}

function eventOfStatus(
  { standardStatus: before, wasListed }: KnownOffer,
  offer: Offer,
): FeedPriceEvent | null {
  const after = offer.standardStatus;
  // A record that left the feed and came back is what it was.
  if (after === null || before === after || before === 'Delete') return null;
  if (after === 'Closed') return isLease(offer) ? 'RENTED' : 'SOLD';
  if (after === 'Coming Soon') return 'COMING_SOON';
  if (after === 'Active') {
    if (before === 'Coming Soon' || !wasListed) return isLease(offer) ? 'LISTED_FOR_RENT' : 'LISTED';
    return ENDED.includes(before) ? 'RELISTED' : 'BACK_ON_MARKET';
  }
  return STATUS_EVENTS[after] ?? null;
}
