import { Migration } from '@mikro-orm/migrations';

/**
 * Staging as the legacy platform had it: a staged row points at its original by a bare uuid, its style is free
 * text, nothing keeps it from being the cover or from sharing a file. Only originals own their object key.
 */
export class LegacyStagedImages extends Migration {
  override up(): void {
    this.addSql(`
      alter table property_images
        add column "isStyled" boolean not null default false,
        add column "styledFromId" uuid,
        add column style text,
        add column "aiJobId" uuid`);
    this.addSql(`drop index "property_images_objectKey_uidx"`);
    this.addSql(`
      create unique index "property_images_original_objectKey_uidx" on property_images ("objectKey")
        where not "isStyled"`);
  }
}
