import { Migration } from '@mikro-orm/migrations';

/**
 * The listings that a person has saved, with the price and the status at that moment, so that a list can show what has
 * changed since. A saved listing that leaves the market stays saved. Deleting the listing's row deletes the mark.
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
    // For pages, newest first.
    this.addSql(
      `create index favorites_saved_idx on favorites ("userId", "savedAt" desc, "propertyId" desc)`,
    );
    this.addSql(`create index "favorites_propertyId_idx" on favorites ("propertyId")`);
  }
}
