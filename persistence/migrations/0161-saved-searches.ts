import { OnlineMigration } from './online-migration.ts';

/**
 * Saved searches and alerts (docs/contract.md#saved-searches): what people search for, what happened to homes, and what is
 * to be said to whom.
 *
 * A search, its keys and areas, its matches, the settings of alerts, the matches of saved homes, alerts and their mails belong
 * to their person. The deletion of the account removes them. The export has searches, settings and alerts. Events belong
 * to their listing and name no person. Counts of mails belong to the platform, are in no export, and stay a day. Searches stay until they are removed; matches, alerts and events stay 30 days, mails
 * until they are sent.
 */
export class SavedSearches extends OnlineMigration {
  override up(): void {
    for (const statement of [...SEARCHES, ...SETTINGS, ...EVENTS, ...TRIGGERS, ...MATCHES, ...ALERTS])
      this.addSql(statement);
  }
}

// `seenSeq` and `runSeq` are numbers of events: up to which the person has seen the search, and up to which the search by
// days or weeks has had alerts. `keysAt` is null for a search without keys. `unnamed` counts matches that no alert will name.
const SEARCHES = [
  `create table saved_searches (
     id uuid primary key,
     "userId" uuid not null references "user" (id) on delete cascade,
     name text not null,
     filters jsonb not null,
     "filtersHash" text not null,
     sort text not null,
     cadence text not null,
     channels text[] not null,
     "createdAt" timestamptz not null,
     "seenSeq" bigint not null,
     "runSeq" bigint not null,
     "nextRunAt" timestamptz,
     "keysAt" timestamptz,
     "keysVersion" integer not null default 0,
     unnamed integer not null default 0,
     constraint saved_searches_once unique ("userId", "filtersHash"),
     constraint saved_searches_name_check check (char_length(name) between 1 and 80),
     constraint saved_searches_cadence_check check (cadence in ('INSTANT', 'DAILY', 'WEEKLY', 'NONE')),
     constraint saved_searches_channels_check
       check (channels <@ array['MAIL', 'PUSH'] and cardinality(channels) between 1 and 2),
     constraint saved_searches_next_run_check check ((cadence = 'NONE') = ("nextRunAt" is null))
   )`,
  'create index saved_searches_run_idx on saved_searches ("nextRunAt") where "nextRunAt" is not null',
  // Of those that are to be found by a change of a home.
  `create index saved_searches_keys_idx on saved_searches ("keysVersion", "keysAt") where cadence = 'INSTANT'`,
  `create trigger saved_searches_refuse_tombstones before insert on saved_searches
   for each row execute function refuse_tombstones('userId')`,
  // Derived from the filters: a search is found by a key, and compared inside the index. No condition is -1, or endless.
  `create table saved_search_keys (
     key bigint not null,
     "searchId" uuid not null references saved_searches (id) on delete cascade,
     "bedsMin" integer not null,
     "priceMax" float8 not null,
     "priceMin" float8 not null,
     "bathsMin" float8 not null,
     "livingMin" float8 not null,
     "yearMin" integer not null,
     "lotMin" float8 not null,
     statuses smallint not null,
     "bedsMax" integer not null,
     "bathsMax" float8 not null,
     "livingMax" float8 not null,
     "yearMax" integer not null,
     "lotMax" float8 not null,
     "garageMin" integer not null,
     "feeMax" float8 not null,
     "featureBits" bigint not null,
     "priceReduced" boolean not null,
     "hasAreas" boolean not null,
     currency text,
     types text[],
     words text,
     primary key ("searchId", key)
   )`,
  `create index saved_search_keys_idx on saved_search_keys
     (key, "bedsMin", "priceMax", "priceMin", "bathsMin", "livingMin", "yearMin", "lotMin")
   include ("searchId", statuses, "bedsMax", "bathsMax", "livingMax", "yearMax", "lotMax", "garageMin", "feeMax",
     "featureBits", "priceReduced", "hasAreas", currency, types, words)`,
  // Index-only reads need pages that a vacuum has seen.
  'alter table saved_search_keys set (autovacuum_vacuum_insert_scale_factor = 0.02)',
  // All areas of a search must hold. Of a row, the name of a place or its box is enough.
  `create table saved_search_areas (
     "searchId" uuid not null references saved_searches (id) on delete cascade,
     number smallint not null,
     "cityKey" text,
     "postalCodeKey" text,
     "stateKey" text,
     "propertyId" uuid,
     west float8, south float8, east float8, north float8,
     latitude float8, longitude float8, radius float8,
     polygon polygon,
     primary key ("searchId", number)
   )`,
];

const SETTINGS = [
  `create table alert_settings (
     "userId" uuid primary key references "user" (id) on delete cascade,
     cadence text not null,
     channels text[] not null,
     "runSeq" bigint not null,
     "nextRunAt" timestamptz,
     constraint alert_settings_cadence_check check (cadence in ('INSTANT', 'DAILY', 'WEEKLY', 'NONE')),
     constraint alert_settings_channels_check
       check (channels <@ array['MAIL', 'PUSH'] and cardinality(channels) between 1 and 2),
     constraint alert_settings_next_run_check check ((cadence in ('DAILY', 'WEEKLY')) = ("nextRunAt" is not null))
   )`,
  'create index alert_settings_run_idx on alert_settings ("nextRunAt") where "nextRunAt" is not null',
  `create trigger alert_settings_refuse_tombstones before insert on alert_settings
   for each row execute function refuse_tombstones('userId')`,
];

// An event gets its number (`seq`) from the one turn that matches it, under the lock of `alert_cursor`: numbers become visible
// in their order, however late the transaction of an event commits.
const EVENTS = [
  `create table alert_events (
     id bigint generated always as identity primary key,
     "propertyId" uuid not null references properties (id) on delete cascade,
     kind text not null,
     "openHouseId" uuid,
     "isCut" boolean not null,
     "isBulk" boolean not null,
     "createdAt" timestamptz not null default clock_timestamp(),
     seq bigint,
     "matchedAt" timestamptz,
     constraint alert_events_kind_check check (kind in ('NEW', 'PRICE', 'BACK', 'OPEN_HOUSE', 'PENDING', 'SOLD')),
     constraint alert_events_matched_check check ((seq is null) = ("matchedAt" is null))
   )`,
  'create index alert_events_waiting_idx on alert_events (id) where seq is null',
  'create unique index alert_events_seq_idx on alert_events (seq) where seq is not null',
  'create index alert_events_bulk_idx on alert_events (seq) where seq is not null and "isBulk"',
  'create index alert_events_of_listing_idx on alert_events ("propertyId", seq)',
  'create index alert_events_matched_idx on alert_events ("matchedAt") where "matchedAt" is not null',
  `create table alert_cursor (
     one boolean primary key default true,
     "lastSeq" bigint not null default 0,
     constraint alert_cursor_one_check check (one)
   )`,
  'insert into alert_cursor default values',
];

// An import says so in its transaction (`proscenium.events`): its events are bulk. Those of a sample are none.
const TRIGGERS = [
  `create function alert_event_mode() returns text language sql stable
   return coalesce(nullif(current_setting('proscenium.events', true), ''), 'each')`,
  `create function property_price_events_note_alert() returns trigger language plpgsql as $$
   begin
     insert into alert_events ("propertyId", kind, "isCut", "isBulk")
     select a."propertyId",
       case when a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED', 'COMING_SOON') then 'NEW'
         when a.event = 'PRICE_CHANGED' then 'PRICE'
         when a.event = 'BACK_ON_MARKET' then 'BACK'
         when a.event in ('SOLD', 'RENTED') then 'SOLD' else 'PENDING' end,
       a.event = 'PRICE_CHANGED' and coalesce(a.price < a."previousPrice", false), alert_event_mode() = 'bulk'
     from added a
     where a.source = 'listing' and alert_event_mode() <> 'none' and a.event in ('LISTED', 'LISTED_FOR_RENT', 'RELISTED',
       'COMING_SOON', 'PRICE_CHANGED', 'BACK_ON_MARKET', 'SOLD', 'RENTED', 'UNDER_CONTRACT', 'PENDING')
     order by a.id;
     return null;
   end $$`,
  `create trigger property_price_events_note_alert after insert on property_price_events
   referencing new table as added for each statement execute function property_price_events_note_alert()`,
  `create function open_houses_note_alert() returns trigger language plpgsql as $$
   begin
     if alert_event_mode() <> 'none' then
       insert into alert_events ("propertyId", kind, "openHouseId", "isCut", "isBulk")
       values (new."propertyId", 'OPEN_HOUSE', new.id, false, alert_event_mode() = 'bulk');
     end if;
     return null;
   end $$`,
  `create trigger open_houses_note_alert after insert on open_houses
   for each row execute function open_houses_note_alert()`,
  // A home of an agent who waited for the approval was listed where no one could see it.
  `create function properties_approved_note_alert() returns trigger language plpgsql as $$
   begin
     insert into alert_events ("propertyId", kind, "isCut", "isBulk") values (new.id, 'NEW', false, false);
     return null;
   end $$`,
  `create trigger properties_approved_note_alert after update of "hiddenFor" on properties
   for each row when (old."hiddenFor" @> '{AWAITS_APPROVAL}' and new."hiddenFor" = '{}'
     and new."standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending'))
   execute function properties_approved_note_alert()`,
];

// At most one row for a search, or a person, and an event. A match waits until an alert takes it.
const MATCHES = [
  `create table search_matches (
     "searchId" uuid not null references saved_searches (id) on delete cascade,
     "propertyId" uuid not null references properties (id) on delete cascade,
     "eventId" bigint not null,
     kind text not null,
     "openHouseId" uuid,
     "createdAt" timestamptz not null,
     "dueAt" timestamptz not null,
     "alertId" uuid,
     primary key ("searchId", "propertyId", "eventId")
   )`,
  'create index search_matches_due_idx on search_matches ("dueAt", "searchId") where "alertId" is null',
  'create index search_matches_waiting_idx on search_matches ("searchId") where "alertId" is null',
  'create index search_matches_created_idx on search_matches ("createdAt")',
  'create index search_matches_of_listing_idx on search_matches ("propertyId")',
  `create table favorite_matches (
     "userId" uuid not null references "user" (id) on delete cascade,
     "propertyId" uuid not null references properties (id) on delete cascade,
     "eventId" bigint not null,
     kind text not null,
     "createdAt" timestamptz not null,
     "dueAt" timestamptz not null,
     "alertId" uuid,
     primary key ("userId", "propertyId", "eventId")
   )`,
  'create index favorite_matches_due_idx on favorite_matches ("dueAt", "userId") where "alertId" is null',
  'create index favorite_matches_created_idx on favorite_matches ("createdAt")',
  'create index favorite_matches_of_listing_idx on favorite_matches ("propertyId")',
  `create trigger favorite_matches_refuse_tombstones before insert on favorite_matches
   for each row execute function refuse_tombstones('userId')`,
];

// What is to be said: about a search, or about saved homes. `items` names at most 50 homes, `more` counts the others.
const ALERTS = [
  `create table alerts (
     id uuid primary key,
     "userId" uuid not null references "user" (id) on delete cascade,
     "searchId" uuid references saved_searches (id) on delete cascade,
     items jsonb not null,
     more integer not null,
     "createdAt" timestamptz not null,
     constraint alerts_items_check check (jsonb_array_length(items) between 1 and 50),
     constraint alerts_more_check check (more >= 0)
   )`,
  'create index alerts_created_idx on alerts ("createdAt")',
  'create index alerts_of_person_idx on alerts ("userId", id)',
  'create index alerts_of_search_idx on alerts ("searchId")',
  `create trigger alerts_refuse_tombstones before insert on alerts
   for each row execute function refuse_tombstones('userId')`,
  `create table alert_mails (
     "alertId" uuid primary key references alerts (id) on delete cascade,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null
   )`,
  `create table mail_totals (
     hour timestamptz primary key,
     sent integer not null
   )`,
  'create index alert_mails_due_idx on alert_mails ("nextAttemptAt")',
  `insert into retention_cuts (what) values ('alertEvents'), ('searchMatches'), ('favoriteMatches'), ('alerts')`,
];
