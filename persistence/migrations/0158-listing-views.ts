import { OnlineMigration } from './online-migration.ts';

/**
 * How often a home's page was viewed, by day, as its clocks show it (docs/contract.md#figures-of-a-listing). A row belongs
 * to the listing and knows nothing of those who viewed it: neither deletion nor export of an account has it. It stays for
 * 400 days.
 */
export class ListingViews extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table listing_views (
        "propertyId" uuid not null references properties (id) on delete cascade,
        day date not null,
        views integer not null,
        primary key ("propertyId", day),
        constraint listing_views_views_check check (views > 0)
      )`);
    this.addSql('create index listing_views_day_idx on listing_views (day)');
    this.addSql(`insert into retention_cuts (what) values ('views')`);
  }
}
