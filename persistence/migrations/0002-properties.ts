import { Migration } from '@mikro-orm/migrations';

/**
 * Listings with RESO-style names (docs/contract.md#listings). Every numeric fits 15 digits, so a double holds it
 * exactly.
 */
export class Properties extends Migration {
  override up(): void {
    this.addSql(`
      create table properties (
        id uuid primary key default gen_random_uuid(),
        "ownerAgentId" uuid not null references "user" (id),
        "listPrice" numeric(14, 2) not null,
        currency char(3) not null default 'USD',
        "bedroomsTotal" integer,
        "bathroomsTotal" numeric(4, 2),
        "livingArea" numeric(12, 2),
        "livingAreaUnits" text not null default 'Square Feet',
        "lotSizeArea" numeric(14, 2),
        "yearBuilt" integer,
        "propertyType" text,
        "standardStatus" text not null default 'Active',
        address text not null,
        city text not null,
        "stateOrProvince" text,
        "postalCode" text,
        country char(2) not null default 'US',
        latitude double precision,
        longitude double precision,
        "publicRemarks" text,
        features text[] not null default '{}',
        "listedAt" timestamptz,
        "createdAt" timestamptz not null default now(),
        "updatedAt" timestamptz not null default now(),
        constraint "properties_standardStatus_check" check ("standardStatus" in (
          'Active', 'Active Under Contract', 'Canceled', 'Closed', 'Coming Soon', 'Delete',
          'Expired', 'Hold', 'Incomplete', 'Pending', 'Withdrawn'))
      )`);
    this.addSql(`create index "properties_ownerAgentId_idx" on properties ("ownerAgentId")`);
  }
}
