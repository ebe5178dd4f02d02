import { Migration } from '@mikro-orm/migrations';

/**
 * Staging on the legacy platform: a staged row refers to its original by a bare uuid, and its style is free text. It
 * may be the cover and may share a file with other rows. Only originals own their object key.
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
