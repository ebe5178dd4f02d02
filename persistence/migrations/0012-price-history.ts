import { Migration } from '@mikro-orm/migrations';
import {
  APPEND_ONLY_TRIGGERS,
  HISTORY_TRIGGER,
  MARKET_QUESTIONS,
  MARKET_TIME_TRIGGER,
  RECORD_EVENT,
  STATUS_EVENT,
} from './0012-market-triggers.ts';

/**
 * The price history of listings, append-only and written by triggers on their changes (docs/contract.md#price-history).
 */
export class PriceHistory extends Migration {
  override up(): void {
    this.addSql(TABLE);
    this.addSql(INDEXES);
    this.addSql(FIRST_ROWS);
    this.addSql(MARKET_TIME);
    this.addSql(MARKET_QUESTIONS);
    this.addSql(RECORD_EVENT);
    this.addSql(STATUS_EVENT);
    this.addSql(MARKET_TIME_TRIGGER);
    this.addSql(HISTORY_TRIGGER);
    this.addSql(APPEND_ONLY_TRIGGERS);
  }
}

// `at` is when it happened, `recordedAt` when it was recorded. An imported sale of 2014 has both.
// No foreign key on the person: history outlives accounts.
const TABLE = `
  create type property_price_event as enum ('COMING_SOON', 'LISTED', 'LISTED_FOR_RENT', 'PRICE_CHANGED',
    'UNDER_CONTRACT', 'PENDING', 'BACK_ON_MARKET', 'HOLD', 'WITHDRAWN', 'CANCELED', 'EXPIRED', 'RELISTED', 'SOLD',
    'RENTED', 'CORRECTION');
  create table property_price_events (
    id bigint generated always as identity primary key,
    "propertyId" uuid not null references properties (id) on delete cascade,
    event property_price_event not null,
    at timestamptz not null,
    price numeric(14, 2),
    "previousPrice" numeric(14, 2),
    "changePct" numeric(18, 2),
    currency char(3) not null,
    "pricePerArea" numeric(16, 2),
    "areaUnits" text,
    "daysOnMarket" integer,
    source text not null,
    "listingKey" text,
    "correctsId" bigint references property_price_events (id),
    note text,
    "recordedByUserId" uuid,
    "recordedAt" timestamptz not null,
    constraint property_price_events_source_check check (source in ('listing', 'import', 'migration')),
    constraint property_price_events_price_check check (price >= 0),
    constraint "property_price_events_daysOnMarket_check" check ("daysOnMarket" >= 0),
    constraint property_price_events_import_has_price check (source <> 'import' or price is not null),
    constraint property_price_events_correction_explains_itself
      check ((event = 'CORRECTION') = ("correctsId" is not null) and (event <> 'CORRECTION' or note is not null))
  )`;

// Neighbourhood figures go from the region's listings to their sales: one index for each step.
const INDEXES = `
  create index "property_price_events_propertyId_idx" on property_price_events ("propertyId", id);
  create index "property_price_events_correctsId_idx" on property_price_events ("correctsId")
    where "correctsId" is not null;
  create unique index property_price_events_import_key on property_price_events ("propertyId", event, at, price)
    where source = 'import';
  create index property_price_events_sales_idx on property_price_events ("propertyId", at)
    where event in ('SOLD', 'RENTED');
  create index properties_postal_region_idx on properties (country, "postalCode");
  create index properties_city_region_idx on properties (country, lower(city))`;

// The known facts about listings older than their history: that they were listed, and their present price.
const FIRST_ROWS = `
  insert into property_price_events
    ("propertyId", event, at, price, currency, "pricePerArea", "areaUnits", source, "recordedAt")
  select id,
    (case when "propertyType" like '% Lease' then 'LISTED_FOR_RENT' else 'LISTED' end)::property_price_event,
    coalesce("listedAt", "createdAt"), "listPrice", currency,
    case when "livingArea" > 0 then round("listPrice" / "livingArea", 2) end, "livingAreaUnits",
    'migration', now()
  from properties where "listedAt" is not null or "standardStatus" not in ('Incomplete', 'Delete')
  order by coalesce("listedAt", "createdAt"), id`;

const MARKET_TIME = `
  update properties set "listedAt" = coalesce("listedAt", "createdAt"), "originalListPrice" = "listPrice",
    "statusChangedAt" = "updatedAt",
    "offMarketAt" = case when "standardStatus" not in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending')
      then greatest("updatedAt", coalesce("listedAt", "createdAt")) end
  where "listedAt" is not null or "standardStatus" not in ('Incomplete', 'Delete')`;
