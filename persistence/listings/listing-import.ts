import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { columnList, named } from '../database/sql-values.ts';
import type { Property } from '../entities/property.ts';
import type { User } from '../entities/user.ts';
import { recordPastSales } from './price-events.ts';

/**
 * Listings from public records. A house is known by the system it comes from and its key there, so that importing it
 * twice makes one listing. A house that is there already belongs to its agent: only sales that were unknown are
 * added, unless the facts are to be refreshed. Each batch is one transaction with its houses and their sales
 * together; an import that was killed is simply begun again.
 */

type Exact = 'bathroomsTotal' | 'livingArea' | 'lotSizeArea' | 'stories';
/** What the record says of the house itself. Numbers that are stored exactly come as digits. */
export type ImportedFields = Record<Exact, string | null> &
  Pick<
    Property,
    | 'bedroomsTotal'
    | 'yearBuilt'
    | 'yearBuiltEffective'
    | 'postalCode'
    | 'latitude'
    | 'longitude'
    | 'features'
  >;
export interface ImportedHouse extends ImportedFields, Pick<Property, 'address' | 'city'> {
  /** Unique within the originating system. */
  key: string;
  /** Earliest first, at least one; days as yyyy-mm-dd, prices in digits. */
  sales: readonly { soldOn: string; price: string }[];
}

/** What all houses of one import have in common. */
export interface ImportTerms {
  originatingSystemName: string;
  ownerAgentId: string;
  /** Active: offered at the last price. Closed: sold at it. */
  standardStatus: 'Active' | 'Closed';
  propertyType: string;
  countyOrParish: string;
  stateOrProvince: string;
  country: string;
  propertyTimeZoneName: string;
  /** Writes the facts of the file over those of houses that are there. */
  refresh: boolean;
  /** When the import happens, in milliseconds. */
  at: number;
}

export interface ImportCounts {
  created: number;
  refreshed: number;
  /** Rows of price history that were added. */
  sales: number;
}

/** The columns of a house and their types in SQL. */
const FACTS = {
  address: 'text',
  city: 'text',
  bedroomsTotal: 'int',
  bathroomsTotal: 'numeric',
  livingArea: 'numeric',
  lotSizeArea: 'numeric',
  stories: 'numeric',
  yearBuilt: 'int',
  yearBuiltEffective: 'int',
  postalCode: 'text',
  latitude: 'float8',
  longitude: 'float8',
} as const satisfies Partial<Record<keyof ImportedHouse, string>>;
const FACT_NAMES = Object.keys(FACTS) as (keyof typeof FACTS)[];
const FACT_COLUMNS = columnList(FACT_NAMES);

const GIVEN = `
  given as (
    select key, "soldOn", price, features, ${FACT_COLUMNS}
    from jsonb_to_recordset(:houses::jsonb) as house(key text, features text[], sales jsonb,
        ${FACT_NAMES.map((name) => `"${name}" ${FACTS[name]}`).join(', ')})
      cross join lateral jsonb_to_record(sales -> -1) as last_sale("soldOn" date, price numeric)
  )`;

// A sale is dated by its day at noon UTC (see below); what is put on the market after it comes an hour later.
// It is not known when a sold house was listed: it has no "listedAt".
const INSERT = `
  with ${GIVEN}
  insert into properties ("originatingSystemName", "originatingSystemKey", "listPrice", features, ${FACT_COLUMNS},
    "listedAt", "statusChangedAt", "ownerAgentId", "standardStatus", "propertyType", "countyOrParish",
    "stateOrProvince", country, "propertyTimeZoneName", "createdAt", "updatedAt")
  select :originatingSystemName, g.key, g.price, g.features, ${columnList(FACT_NAMES, 'g.')},
    case when :standardStatus = 'Active' then (g."soldOn" + time '13:00') at time zone 'UTC' end,
    (g."soldOn" + time '13:00') at time zone 'UTC',
    :ownerAgentId::uuid, :standardStatus, :propertyType, :countyOrParish, :stateOrProvince, :country,
    :propertyTimeZoneName, :at::timestamptz, :at::timestamptz
  from given g
  where not exists (select from properties p
    where p."originatingSystemName" = :originatingSystemName and p."originatingSystemKey" = g.key)
  on conflict ("originatingSystemName", "originatingSystemKey") do nothing
  returning id`;

// After the row is there, and with its sale's row in the history from the records: the trigger would write another.
const CLOSE = `
  update properties p set "closePrice" = p."listPrice",
    "closeDate" = (p."statusChangedAt" at time zone 'UTC')::date
  where p.id = any($1::uuid[])`;

const REFRESH = `
  with ${GIVEN}
  update properties p set ${FACT_NAMES.map((name) => `"${name}" = g."${name}"`).join(', ')},
    "updatedAt" = :at::timestamptz
  from given g
  where p."originatingSystemName" = :originatingSystemName and p."originatingSystemKey" = g.key
    and (${columnList(FACT_NAMES, 'p.')}) is distinct from (${columnList(FACT_NAMES, 'g.')})`;

/** Writes a batch of houses with their sales, or nothing of it. */
export function importListings(
  pool: Pool,
  terms: ImportTerms,
  houses: readonly ImportedHouse[],
): Promise<ImportCounts> {
  const given = { ...terms, at: toDate(terms.at), houses: JSON.stringify(houses) };
  return inTransaction(pool, async (client) => {
    const refreshed = terms.refresh ? ((await client.query(named(REFRESH, given))).rowCount ?? 0) : 0;
    const { rows } = await client.query<{ id: string }>(named(INSERT, given));
    if (terms.standardStatus === 'Closed') await client.query(CLOSE, [rows.map(({ id }) => id)]);
    return { created: rows.length, refreshed, sales: await addSales(client, terms, houses) };
  });
}

/** Of new houses and of old ones alike: a newer file brings the sales that an older one could not know. */
async function addSales(
  client: PoolClient,
  { originatingSystemName, at }: ImportTerms,
  houses: readonly ImportedHouse[],
): Promise<number> {
  const { rows } = await client.query<{ id: string; key: string }>(
    `select id, "originatingSystemKey" as key from properties
     where "originatingSystemName" = $1 and "originatingSystemKey" = any($2::text[])`,
    [originatingSystemName, houses.map(({ key }) => key)],
  );
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  const sales = houses.flatMap(({ key, sales }) =>
    sales.map(({ soldOn, price }) => ({
      propertyId: ids.get(key)!,
      // By its day, at noon UTC, as the triggers of 0012 date a sale.
      at: Date.parse(`${soldOn}T12:00:00Z`),
      price: Number(price),
    })),
  );
  return recordPastSales(client, { sales, at });
}

/** The user with this e-mail address; null when there is none. */
export async function personByEmail(pool: Pool, email: string): Promise<Pick<User, 'id' | 'role'> | null> {
  const { rows } = await pool.query<Pick<User, 'id' | 'role'>>(
    `select id, role from "user" where lower(email) = lower($1)`,
    [email],
  );
  return rows[0] ?? null;
}

/** Adds an agent who stands for a public register. Such an address receives no mail. */
export async function addRegisterAgent(
  pool: Pool,
  { name, email, at }: { name: string; email: string; at: number },
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into "user" (name, email, "emailVerified", role, "licenseNumber", "officeName", "createdAt", "updatedAt")
     values ($1, $2, false, 'agent', 'PUBLIC-RECORD', $1, $3, $3) returning id`,
    [name, email, toDate(at)],
  );
  return rows[0]!.id;
}

/** Spells "import" in hexadecimal digits of ASCII. */
const IMPORT_LOCK = '115970283794036';

/**
 * Runs `work` while no other import of this database can run; two at a time would wait for each other's rows.
 * @returns null, without running it, when another import is under way
 */
export async function whileOnlyImport<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  client.on('error', (error) => {
    broken = error;
  });
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      IMPORT_LOCK,
    ]);
    if (rows[0]?.taken !== true) return null;
    return await work();
  } finally {
    // Closing the connection gives the lock back, whatever state the work left it in.
    client.release(broken ?? true);
  }
}
