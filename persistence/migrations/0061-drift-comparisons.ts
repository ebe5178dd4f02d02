import { Migration } from '@mikro-orm/migrations';

/**
 * How much a staged picture differs from its photo where it should not (docs/contract.md#drift). One row a staged
 * picture, made by a trigger when the picture is stored. It has no foreign key and stays when the picture is deleted,
 * so that decisions can be compared with measures later (`npm run ops -- drift-report`); only its heat map is deleted
 * with the picture. Older pictures get their rows in 0066.
 *
 * `nextTryAt` is the time of the next try: null once compared, given up, or without a picture. A claim moves it ahead.
 * The result is written once.
 */
export class DriftComparisons extends Migration {
  override up(): void {
    this.addSql(`
      create table drift_comparisons (
        "stagedImageId" uuid primary key,
        "createdAt" timestamptz not null default now(),
        tries smallint not null default 0,
        "nextTryAt" timestamptz default now(),
        "comparedAt" timestamptz,
        algorithm smallint,
        score double precision,
        "geometryMoved" boolean,
        flags text[],
        measures jsonb,
        boxes jsonb,
        "heatMapKey" text,
        constraint "drift_comparisons_heatMapKey_key" unique ("heatMapKey"),
        constraint drift_comparisons_tries_check check (tries between 0 and 3),
        constraint drift_comparisons_score_check check (score between 0 and 1),
        constraint drift_comparisons_result_check check (case when "comparedAt" is null
          then num_nonnulls(algorithm, score, "geometryMoved", flags, measures, boxes, "heatMapKey") = 0
          else num_nonnulls(algorithm, score, "geometryMoved", flags, measures, boxes) = 6 and "nextTryAt" is null end),
        constraint drift_comparisons_moved_check check ("geometryMoved" = ('GEOMETRY_MOVED' = any (flags)))
      )`);
    // Only rows that wait: the table grows with every picture, the index does not.
    this.addSql(`
      create index drift_comparisons_due_idx on drift_comparisons ("createdAt") where "nextTryAt" is not null`);
    this.addSql(KEEP_RESULT);
    this.addSql(`
      create trigger drift_comparisons_keep_result before update on drift_comparisons
      for each row when (old."comparedAt" is not null) execute function drift_comparisons_keep_result()`);
    this.addSql(BEGIN);
    this.addSql(`
      create trigger property_images_begin_drift after insert on property_images
      for each row when (new."isStyled") execute function property_images_begin_drift()`);
    this.addSql(END);
    this.addSql(`
      create trigger property_images_end_drift after delete on property_images
      for each row when (old."isStyled") execute function property_images_end_drift()`);
  }
}

/** Refits read old results. Only the key of the heat map goes, with the picture. */
const KEEP_RESULT = `
  create function drift_comparisons_keep_result() returns trigger language plpgsql as $function$
  begin
    if to_jsonb(new) - 'heatMapKey' is distinct from to_jsonb(old) - 'heatMapKey'
      or new."heatMapKey" is distinct from old."heatMapKey" and (new."heatMapKey" is not null
        or exists (select from property_images where id = old."stagedImageId")) then
      raise exception 'the comparison of picture % is never changed', old."stagedImageId"
        using errcode = 'restrict_violation';
    end if;
    return new;
  end $function$`;

const BEGIN = `
  create function property_images_begin_drift() returns trigger language plpgsql as $function$
  begin
    insert into drift_comparisons ("stagedImageId", "createdAt", "nextTryAt")
    values (new.id, new."createdAt", new."createdAt") on conflict do nothing;
    return null;
  end $function$`;

/** The reason is that of the picture's own object. */
const END = `
  create function property_images_end_drift() returns trigger language plpgsql as $function$
  declare
    key text;
    why storage_deletion_reason := 'ORIGINAL_IMAGE_DELETED';
  begin
    select "heatMapKey" into key from drift_comparisons where "stagedImageId" = old.id for update;
    if key is not null then
      if exists (select from property_images where id = old."styledFromId") then
        why := 'STAGED_IMAGE_DELETED';
      end if;
      insert into storage_deletion_outbox ("objectKey", reason) values (key, why);
    end if;
    update drift_comparisons set "heatMapKey" = null, "nextTryAt" = null
    where "stagedImageId" = old.id and num_nonnulls("heatMapKey", "nextTryAt") > 0;
    return null;
  end $function$`;
