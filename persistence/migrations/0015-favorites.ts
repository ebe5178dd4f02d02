import { Migration } from '@mikro-orm/migrations';

/**
 * The homes that a person has saved, with the price and the status at that moment, so that a list can say what has
 * changed since. A saved home that leaves the market stays saved; one whose row goes takes the mark with it.
 */
export class Favorites extends Migration {
  override up(): void {
    this.addSql(`
      create table favorites (
        "userId" uuid not null references "user" (id) on delete cascade,
        "propertyId" uuid not null references properties (id) on delete cascade,
        "savedAt" timestamptz not null,
        "priceWhenSaved" numeric(14, 2) not null,
        "statusWhenSaved" text not null,
        primary key ("userId", "propertyId")
      )`);
    // Newest first, page by page.
    this.addSql(
      `create index favorites_saved_idx on favorites ("userId", "savedAt" desc, "propertyId" desc)`,
    );
    this.addSql(`create index "favorites_propertyId_idx" on favorites ("propertyId")`);
  }
}
