import { Migration } from '@mikro-orm/migrations';

/**
 * What follows from new listings is written once a statement, not once a row: an import inserts hundreds at a time. An
 * ordinary listing is one that is offered at its first price; its history begins with one line. The trigger of 0012
 * writes the history of every other new listing, and of every change, row by row as before.
 */
export class BirthsByStatement extends Migration {
  override up(): void {
    for (const statement of [...SEARCH, ...ADDRESSES, ...HISTORY]) this.addSql(statement);
  }
}

/** The new row as the functions that take a listing want it. */
const LISTING = 'row(a.*)::properties';

const SEARCH = [
  `create function properties_inserted_follow_search() returns trigger language plpgsql as $function$
   begin
     insert into search_listings select found.* from added a cross join lateral search_listing_of(${LISTING}) found;
     return null;
   end $function$`,
  'drop trigger properties_inserted_follow_search on properties',
  `create trigger properties_inserted_follow_search after insert on properties referencing new table as added
   for each statement execute function properties_inserted_follow_search()`,
];

const ADDRESSES = [
  `create function properties_inserted_keep_address() returns trigger language plpgsql as $function$
   begin
     insert into listing_addresses select kept.* from added a cross join lateral listing_address_of(${LISTING}) kept;
     return null;
   end $function$`,
  'drop trigger properties_inserted_keep_address on properties',
  `create trigger properties_inserted_keep_address after insert on properties referencing new table as added
   for each statement execute function properties_inserted_keep_address()`,
];

const isOrdinary = (listing: string) =>
  `${listing}."standardStatus" in ('Active', 'Coming Soon') and ${listing}."originalListPrice" = ${listing}."listPrice"`;

const HISTORY = [
  `create function properties_inserted_begin_price_history() returns trigger language plpgsql as $function$
   begin
     insert into property_price_events ("propertyId", event, at, price, currency, "pricePerArea", "areaUnits", source,
       "recordedByUserId", "recordedAt")
     select a.id, case when a."standardStatus" = 'Coming Soon' then 'COMING_SOON'::property_price_event
         when property_is_lease(${LISTING}) then 'LISTED_FOR_RENT' else 'LISTED' end,
       a."listedAt", a."listPrice", a.currency,
       case when a."livingArea" > 0 then round(a."listPrice" / a."livingArea", 2) end, a."livingAreaUnits", 'listing',
       nullif(current_setting('proscenium.acting_user', true), '')::uuid, a."updatedAt"
     from added a where ${isOrdinary('a')};
     return null;
   end $function$`,
  'drop trigger properties_inserted_write_price_history on properties',
  `create trigger properties_inserted_begin_price_history after insert on properties referencing new table as added
   for each statement execute function properties_inserted_begin_price_history()`,
  `create trigger properties_inserted_write_price_history after insert on properties for each row
   when ((${isOrdinary('new')}) is not true) execute function properties_write_price_history()`,
];
