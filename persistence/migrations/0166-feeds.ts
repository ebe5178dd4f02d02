import { OnlineMigration } from './online-migration.ts';

/**
 * Listings out of the feed of an MLS (docs/contract.md#feeds): the feeds, their records as they came, and what of a
 * listing comes from its record.
 *
 * A feed and its records belong to the platform. Records name agents and offices of the feed, who have no account here:
 * they are in no export, and stay until their feed is removed. The user of a feed can neither sign in nor be deleted by
 * itself. The columns of a listing belong to it: they are deleted and stay with it.
 */
export class Feeds extends OnlineMigration {
  static override readonly online = [
    { column: '"feedUser"', on: '"user"', type: 'boolean not null default false' },
    { column: '"feedId"', on: 'properties', type: 'uuid' },
    { column: '"showAddress"', on: 'properties', type: 'boolean not null default true' },
    { column: '"showValuation"', on: 'properties', type: 'boolean not null default true' },
    { column: '"showComments"', on: 'properties', type: 'boolean not null default true' },
    { column: '"listOfficeName"', on: 'properties', type: 'text' },
    { column: '"listAgentName"', on: 'properties', type: 'text' },
    { column: '"listAgentLicense"', on: 'properties', type: 'text' },
    { column: '"attributionContact"', on: 'properties', type: 'text' },
    { column: '"feedUpdatedAt"', on: 'properties', type: 'timestamptz' },
    { index: 'properties_feed_idx', on: 'properties ("feedId", id) where "feedId" is not null' },
  ];

  override up(): void {
    for (const statement of [...FEEDS, ...RECORDS]) this.addSql(statement);
  }
}

// The state of the actor is `status` to `reconcileDueAt`. `task` is what the feed does, or continues after a wait; `listBegan`
// names the last list of all keys; `heldDeletions` counts the listings that a complete list no longer named, when they are too
// many to leave without a decision. The rest is where the reading is: `cursor` is what is asked next, and moves with the
// records of a page; `pages` counts the moves, so that of two readers of one page only the first one writes.
const FEEDS = [
  `create table feeds (
     id uuid primary key,
     name text not null unique,
     profile text not null,
     "baseUrl" text not null,
     credentials text,
     filter text,
     "contactAgents" uuid[] not null default '{}',
     "userId" uuid not null unique references "user" (id),
     status text not null,
     version integer not null,
     task text not null,
     "dueAt" timestamptz,
     failures integer not null,
     "lastError" text,
     "listBegan" timestamptz,
     "heldDeletions" integer not null,
     "heldListings" integer not null,
     "reconcileDueAt" timestamptz,
     cursor jsonb,
     pages bigint not null default 0,
     "nextLookAt" timestamptz,
     "loadedAt" timestamptz,
     "lastSeenAt" timestamptz,
     "createdAt" timestamptz not null,
     constraint feeds_name_check check (char_length(name) between 1 and 60),
     constraint feeds_credentials_check check (credentials ~ '^FEED_[A-Z0-9_]*_(TOKEN|SECRET)$'),
     constraint feeds_filter_check check (char_length(filter) between 1 and 2000),
     constraint feeds_status_check
       check (status in ('IDLE', 'REPLICATING', 'RECONCILING', 'WAITING', 'PAUSED', 'FAILED')),
     constraint feeds_task_check check (task in ('REPLICATE', 'RECONCILE', 'REMOVE')),
     constraint feeds_held_check check ("heldDeletions" between 0 and "heldListings")
   )`,
];

// `listedAt` names the last list of keys that had the record. The rows change in place.
const RECORDS = [
  `create table feed_records (
     "feedId" uuid not null references feeds (id) on delete cascade,
     resource text not null,
     key text not null,
     raw jsonb not null,
     hash bytea not null,
     "modifiedAt" timestamptz,
     state text not null,
     "propertyId" uuid references properties (id) on delete set null,
     unmapped jsonb not null default '{}',
     "seenAt" timestamptz not null,
     "listedAt" timestamptz,
     "mappedHash" bytea,
     primary key ("feedId", resource, key),
     constraint feed_records_resource_check check (resource in ('Property', 'Member', 'Office', 'OpenHouse', 'Media', 'Lookup')),
     constraint feed_records_key_check check (char_length(key) between 1 and 255),
     constraint feed_records_state_check check (state in ('CURRENT', 'GONE', 'REFUSED'))
   ) with (fillfactor = 80)`,
  `create unique index feed_records_property_idx on feed_records ("propertyId")
   where resource = 'Property' and "propertyId" is not null`,
];
