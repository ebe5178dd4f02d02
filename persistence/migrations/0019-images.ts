import { Migration } from '@mikro-orm/migrations';

/**
 * Smaller copies of public pictures (`image_renditions`), one picture per person (`avatars`), and a cover that passes
 * to another photo when it is deleted. A row of either table owns its object: when the row is deleted in any way, a
 * trigger queues the object for deletion. The reason is ORIGINAL_IMAGE_DELETED, because renditions of a staged image
 * exist only after its approval, and then only the deletion of its original removes it.
 */
export class Images extends Migration {
  override up(): void {
    this.addSql(`
      create table image_renditions (
        "imageId" uuid not null references property_images (id) on delete cascade,
        variant text not null,
        "objectKey" text not null constraint "image_renditions_objectKey_key" unique,
        bytes integer not null,
        "createdAt" timestamptz not null default now(),
        primary key ("imageId", variant)
      )`);
    this.addSql(`
      create table avatars (
        id uuid primary key,
        "userId" uuid not null references "user" (id) on delete cascade,
        "objectKey" text not null,
        checksum text not null,
        "createdAt" timestamptz not null default now(),
        constraint "avatars_userId_key" unique ("userId"),
        constraint "avatars_objectKey_key" unique ("objectKey")
      )`);
    this.addSql(OBJECT_TRIGGERS);
    this.addSql(COVER_TRIGGER);
  }
}

const OBJECT_TRIGGERS = `
  create function schedule_deletion_of_object() returns trigger language plpgsql as $$
  begin
    insert into storage_deletion_outbox ("objectKey", reason) values (old."objectKey", 'ORIGINAL_IMAGE_DELETED');
    return null;
  end $$;
  create trigger image_renditions_schedule_deletion after delete on image_renditions
    for each row execute function schedule_deletion_of_object();
  create trigger avatars_schedule_deletion after delete on avatars
    for each row execute function schedule_deletion_of_object()`;

// Triggers fire in the order of their names. This one fires after property_images_deleted_mark_search_dirty, which has
// locked the listing. Uploads and changes lock it too, so the covers of one listing are decided one at a time.
// When the listing itself is deleted, all its images are gone by now and nothing is found.
const COVER_TRIGGER = `
  create function property_images_pass_on_cover() returns trigger language plpgsql as $$
  begin
    update property_images set "isMain" = true
    where id = (select id from property_images where "propertyId" = old."propertyId" and not "isStyled"
                order by position, "createdAt", id limit 1)
      and not exists (select from property_images where "propertyId" = old."propertyId" and "isMain");
    return null;
  end $$;
  create trigger property_images_pass_on_cover after delete on property_images
    for each row when (old."isMain") execute function property_images_pass_on_cover()`;
