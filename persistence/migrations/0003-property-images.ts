import { Migration } from '@mikro-orm/migrations';

/** Photos of a listing, before staging existed. */
export class PropertyImages extends Migration {
  override up(): void {
    this.addSql(`
      create table property_images (
        id uuid primary key default gen_random_uuid(),
        "propertyId" uuid not null references properties (id) on delete cascade,
        "objectKey" text not null,
        position integer not null default 0,
        "isMain" boolean not null default false,
        "createdAt" timestamptz not null default now()
      )`);
    this.addSql(`create unique index "property_images_objectKey_uidx" on property_images ("objectKey")`);
    this.addSql(`create index "property_images_propertyId_idx" on property_images ("propertyId")`);
  }
}
