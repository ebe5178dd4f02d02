import { OnlineMigration } from './online-migration.ts';

/**
 * What the reader of a feed writes itself. The record of a listing has its times, and its history of prices: the triggers of
 * 0012 leave both as they come. Nothing is stored in addition.
 */
export class FeedWrites extends OnlineMigration {
  static override readonly online = [
    {
      constraint: 'properties_feedId_fkey',
      on: 'properties',
      must: 'foreign key ("feedId") references feeds (id)',
    },
  ];

  override up(): void {
    for (const statement of [...TIMES, ...HISTORY, ...ALERTS]) this.addSql(statement);
  }
}

const TIMES = [
  'drop trigger properties_keep_market_time on properties',
  `create trigger properties_keep_market_time before insert or update on properties
   for each row when (new."feedId" is null) execute function properties_keep_market_time()`,
];

const isOrdinary = (listing: string) =>
  `${listing}."standardStatus" in ('Active', 'Coming Soon') and ${listing}."originalListPrice" = ${listing}."listPrice"`;

const HISTORY = [
  `create or replace function properties_inserted_begin_price_history() returns trigger language plpgsql as $function$
   begin
     insert into property_price_events ("propertyId", event, at, price, currency, "pricePerArea", "areaUnits", source,
       "recordedByUserId", "recordedAt")
     select a.id, case when a."standardStatus" = 'Coming Soon' then 'COMING_SOON'::property_price_event
         when property_is_lease(row(a.*)::properties) then 'LISTED_FOR_RENT' else 'LISTED' end,
       a."listedAt", a."listPrice", a.currency,
       case when a."livingArea" > 0 then round(a."listPrice" / a."livingArea", 2) end, a."livingAreaUnits", 'listing',
       nullif(current_setting('proscenium.acting_user', true), '')::uuid, a."updatedAt"
     from added a where a."feedId" is null and ${isOrdinary('a')};
     return null;
   end $function$`,
  'drop trigger properties_inserted_write_price_history on properties',
  `create trigger properties_inserted_write_price_history after insert on properties for each row
   when (new."feedId" is null and (${isOrdinary('new')}) is not true)
   execute function properties_write_price_history()`,
  'drop trigger properties_updated_write_price_history on properties',
  `create trigger properties_updated_write_price_history after update on properties
    for each row when (new."feedId" is null and (old."standardStatus", old."listPrice", old.currency, old."closePrice")
      is distinct from (new."standardStatus", new."listPrice", new.currency, new."closePrice"))
    execute function properties_write_price_history()`,
];

// A feed says in its transaction that its events are news (`feed`). Those of a first load are none.
const ALERTS = [
  `create or replace function property_price_events_note_alert() returns trigger language plpgsql as $$
   begin
     insert into alert_events ("propertyId", kind, "isCut", "isBulk")
     select a."propertyId",
       case when a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED', 'COMING_SOON') then 'NEW'
         when a.event = 'PRICE_CHANGED' then 'PRICE'
         when a.event = 'BACK_ON_MARKET' then 'BACK'
         when a.event in ('SOLD', 'RENTED') then 'SOLD' else 'PENDING' end,
       a.event = 'PRICE_CHANGED' and coalesce(a.price < a."previousPrice", false), alert_event_mode() = 'bulk'
     from added a
     where (a.source = 'listing' or a.source = 'import' and alert_event_mode() = 'feed') and alert_event_mode() <> 'none'
       and a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED', 'COMING_SOON', 'PRICE_CHANGED', 'BACK_ON_MARKET', 'SOLD',
         'RENTED', 'UNDER_CONTRACT', 'PENDING')
     order by a.id;
     return null;
   end $$`,
];
