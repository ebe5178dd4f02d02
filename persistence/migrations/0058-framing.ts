import { OnlineMigration } from './online-migration.ts';

const JOBS = 'ai_room_staging_jobs';
const PAD = ['padWidth', 'padHeight', 'frameLeft', 'frameTop', 'frameWidth', 'frameHeight'].map(
  (name) => `"${name}"`,
);

/**
 * Staged pictures in the shape of their photos (docs/contract.md#framing). A job keeps the size of the padded copy that
 * the provider gets, and the photo's rectangle in it; jobs from before have the fixed shape and no pad. The padded copy
 * belongs to the photo, beside the plain one.
 */
export class Framing extends OnlineMigration {
  static override readonly online = [
    { column: 'framing', on: JOBS, type: `text not null default 'fixed'` },
    ...PAD.map((column) => ({ column, on: JOBS, type: 'integer' })),
    {
      constraint: 'ai_room_staging_jobs_framing_check',
      on: JOBS,
      // A photo of unknown size is measured by the worker. Until then its job has neither shape nor input.
      must: `check (case framing
        when 'fixed' then num_nonnulls(${PAD}) = 0
        when 'photo' then num_nonnulls("aspectRatio", ${PAD}) in (0, 7)
          and ("providerInputKey" is null or "padWidth" is not null)
        else false end)`,
    },
    {
      constraint: 'ai_room_staging_jobs_pad_check',
      on: JOBS,
      must: `check ("padWidth" is null or (
        case "aspectRatio" when '1:1' then "padWidth" = "padHeight" when '3:2' then "padWidth" * 2 = "padHeight" * 3
          when '2:3' then "padWidth" * 3 = "padHeight" * 2 else false end
        and "frameLeft" >= 0 and "frameTop" >= 0 and "frameWidth" > 0 and "frameHeight" > 0
        and "frameLeft" + "frameWidth" <= "padWidth" and "frameTop" + "frameHeight" <= "padHeight"))`,
    },
    { column: '"paddedInputKey"', on: 'property_images', type: 'text' },
    { index: 'property_images_paddedInputKey_key', unique: true, on: 'property_images ("paddedInputKey")' },
  ];

  override up(): void {
    this.addSql(`alter table property_images add constraint "property_images_paddedInputKey_key"
      unique using index "property_images_paddedInputKey_key"`);
    this.addSql(SCHEDULE_DELETION);
    this.addSql(KEEP_PAD);
    this.addSql(`
      create trigger ai_room_staging_jobs_keep_pad before update of ${PAD} on ${JOBS}
      for each row when (old."padWidth" is not null) execute function ai_room_staging_jobs_keep_pad()`);
  }
}

const SCHEDULE_DELETION = `
  create or replace function property_images_schedule_deletion() returns trigger language plpgsql as $$
  declare
    why storage_deletion_reason := 'ORIGINAL_IMAGE_DELETED';
  begin
    if old."isStyled" and exists (select from property_images where id = old."styledFromId") then
      why := 'STAGED_IMAGE_DELETED';
    end if;
    insert into storage_deletion_outbox ("objectKey", reason)
    select key, why from unnest(array[old."objectKey", old."providerInputKey", old."paddedInputKey"]) as key
    where key is not null;
    return null;
  end $$`;

// The provider has seen the padded copy, or is about to: another rectangle would show another part of the picture.
const KEEP_PAD = `
  create function ai_room_staging_jobs_keep_pad() returns trigger language plpgsql as $$
  begin
    if (${PAD.map((name) => `old.${name}`)}) is distinct from (${PAD.map((name) => `new.${name}`)}) then
      raise exception 'the pad of job % cannot change', new."aiJobId"
        using errcode = 'check_violation', table = '${JOBS}', constraint = 'ai_room_staging_jobs_keep_pad';
    end if;
    return new;
  end $$`;
