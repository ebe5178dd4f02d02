import { Migration } from '@mikro-orm/migrations';

/**
 * Further fields of a listing beyond 0002, with RESO names (docs/contract.md#listings): facts, costs, the sale, the
 * rules for showings, the source of an imported listing, and the time on the market, which the triggers of 0012
 * maintain. `stories` has half floors, because houses have them. Text with a fixed set of values is constrained here. A
 * time zone is constrained only in its shape; the API checks it with Intl.
 */
export class ListingDetails extends Migration {
  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(CONSTRAINTS);
    this.addSql(INDEXES);
    // Listings show an agent's e-mail address only when the agent has chosen so.
    this.addSql(`alter table "user" add column "emailPublic" boolean not null default false`);
  }
}

const COLUMNS = `
  alter table properties
    add column "propertySubType" text,
    add column "unitNumber" text,
    add column "countyOrParish" text,
    add column "subdivisionName" text,
    add column "lotSizeUnits" text not null default 'Square Feet',
    add column stories numeric(4, 1),
    add column "roomsTotal" integer,
    add column "garageSpaces" integer,
    add column "parkingTotal" integer,
    add column "yearBuiltEffective" integer,
    add column "associationFee" numeric(14, 2),
    add column "associationFeeFrequency" text,
    add column "taxAnnualAmount" numeric(14, 2),
    add column "taxYear" integer,
    add column "originalListPrice" numeric(14, 2),
    add column "closePrice" numeric(14, 2),
    add column "closeDate" date,
    add column "propertyTimeZoneName" text not null default 'UTC',
    add column "showingAdvanceNotice" integer not null default 0,
    add column "showingStartTime" time,
    add column "showingEndTime" time,
    add column "showingDays" text[] not null default '{}',
    add column "autoConfirmTours" boolean not null default false,
    add column "originatingSystemName" text,
    add column "originatingSystemKey" text,
    add column "statusChangedAt" timestamptz,
    add column "offMarketAt" timestamptz,
    add column "marketDaysBefore" integer not null default 0`;

const CONSTRAINTS = `
  alter table properties
    add constraint "properties_lotSizeUnits_check"
      check ("lotSizeUnits" in ('Acres', 'Hectares', 'Square Feet', 'Square Meters')),
    add constraint properties_counts_check
      check (stories >= 0 and "roomsTotal" >= 0 and "garageSpaces" >= 0 and "parkingTotal" >= 0),
    add constraint properties_years_check
      check ("yearBuiltEffective" between 1000 and 3000 and "taxYear" between 1000 and 3000),
    add constraint properties_amounts_check check ("associationFee" >= 0 and "taxAnnualAmount" >= 0
      and "originalListPrice" >= 0 and "closePrice" >= 0),
    add constraint "properties_associationFeeFrequency_check" check ("associationFeeFrequency" in (
      'Annually', 'Bi-Monthly', 'Bi-Weekly', 'Daily', 'Monthly', 'One Time', 'Quarterly', 'Seasonal',
      'Semi-Annually', 'Semi-Monthly', 'Weekly')),
    add constraint "properties_associationFee_with_frequency"
      check (("associationFee" is null) = ("associationFeeFrequency" is null)),
    add constraint properties_sale_only_when_closed
      check (("closePrice" is null and "closeDate" is null) or "standardStatus" in ('Closed', 'Delete')),
    add constraint "properties_propertyTimeZoneName_check"
      check ("propertyTimeZoneName" ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$'),
    add constraint "properties_showingAdvanceNotice_check" check ("showingAdvanceNotice" between 0 and 720),
    add constraint "properties_showing_hours"
      check (("showingStartTime" is null) = ("showingEndTime" is null) and "showingStartTime" < "showingEndTime"),
    add constraint "properties_showingDays_check" check ("showingDays" <@
      array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']),
    add constraint properties_originating_system
      check (("originatingSystemName" is null) = ("originatingSystemKey" is null)),
    add constraint "properties_marketDaysBefore_check" check ("marketDaysBefore" >= 0)`;

// The importer finds its earlier rows by this pair.
const INDEXES = `
  create unique index properties_originating_system_key
    on properties ("originatingSystemName", "originatingSystemKey")`;
