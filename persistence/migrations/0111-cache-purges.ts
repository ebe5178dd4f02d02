import { OnlineMigration } from './online-migration.ts';

/**
 * What caches in front of the web role must forget: one row for each change that hides a picture or a listing from the
 * public, written in the transaction of the change and removed when the cache was told (docs/contract.md#caches). A row
 * belongs to its listing and names no person, so an account's deletion and export have nothing to do with it. It stays
 * for two minutes at the latest: by then no cache has an older copy.
 */
export class CachePurges extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table cache_purges (
        id bigint generated always as identity primary key,
        "propertyId" uuid not null,
        "requestedAt" timestamptz not null default clock_timestamp(),
        tries integer not null default 0,
        "nextTryAt" timestamptz not null default clock_timestamp()
      )`);
    this.addSql('create index cache_purges_due_idx on cache_purges ("nextTryAt")');
    this.addSql(`
      create function request_cache_purge() returns trigger language plpgsql as $function$
      begin
        insert into cache_purges ("propertyId")
        values ((to_jsonb(old) ->> case when tg_table_name = 'properties' then 'id' else 'propertyId' end)::uuid);
        return null;
      end $function$`);
    for (const [name, event, when] of [
      [
        'property_images_withdrawn_purge',
        'update on property_images',
        `${SHOWN} and new."withdrawnAt" is not null`,
      ],
      ['property_images_deleted_purge', 'delete on property_images', SHOWN],
      ['properties_hidden_purge', 'update on properties', `${paged('old')} and not ${paged('new')}`],
    ])
      this.addSql(`
        create trigger ${name} after ${event} for each row when (${when})
        execute function request_cache_purge()`);
  }
}

const SHOWN = `(not old."isStyled" or old."reviewStatus" = 'APPROVED' and old."withdrawnAt" is null)`;
/** As `hasPublicPage` (persistence/database/listing-visibility.ts). */
const paged = (listing: string): string =>
  `(${listing}."standardStatus" not in ('Incomplete', 'Delete') and ${listing}."hiddenFor" = '{}')`;
