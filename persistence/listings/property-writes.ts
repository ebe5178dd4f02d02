import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import { columnList, named } from '../database/sql-values.ts';
import type { Property } from '../entities/property.ts';
import type { StandardStatus } from '../entities/values.ts';
import { countListing, type GrowthLimits } from '../growth/growth-counts.ts';
import { mayAct } from './agent-access.ts';
import {
  LISTING_COLUMNS,
  type Listing,
  type ListingFaults,
  listingColumns,
  listingFaults,
  placeFaults,
} from './listing-columns.ts';
import { movesFrom } from './listing-moves.ts';
import { insertOffers } from './listing-offers.ts';

/**
 * An agent's changes to listings. Each locks the row, checks it, and writes once. In the same transaction the triggers
 * of 0012 add the price history and the time on the market, and mark the search document dirty. A crash leaves the
 * whole change or none of it.
 */
export interface NewProperty {
  propertyId: string;
  ownerAgentId: string;
  listing: Listing;
  assignedAgentIds: readonly string[];
  limits: GrowthLimits;
  /** The currency in which the site takes prices. */
  siteCurrency: string;
  at: number;
}

export type ChangeOutcome =
  | { outcome: 'changed' }
  /** No such property for this agent. */
  | { outcome: 'missing' }
  /** The listing as a whole would contradict itself; errors by field. */
  | { outcome: 'invalid'; fields: ListingFaults }
  /** The listing's present status does not allow this change. */
  | { outcome: 'move-refused'; from: StandardStatus; possible: readonly StandardStatus[] }
  /** The price of a completed sale changes only as a correction. */
  | { outcome: 'settled' };

/**
 * Creates the listing and offers it to the assigned agents, in the same transaction as what `keep` writes.
 * @throws GrowthLimitReached
 */
export async function createProperty(
  pool: Pool,
  property: NewProperty,
  keep: (client: PoolClient) => Promise<void>,
): Promise<ChangeOutcome> {
  const { propertyId, ownerAgentId, listing, assignedAgentIds, limits, siteCurrency, at } = property;
  const fields = listingFaults(listing) ?? placeFaults(listing, null, siteCurrency);
  if (fields !== null) return { outcome: 'invalid', fields };
  await inTransaction(pool, async (client) => {
    await countListing(client, { agentId: ownerAgentId, at, limits });
    await announce(client, { agentId: ownerAgentId });
    await client.query(
      named(
        `INSERT INTO properties (id, "ownerAgentId", "createdAt", "updatedAt", ${columnList(LISTING_COLUMNS)})
         VALUES (:propertyId, :ownerAgentId, :at, :at, ${LISTING_COLUMNS.map((name) => `:${name}`).join(', ')})`,
        { ...listing, propertyId, ownerAgentId, at: toDate(at) },
      ),
    );
    const offer = { propertyId, callerId: ownerAgentId, kind: 'ASSIGNMENT', at } as const;
    await insertOffers(client, { ...offer, agentIds: assignedAgentIds });
    await keep(client);
  });
  return { outcome: 'changed' };
}

export interface PropertyChange {
  propertyId: string;
  agentId: string;
  /** Undefined fields stay as they are. */
  listing: { readonly [K in Exclude<keyof Listing, 'standardStatus'>]?: Listing[K] | undefined };
  /** Only for a Closed listing, and only as a correction. */
  closePrice?: number | null | undefined;
  /** Why the price was wrong: the change becomes a visible CORRECTION instead of a price change. */
  correction?: string | undefined;
  /** The currency in which the site takes prices. */
  siteCurrency: string;
  at: number;
}

/** Writes the given fields. */
export function updateProperty(pool: Pool, change: PropertyChange): Promise<ChangeOutcome> {
  const { listing, closePrice, correction, siteCurrency } = change;
  return writeProperty(pool, change, (current) => {
    const given = pickGiven(listing);
    const fields = listingFaults({ ...current, ...given }) ?? placeFaults(given, current, siteCurrency);
    if (fields !== null) return { outcome: 'invalid', fields };
    const rejection = priceRejection(current, change);
    if (rejection !== null) return rejection;
    return { columns: closePrice === undefined ? given : { ...given, closePrice }, correction };
  });
}

export interface StatusChange {
  propertyId: string;
  agentId: string;
  standardStatus: StandardStatus;
  /** Only for Closed: what was paid (null: not disclosed) and the day of the sale, `YYYY-MM-DD`. */
  sale: { closePrice: number | null; closeDate: string } | null;
  at: number;
}

/** Changes the status; the present status changes nothing. */
export function setPropertyStatus(pool: Pool, change: StatusChange): Promise<ChangeOutcome> {
  const { standardStatus, sale, at } = change;
  return writeProperty(pool, change, (current) => {
    if (current.standardStatus === standardStatus) {
      const isSameSale =
        sale === null || (sale.closePrice === current.closePrice && sale.closeDate === current.closeDate);
      return { outcome: isSameSale ? 'changed' : 'settled' };
    }
    const possible = movesFrom(current.standardStatus);
    if (!possible.includes(standardStatus))
      return { outcome: 'move-refused', from: current.standardStatus, possible };
    const fields = sale === null ? null : saleFaults(current, { closeDate: sale.closeDate, at });
    return fields === null ? { columns: { standardStatus, ...sale } } : { outcome: 'invalid', fields };
  });
}

interface CurrentListing extends Listing, Pick<Property, 'closePrice' | 'closeDate'> {
  /** Start of the present listing period; null when it is not on the market. */
  periodBegan: Instant | null;
}

/** The columns to write, or the outcome when nothing is written. */
type Decision = ChangeOutcome | { columns: Partial<Property>; correction?: string | undefined };

/** The row's lock serializes the changes of one listing's agents, so that each decides on the current row. */
function writeProperty(
  pool: Pool,
  { propertyId, agentId, at }: Pick<PropertyChange, 'propertyId' | 'agentId' | 'at'>,
  decide: (current: CurrentListing) => Decision,
): Promise<ChangeOutcome> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<CurrentListing>(
      `SELECT ${listingColumns('p')}, p."closePrice"::float8 AS "closePrice", p."closeDate"::text AS "closeDate",
         CASE WHEN p."offMarketAt" IS NULL THEN p."listedAt" END AS "periodBegan"
       FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')} FOR NO KEY UPDATE OF p`,
      [propertyId, agentId],
    );
    if (rows[0] === undefined) return { outcome: 'missing' };
    const decision = decide(rows[0]);
    if ('outcome' in decision) return decision;
    await announce(client, { agentId, correction: decision.correction });
    const sets = Object.keys(decision.columns).map((name) => `, "${name}" = :${name}`);
    const text = `UPDATE properties SET "updatedAt" = :at${sets.join('')} WHERE id = :propertyId`;
    await client.query(named(text, { ...decision.columns, propertyId, at: toDate(at) }));
    return { outcome: 'changed' };
  });
}

/** Passes values that the row does not have to the triggers of this transaction. */
async function announce(
  client: PoolClient,
  { agentId, correction }: { agentId: string; correction?: string | undefined },
): Promise<void> {
  await client.query(
    `SELECT set_config('proscenium.acting_user', $1, true), set_config('proscenium.price_correction', $2, true)`,
    [agentId, correction ?? ''],
  );
}

function pickGiven(listing: PropertyChange['listing']): Partial<Listing> {
  return Object.fromEntries(
    LISTING_COLUMNS.flatMap((name) =>
      name === 'standardStatus' || listing[name] === undefined ? [] : [[name, listing[name]]],
    ),
  );
}

function priceRejection(current: CurrentListing, change: PropertyChange): ChangeOutcome | null {
  const { listing, closePrice, correction } = change;
  const isClosed = current.standardStatus === 'Closed';
  if (closePrice !== undefined && !isClosed)
    return { outcome: 'invalid', fields: { closePrice: ['Only a Closed listing has one.'] } };
  const isRepriced =
    (listing.listPrice ?? current.listPrice) !== current.listPrice ||
    (listing.currency ?? current.currency) !== current.currency ||
    (closePrice !== undefined && closePrice !== current.closePrice);
  return isClosed && isRepriced && correction === undefined ? { outcome: 'settled' } : null;
}

function saleFaults(
  current: CurrentListing,
  { closeDate, at }: { closeDate: string; at: number },
): ListingFaults | null {
  const { propertyTimeZoneName: timeZone, periodBegan } = current;
  // The Canadian format of a day is the ISO one. Intl, because it accepted the zone; PostgreSQL may not have it.
  const dayOf = (instant: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(instant);
  if (closeDate > dayOf(at)) return { closeDate: ['A sale in the future is Pending, not Closed.'] };
  const firstDay = periodBegan === null ? null : dayOf(toMillis(periodBegan));
  if (firstDay !== null && closeDate < firstDay)
    return { closeDate: [`The listing came on the market on ${firstDay}; the sale was not before.`] };
  return null;
}
