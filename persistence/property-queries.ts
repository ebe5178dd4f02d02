import type { Pool } from 'pg';
import { mayAct } from './agent-access.ts';
import type { StandardStatus } from './entities/property.ts';
import { type Instant, toDate, toMillis } from './instants.ts';
import { inTransaction } from './postgres-actor-store.ts';

/** What an agent writes of a listing, with the RESO-style names of domain.md section 5. */
export interface Listing {
  listPrice: number;
  currency: string;
  bedroomsTotal: number | null;
  bathroomsTotal: number | null;
  livingArea: number | null;
  livingAreaUnits: string;
  lotSizeArea: number | null;
  yearBuilt: number | null;
  propertyType: string | null;
  standardStatus: StandardStatus;
  address: string;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  country: string;
  latitude: number | null;
  longitude: number | null;
  publicRemarks: string | null;
  features: readonly string[];
}

const COLUMNS = [
  'listPrice',
  'currency',
  'bedroomsTotal',
  'bathroomsTotal',
  'livingArea',
  'livingAreaUnits',
  'lotSizeArea',
  'yearBuilt',
  'propertyType',
  'standardStatus',
  'address',
  'city',
  'stateOrProvince',
  'postalCode',
  'country',
  'latitude',
  'longitude',
  'publicRemarks',
  'features',
] as const satisfies readonly (keyof Listing)[];

/** A listing is on the market from the first time that one of these is its status. */
const LISTED: ReadonlySet<StandardStatus> = new Set([
  'Active',
  'Active Under Contract',
  'Coming Soon',
  'Pending',
]);

export interface NewProperty {
  propertyId: string;
  ownerAgentId: string;
  listing: Listing;
  assignedAgentIds: readonly string[];
  at: number;
}

/** The listing and its assigned agents, together. */
export function createProperty(pool: Pool, property: NewProperty): Promise<void> {
  const { propertyId, ownerAgentId, listing, assignedAgentIds, at } = property;
  const names = COLUMNS.map((name) => `"${name}"`).join(', ');
  const places = COLUMNS.map((_, index) => `$${index + 5}`).join(', ');
  const listedAt = LISTED.has(listing.standardStatus) ? toDate(at) : null;
  return inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO properties (id, "ownerAgentId", "createdAt", "updatedAt", "listedAt", ${names})
       VALUES ($1, $2, $3, $3, $4, ${places})`,
      [propertyId, ownerAgentId, toDate(at), listedAt, ...COLUMNS.map((name) => listing[name])],
    );
    await client.query(
      `INSERT INTO property_agents ("propertyId", "agentId") SELECT $1, unnest($2::uuid[])
       ON CONFLICT DO NOTHING`,
      [propertyId, assignedAgentIds],
    );
  });
}

export interface PropertyChange {
  propertyId: string;
  agentId: string;
  /** Undefined fields stay as they are. */
  listing: { readonly [K in keyof Listing]?: Listing[K] | undefined };
  at: number;
}

/**
 * Writes the given fields; the database marks the search document dirty in the same transaction. False when
 * there is no such property for this agent.
 */
export async function updateProperty(pool: Pool, change: PropertyChange): Promise<boolean> {
  const { propertyId, agentId, listing, at } = change;
  const given = COLUMNS.filter((name) => listing[name] !== undefined);
  const sets = given.map((name, index) => `"${name}" = $${index + 4}`);
  if (listing.standardStatus !== undefined && LISTED.has(listing.standardStatus))
    sets.push('"listedAt" = coalesce(p."listedAt", $3)');
  const { rowCount } = await pool.query(
    `UPDATE properties p SET ${['"updatedAt" = $3', ...sets].join(', ')} WHERE p.id = $1 AND ${mayAct('p', '$2')}`,
    [propertyId, agentId, toDate(at), ...given.map((name) => listing[name])],
  );
  return rowCount === 1;
}

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

export interface OwnProperty extends Listing {
  propertyId: string;
  ownerAgentId: string;
  listedAt: number | null;
  createdAt: number;
  updatedAt: number;
  coverImageId: string | null;
  imageCount: number;
  pendingReviewCount: number;
}
type OwnPropertyRow = { [K in keyof OwnProperty]: OwnProperty[K] } & {
  listedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The agent's listings, newest first; the cursor is the id of the last one seen. */
export async function propertiesOfAgent(
  pool: Pool,
  { agentId, afterId, limit }: { agentId: string; afterId: string | null; limit: number },
): Promise<OwnProperty[]> {
  const { rows } = await pool.query<OwnPropertyRow>(
    `SELECT p.id AS "propertyId", p."ownerAgentId", p."listedAt", p."createdAt", p."updatedAt",
       ${COLUMNS.map((name) => `p."${name}"`).join(', ')},
       (SELECT i.id FROM property_images i WHERE i."propertyId" = p.id AND NOT i."isStyled"
        ORDER BY i."isMain" DESC, i.position, i.id LIMIT 1) AS "coverImageId",
       (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id AND NOT i."isStyled") AS "imageCount",
       (SELECT count(*)::int FROM property_images i WHERE i."propertyId" = p.id
          AND i."reviewStatus" = 'PENDING_REVIEW') AS "pendingReviewCount"
     FROM properties p
     WHERE ${mayAct('p', '$1')}
       AND ($2::uuid IS NULL OR (p."createdAt", p.id) < (SELECT c."createdAt", c.id FROM properties c WHERE c.id = $2))
     ORDER BY p."createdAt" DESC, p.id DESC LIMIT $3`,
    [agentId, afterId, limit],
  );
  return rows.map(fromRow);
}

/** numeric columns arrive as text; each fits a double exactly (persistence/entities/property.ts). */
function fromRow(row: OwnPropertyRow): OwnProperty {
  const number = (value: number | null) => (value === null ? null : Number(value));
  return {
    ...row,
    listPrice: Number(row.listPrice),
    bathroomsTotal: number(row.bathroomsTotal),
    livingArea: number(row.livingArea),
    lotSizeArea: number(row.lotSizeArea),
    listedAt: toMillis(row.listedAt),
    createdAt: toMillis(row.createdAt),
    updatedAt: toMillis(row.updatedAt),
  };
}
