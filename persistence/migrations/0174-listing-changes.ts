import { OnlineMigration } from './online-migration.ts';

/**
 * The order of changes for consumers of the feed (docs/feeds.md#the-order-of-changes): what changed and waits for its number,
 * and the number of each record.
 *
 * The rows belong to the platform and name records by their keys alone, so no export has them. A waiting change stays
 * until its turn, within a second. The row of a record stays as long as the record; of one that is gone 90 days. The
 * deletion of an account makes its member and office such records.
 */
export class ListingChanges extends OnlineMigration {
  override up(): void {
    for (const statement of [...TABLES, ...NOTES, ...PROPERTIES, ...IMAGES, ...OTHERS])
      this.addSql(statement);
  }
}

// A transaction notes a record once. Rows are only added, so no writer waits for another one. `isUrgent`: it makes something
// less public, so it has its number before all others. `ofPhotos`: pictures of the listing changed.
const TABLES = [
  `create table listing_changes (
     id bigint generated always as identity primary key,
     resource text not null,
     key uuid not null,
     "isUrgent" boolean not null,
     "ofPhotos" boolean not null,
     "by" xid8 not null default pg_current_xact_id(),
     "notedAt" timestamptz not null default clock_timestamp(),
     constraint listing_changes_once unique (key, resource, "by"),
     constraint listing_changes_resource_check check (resource in ('Property', 'Media', 'OpenHouse', 'Member', 'Office'))
   )`,
  'create index listing_changes_order_idx on listing_changes ("isUrgent" desc, id)',
  // One row for each record that consumers may know. Numbers and times are given under the lock of the cursor.
  `create table published_records (
     resource text not null,
     key uuid not null,
     seq bigint not null unique,
     "modifiedAt" timestamptz not null,
     "photosAt" timestamptz,
     "goneAt" timestamptz,
     primary key (resource, key)
   ) with (fillfactor = 80)`,
  'create unique index published_records_time_idx on published_records (resource, "modifiedAt", key)',
  'create index published_records_gone_idx on published_records ("goneAt") where "goneAt" is not null',
  // Listings from before this migration are noted in batches; `filledTo` is the last one, `isFilled` the end.
  `create table listing_change_cursor (
     one boolean primary key default true,
     "lastSeq" bigint not null default 0,
     "lastAt" timestamptz not null default to_timestamp(0),
     "filledTo" uuid,
     "isFilled" boolean not null default false,
     constraint listing_change_cursor_one_check check (one)
   )`,
  'insert into listing_change_cursor default values',
  `insert into retention_cuts (what) values ('goneRecords')`,
];

const NOTES = [
  // Offices have no rows: one is all agents who name it alike.
  `create function office_key(name text) returns uuid language sql immutable
   return md5('office ' || lower(btrim(name)))::uuid`,
  `create function note_listing_change(changed text, record uuid, urgent boolean, photos boolean default false)
   returns void language sql as $$
     insert into listing_changes (resource, key, "isUrgent", "ofPhotos")
     select changed, record, urgent, photos where record is not null
     on conflict (key, resource, "by") do update
     set "isUrgent" = listing_changes."isUrgent" or excluded."isUrgent",
       "ofPhotos" = listing_changes."ofPhotos" or excluded."ofPhotos"
     where (excluded."isUrgent" and not listing_changes."isUrgent")
       or (excluded."ofPhotos" and not listing_changes."ofPhotos")
   $$`,
  `create function note_member_change(member uuid) returns void language sql as $$
     select note_listing_change('Member', u.id, false), note_listing_change('Office', office_key(u."officeName"), false)
     from "user" u where u.id = member
   $$`,
];

/** What consumers see of a listing, or who may see it. */
const SHOWN_COLUMNS = [
  'ownerAgentId',
  'listPrice',
  'currency',
  'bedroomsTotal',
  'bathroomsTotal',
  'livingArea',
  'livingAreaUnits',
  'lotSizeArea',
  'lotSizeUnits',
  'yearBuilt',
  'yearBuiltEffective',
  'propertyType',
  'propertySubType',
  'standardStatus',
  'address',
  'unitNumber',
  'city',
  'countyOrParish',
  'subdivisionName',
  'stateOrProvince',
  'postalCode',
  'country',
  'latitude',
  'longitude',
  'publicRemarks',
  'features',
  'listedAt',
  'stories',
  'roomsTotal',
  'garageSpaces',
  'parkingTotal',
  'associationFee',
  'associationFeeFrequency',
  'taxAnnualAmount',
  'taxYear',
  'originalListPrice',
  'closePrice',
  'closeDate',
  'propertyTimeZoneName',
  'showingAdvanceNotice',
  'showingStartTime',
  'showingEndTime',
  'showingDays',
  'originatingSystemName',
  'originatingSystemKey',
  'statusChangedAt',
  'offMarketAt',
  'marketDaysBefore',
  'hiddenFor',
  'feedId',
  'showAddress',
  'showValuation',
  'showComments',
  'listOfficeName',
  'listAgentName',
  'listAgentLicense',
  'attributionContact',
];
const columns = (row: string, names: readonly string[]): string =>
  `(${names.map((name) => `${row}."${name}"`).join(', ')})`;
const differs = (names: readonly string[]): string =>
  `${columns('old', names)} is distinct from ${columns('new', names)}`;
const isPublic = (row: string): string =>
  `(${row}."standardStatus" not in ('Incomplete', 'Delete') and ${row}."hiddenFor" = '{}' and ${row}."feedId" is null)`;

const PROPERTIES = [
  `create function properties_note_change() returns trigger language plpgsql as $$
   declare
     was boolean := false;
     is_now boolean := false;
   begin
     if tg_op <> 'INSERT' then was := ${isPublic('old')}; end if;
     if tg_op <> 'DELETE' then is_now := ${isPublic('new')}; end if;
     if not was and not is_now then return null; end if;
     if tg_op = 'DELETE' then
       perform note_listing_change('Property', old.id, true), note_member_change(old."ownerAgentId");
       return null;
     end if;
     perform note_listing_change('Property', new.id, was and not is_now);
     if was <> is_now or tg_op = 'INSERT' then
       perform note_member_change(new."ownerAgentId");
       perform note_listing_change('Media', i.id, was) from property_images i where i."propertyId" = new.id;
       perform note_listing_change('OpenHouse', o.id, was) from open_houses o where o."propertyId" = new.id;
     elsif old."ownerAgentId" <> new."ownerAgentId" then
       perform note_member_change(old."ownerAgentId"), note_member_change(new."ownerAgentId");
     end if;
     return null;
   end $$`,
  `create trigger properties_note_new after insert or delete on properties
   for each row execute function properties_note_change()`,
  `create trigger properties_note_change after update on properties
   for each row when (${differs(SHOWN_COLUMNS)}) execute function properties_note_change()`,
];

/** What consumers see of a picture, or who may see it. */
const PICTURE_COLUMNS = [
  'position',
  'isMain',
  'isStyled',
  'styledFromId',
  'roomType',
  'imageOf',
  'reviewStatus',
  'withdrawnAt',
  'alteration',
  'alterationBy',
  'alteredFromId',
  'photoState',
  'outputWidth',
  'outputHeight',
  'outputFormat',
  'outputChecksum',
];

// A change of a photo also concerns the pictures that were made of it. A picture that is private before and after is none.
const IMAGES = [
  `create function property_images_note_change() returns trigger language plpgsql as $$
   declare
     picture property_images;
     was boolean := false;
     is_now boolean := false;
   begin
     if tg_op <> 'INSERT' then
       was := not old."isStyled" or (old."reviewStatus" = 'APPROVED' and old."withdrawnAt" is null);
       picture := old;
     end if;
     if tg_op <> 'DELETE' then
       is_now := not new."isStyled" or (new."reviewStatus" = 'APPROVED' and new."withdrawnAt" is null);
       picture := new;
     end if;
     if not was and not is_now then return null; end if;
     perform note_listing_change('Media', picture.id, was and (not is_now or not picture."isStyled")),
       note_listing_change('Property', picture."propertyId", false, true);
     if tg_op = 'UPDATE' and not picture."isStyled" then
       perform note_listing_change('Media', i.id, true) from property_images i
       where i."propertyId" = picture."propertyId" and (i."styledFromId" = picture.id or i."alteredFromId" = picture.id);
     end if;
     return null;
   end $$`,
  `create trigger property_images_note_new after insert or delete on property_images
   for each row execute function property_images_note_change()`,
  `create trigger property_images_note_change after update on property_images
   for each row when (${differs(PICTURE_COLUMNS)}) execute function property_images_note_change()`,
  `create function provenance_records_note_change() returns trigger language plpgsql as $$
   begin
     perform note_listing_change('Media', new."stagedImageId", false),
       note_listing_change('Property', new."propertyId", false, true);
     return null;
   end $$`,
  `create trigger provenance_records_note_change after insert on provenance_records
   for each row execute function provenance_records_note_change()`,
];

const MEMBER_COLUMNS = ['name', 'email', 'emailPublic', 'phone', 'licenseNumber', 'officeName', 'role'];

const OTHERS = [
  `create function open_houses_note_change() returns trigger language plpgsql as $$
   declare
     house open_houses;
   begin
     if tg_op = 'DELETE' then house := old; else house := new; end if;
     perform note_listing_change('OpenHouse', house.id, tg_op = 'DELETE'),
       note_listing_change('Property', house."propertyId", false);
     return null;
   end $$`,
  `create trigger open_houses_note_new after insert or delete on open_houses
   for each row execute function open_houses_note_change()`,
  `create trigger open_houses_note_change after update on open_houses
   for each row when (old is distinct from new) execute function open_houses_note_change()`,
  `create function property_price_events_note_change() returns trigger language plpgsql as $$
   begin
     perform note_listing_change('Property', a."propertyId", false)
     from (select distinct "propertyId" from added) a;
     return null;
   end $$`,
  `create trigger property_price_events_note_change after insert on property_price_events
   referencing new table as added for each statement execute function property_price_events_note_change()`,
  // Who owns no listing is no member.
  `create function user_note_change() returns trigger language plpgsql as $$
   begin
     if not exists (select from properties p where p."ownerAgentId" = new.id) then return null; end if;
     perform note_listing_change('Member', new.id, old.role <> new.role),
       note_listing_change('Office', office_key(old."officeName"), false),
       note_listing_change('Office', office_key(new."officeName"), false);
     perform note_listing_change('Property', p.id, false) from properties p where p."ownerAgentId" = new.id;
     return null;
   end $$`,
  `create trigger user_note_change after update on "user"
   for each row when (${differs(MEMBER_COLUMNS)}) execute function user_note_change()`,
];
