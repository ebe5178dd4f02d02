import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { columnList, named } from '../database/sql-values.ts';
import type { Property } from '../entities/property.ts';
import type { User } from '../entities/user.ts';
import { recordPastSales } from './price-events.ts';

/**
 * Imports listings from public records. A house is identified by its source system and its key there, so that a
 * repeated import creates no second listing. An existing listing belongs to its agent: only unknown sales are added,
 * unless `refresh` is set. Each batch is one transaction with its houses and their sales. An import that was killed is
 * simply started again.
 */

type Exact = 'bathroomsTotal' | 'livingArea' | 'lotSizeArea' | 'stories';
/** The record's data about the house. Numbers that are stored exactly are digits. */
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

/** The values that all houses of one import share. */
export interface ImportTerms {
  originatingSystemName: string;
  ownerAgentId: string;
  /** Active: offered at the last price. Closed: sold at it. */
  standardStatus: 'Active' | 'Closed';
  propertyType: string;
  countyOrParish: string;
  stateOrProvince: string;
  country: string;
  currency: string;
  propertyTimeZoneName: string;
  /** Overwrites the facts of existing houses with those of the file. */
  refresh: boolean;
  /** The instant of the import, in milliseconds. */
  at: number;
}

export interface ImportCounts {
  created: number;
  refreshed: number;
  /** Number of added rows of price history. */
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

// A sale is dated at noon UTC of its day (see below); a listing that follows it is dated an hour later. The listing
// date of a sold house is unknown, so it has no "listedAt".
const INSERT = `
  with ${GIVEN}
  insert into properties ("originatingSystemName", "originatingSystemKey", "listPrice", features, ${FACT_COLUMNS},
    "listedAt", "statusChangedAt", "ownerAgentId", "standardStatus", "propertyType", "countyOrParish",
    "stateOrProvince", country, currency, "propertyTimeZoneName", "createdAt", "updatedAt")
  select :originatingSystemName, g.key, g.price, g.features, ${columnList(FACT_NAMES, 'g.')},
    case when :standardStatus = 'Active' then (g."soldOn" + time '13:00') at time zone 'UTC' end,
    (g."soldOn" + time '13:00') at time zone 'UTC',
    :ownerAgentId::uuid, :standardStatus, :propertyType, :countyOrParish, :stateOrProvince, :country, :currency,
    :propertyTimeZoneName, :at::timestamptz, :at::timestamptz
  from given g
  where not exists (select from properties p
    where p."originatingSystemName" = :originatingSystemName and p."originatingSystemKey" = g.key)
  on conflict ("originatingSystemName", "originatingSystemKey") do nothing
  returning id`;

// Sets price and date of the sale after the insert. An insert with a date would make the trigger write the sale as
// well, and the sale is written from the records (`addSales`).
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

/** Writes a batch of houses with their sales: all or nothing. */
export function importListings(
  pool: Pool,
  terms: ImportTerms,
  houses: readonly ImportedHouse[],
): Promise<ImportCounts> {
  const given = { ...terms, at: toDate(terms.at), houses: JSON.stringify(houses) };
  return inTransaction(pool, async (client) => {
    // Its alerts are daily: thousands of instant ones would be spam (0161).
    await client.query(`SELECT set_config('proscenium.events', 'bulk', true)`);
    const refreshed = terms.refresh ? ((await client.query(named(REFRESH, given))).rowCount ?? 0) : 0;
    const { rows } = await client.query<{ id: string }>(named(INSERT, given));
    if (terms.standardStatus === 'Closed') await client.query(CLOSE, [rows.map(({ id }) => id)]);
    return { created: rows.length, refreshed, sales: await addSales(client, terms, houses) };
  });
}

/** For new and existing houses alike: a newer file may contain later sales. */
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
      // At noon UTC of its day, as the triggers of 0012 date a sale.
      at: Date.parse(`${soldOn}T12:00:00Z`),
      price: Number(price),
    })),
  );
  return recordPastSales(client, { sales, at });
}

/** The user with this email address; null when there is none. */
export async function personByEmail(pool: Pool, email: string): Promise<Pick<User, 'id' | 'role'> | null> {
  const { rows } = await pool.query<Pick<User, 'id' | 'role'>>(
    `select id, role from "user" where lower(email) = lower($1)`,
    [email],
  );
  return rows[0] ?? null;
}

/** Adds an agent that represents a public register. Its address receives no mail. */
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
 * @returns null, without running `work`, when another import is under way
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
    // A server notices a closed connection a moment later: the next import must not find the lock taken. Where this fails,
    // closing releases the lock all the same.
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    client.release(broken ?? true);
  }
}
