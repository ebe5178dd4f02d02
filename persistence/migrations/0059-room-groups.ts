import { OnlineMigration } from './online-migration.ts';

/**
 * Photos of one room share a furniture brief (docs/contract.md#room-groups). `number` bounds the groups of a listing: a
 * new one takes the lowest that is free. A group ends with its listing or with its last photo. A job keeps the id of
 * its group, as it keeps that of its original, also after these have ended. `referenceImageKey` is the object of the
 * approved picture that is sent as the second input; it becomes null when that picture is gone before the job is sent.
 */
export class RoomGroups extends OnlineMigration {
  static override readonly online = [
    { column: '"groupId"', on: 'ai_room_staging_jobs', type: 'uuid' },
    { column: '"referenceImageKey"', on: 'ai_room_staging_jobs', type: 'text' },
    {
      constraint: 'ai_room_staging_jobs_reference_has_group_check',
      on: 'ai_room_staging_jobs',
      must: 'check ("referenceImageKey" is null or "groupId" is not null)',
    },
    {
      index: 'ai_room_staging_jobs_groupId_idx',
      on: 'ai_room_staging_jobs ("groupId") where "groupId" is not null',
    },
  ];

  override up(): void {
    // The lists hold ids of the furniture catalogue, never text of a person; which ids there are is the program's.
    this.addSql(`
      create table room_groups (
        id uuid primary key,
        "propertyId" uuid not null references properties (id) on delete cascade,
        number smallint not null,
        "roomType" canonical_room_type not null,
        style canonical_style not null,
        pieces text[] not null,
        materials text[] not null,
        colours text[] not null,
        "createdAt" timestamptz not null,
        constraint room_groups_number_key unique ("propertyId", number),
        constraint room_groups_number_check check (number between 1 and 50),
        constraint room_groups_brief_check check (
          cardinality(pieces) between 1 and 8 and cardinality(materials) between 1 and 3
          and cardinality(colours) between 1 and 4
          and array_to_string(pieces || materials || colours, ' ', '?') ~ '^[a-z_]+( [a-z_]+)*$')
      )`);
    this.addSql(`
      create table room_group_photos (
        "groupId" uuid not null references room_groups (id) on delete cascade,
        "imageId" uuid not null references property_images (id) on delete cascade,
        position smallint not null,
        primary key ("groupId", "imageId"),
        constraint room_group_photos_position_key unique ("groupId", position),
        constraint room_group_photos_position_check check (position between 1 and 20)
      )`);
    this.addSql('create index "room_group_photos_imageId_idx" on room_group_photos ("imageId")');
    this.addSql(PHOTO_CHECK);
    this.addSql(`
      create trigger room_group_photos_original_check before insert or update on room_group_photos
      for each row execute function room_group_photos_original_check()`);
    this.addSql(REMOVE_EMPTY);
    this.addSql(`
      create trigger room_group_photos_remove_empty_group after delete on room_group_photos
      for each row execute function room_group_photos_remove_empty_group()`);
    this.addSql(GROUP_CHECK);
    this.addSql(`
      create trigger ai_room_staging_jobs_group_check before insert or update of "groupId" on ai_room_staging_jobs
      for each row when (new."groupId" is not null) execute function ai_room_staging_jobs_group_check()`);
    this.addSql(REFERENCE_CHECK);
    this.addSql(`
      create trigger ai_room_staging_jobs_reference_check before insert or update of "referenceImageKey"
      on ai_room_staging_jobs
      for each row when (new."referenceImageKey" is not null) execute function ai_room_staging_jobs_reference_check()`);
  }
}

/** A photo of a group is an original of the group's listing. Neither ever changes of a picture. */
const PHOTO_CHECK = `
  create function room_group_photos_original_check() returns trigger language plpgsql as $function$
  begin
    if not exists (select from property_images i join room_groups g on g."propertyId" = i."propertyId"
        where i.id = new."imageId" and not i."isStyled" and g.id = new."groupId") then
      raise exception 'picture % is no original of the listing of group %', new."imageId", new."groupId"
        using errcode = 'check_violation', table = 'room_group_photos', constraint = 'room_group_photos_original_check';
    end if;
    return new;
  end $function$`;

/** Under the group's lock, so that of two photos deleted at once the second finds none left. */
const REMOVE_EMPTY = `
  create function room_group_photos_remove_empty_group() returns trigger language plpgsql as $function$
  begin
    perform from room_groups where id = old."groupId" for update;
    delete from room_groups g where g.id = old."groupId"
      and not exists (select from room_group_photos f where f."groupId" = g.id);
    return null;
  end $function$`;

const GROUP_CHECK = `
  create function ai_room_staging_jobs_group_check() returns trigger language plpgsql as $function$
  begin
    if not exists (select from room_groups g join room_group_photos f on f."groupId" = g.id
        where g.id = new."groupId" and f."imageId" = new."originalImageId"
          and g."roomType" = new."canonicalRoomType" and g.style = new."canonicalStyle") then
      raise exception 'job % is not of a photo, room type and style of group %', new."aiJobId", new."groupId"
        using errcode = 'check_violation', table = 'ai_room_staging_jobs', constraint = 'ai_room_staging_jobs_group_check';
    end if;
    return new;
  end $function$`;

const REFERENCE_CHECK = `
  create function ai_room_staging_jobs_reference_check() returns trigger language plpgsql as $function$
  begin
    if not exists (select from property_images i join ai_room_staging_jobs s on s."aiJobId" = i."aiJobId"
        where i."objectKey" = new."referenceImageKey" and i."reviewStatus" = 'APPROVED'
          and s."groupId" = new."groupId") then
      raise exception 'job % names a picture that is not an approved one of its group', new."aiJobId"
        using errcode = 'check_violation', table = 'ai_room_staging_jobs',
          constraint = 'ai_room_staging_jobs_reference_check';
    end if;
    return new;
  end $function$`;
