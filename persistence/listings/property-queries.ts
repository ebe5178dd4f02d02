import type { Pool } from 'pg';
import { type Millis, withMillis } from '../database/instants.ts';
import { isAltered } from '../database/listing-visibility.ts';
import type { Property } from '../entities/property.ts';
import { answersFor, mayAct } from './agent-access.ts';
import { type Listing, listingColumns } from './listing-columns.ts';
import { openReportCount } from './mismatch-reports.ts';

/** Whether the agent may act for the property; false also when it does not exist. */
export async function isPropertyOfAgent(
  pool: Pool,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(`SELECT FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}`, [
    propertyId,
    agentId,
  ]);
  return rowCount === 1;
}

/** A listing's time on the market, as the triggers of 0012 maintain it. */
export type MarketTimeRow = Pick<
  Property,
  | 'listedAt'
  | 'offMarketAt'
  | 'statusChangedAt'
  | 'marketDaysBefore'
  | 'originalListPrice'
  | 'closePrice'
  | 'closeDate'
>;
export type MarketTime = Millis<MarketTimeRow>;
/** The columns of `MarketTime` for a SELECT from `properties p`. */
export const MARKET_TIME_COLUMNS = `
  p."listedAt", p."offMarketAt", p."statusChangedAt", p."marketDaysBefore",
  p."originalListPrice"::float8 AS "originalListPrice", p."closePrice"::float8 AS "closePrice",
  p."closeDate"::text AS "closeDate"`;

interface OwnPropertyRow
  extends Listing,
    MarketTimeRow,
    Pick<
      Property,
      | 'ownerAgentId'
      | 'originatingSystemName'
      | 'originatingSystemKey'
      | 'createdAt'
      | 'updatedAt'
      | 'hiddenFor'
    > {
  propertyId: string;
  coverImageId: string | null;
  imageCount: number;
  pendingReviewCount: number;
  /** Reports about its pictures that wait for an answer. */
  openReportCount: number;
  /** Whether it comes from a feed, and is not changed here. */
  isOfFeed: boolean;
}
export type OwnProperty = Millis<OwnPropertyRow>;

const OWN_COLUMNS = `
  p.id AS "propertyId", p."ownerAgentId", p."createdAt", p."updatedAt", p."hiddenFor",
  p."feedId" IS NOT NULL AS "isOfFeed",
  p."originatingSystemName", p."originatingSystemKey", ${listingColumns('p')}, ${MARKET_TIME_COLUMNS},
  (SELECT i.id FROM property_images i WHERE i."propertyId" = p.id AND NOT ${isAltered('i')}
   ORDER BY i."isMain" DESC, i.position, i.id LIMIT 1) AS "coverImageId",
  (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id AND NOT i."isStyled") AS "imageCount",
  (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id
     AND i."reviewStatus" = 'PENDING_REVIEW') AS "pendingReviewCount",
  ${openReportCount('p')} AS "openReportCount"`;

/** The listing, for one of its agents. Null for everyone else, and when it does not exist. */
export async function propertyOfAgent(
  pool: Pool,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<OwnProperty | null> {
  const { rows } = await pool.query<OwnPropertyRow>(
    `SELECT ${OWN_COLUMNS} FROM properties p WHERE p.id = $1 AND ${answersFor('p', '$2')}`,
    [propertyId, agentId],
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

export interface OwnPage {
  agentId: string;
  afterId: string | null;
  limit: number;
  /** Leaves out the listings that the agent is only assigned to. */
  owned: boolean;
}

/**
 * The listings that the agent acts for, or only those that the agent owns, newest first; the cursor is the id of the
 * last one of the previous page.
 */
export async function propertiesOfAgent(
  pool: Pool,
  { agentId, afterId, limit, owned }: OwnPage,
): Promise<OwnProperty[]> {
  const { rows } = await pool.query<OwnPropertyRow>(
    `SELECT ${OWN_COLUMNS}
     FROM properties p
     WHERE ${owned ? 'p."ownerAgentId" = $1::uuid' : answersFor('p', '$1')}
       AND ($2::uuid IS NULL OR (p."createdAt", p.id) < (SELECT c."createdAt", c.id FROM properties c WHERE c.id = $2))
     ORDER BY p."createdAt" DESC, p.id DESC LIMIT $3`,
    [agentId, afterId, limit],
  );
  return rows.map(withMillis);
}
