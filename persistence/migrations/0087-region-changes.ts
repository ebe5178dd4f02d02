import { OnlineMigration } from './online-migration.ts';

/**
 * What suggestions read of ten million addresses: those with all of some words, by one index instead of one for the street
 * and one for the region; those of one region; those that begin with a text; and which regions have changed. 0088 counts
 * the regions; every change is noted from here on, before that.
 */
export class RegionChanges extends OnlineMigration {
  static override readonly online = [
    {
      index: 'listing_addresses_words_idx',
      on: 'listing_addresses using gin (("addressText" || "regionText") gin_trgm_ops)',
    },
    { index: 'listing_addresses_region_idx', on: 'listing_addresses ("regionText")' },
    { index: 'listing_addresses_beginning_idx', on: 'listing_addresses ("addressText" collate "C")' },
  ];

  override up(): void {
    for (const statement of [CHANGES, CHANGES_INDEX, NOTE, ...TRIGGERS]) this.addSql(statement);
    this.addSql('drop index "listing_addresses_regionText_idx"');
  }
}

/** Rows are only added, so that writers never wait for each other. A change and its row commit together. */
const CHANGES = `
  create table listing_region_changes (
    id bigint primary key generated always as identity,
    "regionText" text not null
  )`;

const CHANGES_INDEX =
  'create index listing_region_changes_region_idx on listing_region_changes ("regionText")';

/** An address is never updated: its row is deleted, and another one inserted. */
const NOTE = `
  create function listing_addresses_note_region() returns trigger language plpgsql as $function$
  begin
    insert into listing_region_changes ("regionText") select distinct "regionText" from changed;
    return null;
  end $function$`;

const TRIGGERS = [
  { event: 'insert', rows: 'new', name: 'inserted' },
  { event: 'delete', rows: 'old', name: 'deleted' },
].map(
  ({ event, rows, name }) => `
  create trigger listing_addresses_${name}_note_region after ${event} on listing_addresses
  referencing ${rows} table as changed for each statement execute function listing_addresses_note_region()`,
);
