import { PHOTO_STATES } from '../../machines/vocabulary.ts';
import { OnlineMigration } from './online-migration.ts';

const ON = 'property_images';
const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * What recognizes a staged picture that comes back as a photo (docs/contract.md#intake). `staged_fingerprints` and its
 * keys belong to the platform: they outlive picture, listing and account, and are in no export; the pictures in them
 * are encrypted. `photo_checks` belongs to the photo, is deleted with it, and is in no export; it names the agent who
 * has answered by id only. Older pictures and photos get their rows in 0124.
 *
 * `nextTryAt` is the time of the next try: null when nothing is left to do. A claim moves it ahead; `claim` is its token.
 * `"photoState"` follows from the photo's check, by trigger only: null for staged pictures, and for photos from before
 * this until they have a verdict.
 */
export class StagedFingerprints extends OnlineMigration {
  static override readonly online = [
    { column: '"photoState"', on: ON, type: 'text' },
    {
      constraint: 'property_images_photo_state_check',
      on: ON,
      must: `check ("photoState" is null or not "isStyled" and "photoState" in (${listed(PHOTO_STATES)}))`,
    },
    {
      constraint: 'property_images_refused_is_no_cover_check',
      on: ON,
      must: `check (not "isMain" or "photoState" is distinct from 'STAGED_PICTURE')`,
    },
  ];

  override up(): void {
    for (const statement of [...FINGERPRINTS, ...CHECKS, ...BEGIN, ...STATE, ...CONSEQUENCES])
      this.addSql(statement);
  }
}

const FINGERPRINTS = [
  `create table staged_fingerprints (
     "stagedImageId" uuid primary key,
     "propertyId" uuid not null,
     "aiJobId" uuid,
     "stagedKey" text,
     "originalKey" text,
     "createdAt" timestamptz not null,
     "isQuestion" boolean not null,
     "nextTryAt" timestamptz default clock_timestamp(),
     tries smallint not null default 0,
     claim uuid,
     "madeAt" timestamptz,
     algorithm smallint,
     pictures bytea,
     margins smallint[],
     "givenUp" text,
     constraint staged_fingerprints_given_up_check check ("givenUp" in ('OBJECT_MISSING', 'UNREADABLE', 'TRIES')),
     constraint staged_fingerprints_made_check check (case
       when "madeAt" is not null then num_nonnulls(algorithm, pictures, margins) = 3
         and num_nonnulls("nextTryAt", "givenUp", "stagedKey", "originalKey") = 0
       when "givenUp" is not null then num_nonnulls(algorithm, pictures, margins, "nextTryAt") = 0
       else num_nonnulls(algorithm, pictures, margins) = 0 and "nextTryAt" is not null end)
   )`,
  `create index staged_fingerprints_due_idx on staged_fingerprints ("createdAt") where "nextTryAt" is not null`,
  `create index staged_fingerprints_property_idx on staged_fingerprints ("propertyId", "createdAt")`,
  `create table staged_fingerprint_keys (
     key integer not null,
     "stagedImageId" uuid not null references staged_fingerprints ("stagedImageId"),
     hash bigint not null,
     primary key (key, "stagedImageId") include (hash)
   )`,
  `create trigger staged_fingerprints_stay before delete on staged_fingerprints
   for each row execute function refuse_rewrite_of_history()`,
  `create trigger staged_fingerprints_keep_pictures before update on staged_fingerprints
   for each row when (old."madeAt" is not null) execute function refuse_rewrite_of_history()`,
];

/** What the pixels said, and what a person answered. */
const CHECKS = [
  `create table photo_checks (
     "imageId" uuid primary key references ${ON} (id) on delete cascade,
     "propertyId" uuid not null,
     "isOlder" boolean not null default false,
     "createdAt" timestamptz not null,
     "nextTryAt" timestamptz default clock_timestamp(),
     tries smallint not null default 0,
     claim uuid,
     "checkedAt" timestamptz,
     verdict text,
     "nearestId" uuid,
     "likeStaged" real,
     "likePhoto" real,
     "isQuestion" boolean not null default false,
     answer text,
     "answeredBy" text,
     "answeredAt" timestamptz,
     "answeredByUserId" uuid,
     constraint photo_checks_verdict_check check (verdict in ('PHOTO', 'STAGED_PICTURE')),
     constraint photo_checks_open_check check (num_nonnulls(verdict, "nextTryAt") > 0
       and (verdict is null) = ("checkedAt" is null)),
     constraint photo_checks_found_check check (verdict is distinct from 'STAGED_PICTURE' or "nearestId" is not null),
     constraint photo_checks_answer_check check (case when answer is null
       then num_nonnulls("answeredBy", "answeredAt", "answeredByUserId") = 0
       else verdict = 'STAGED_PICTURE' and "answeredAt" is not null and (
         "answeredBy" = 'OPERATOR' and answer in ('PHOTO', 'STAGED_PICTURE')
         or "answeredBy" = 'AGENT' and answer = 'PHOTO' and "isQuestion" and "answeredByUserId" is not null) end)
   )`,
  `create index photo_checks_due_idx on photo_checks ("isOlder", "nextTryAt") where "nextTryAt" is not null`,
  `create index photo_checks_property_idx on photo_checks ("propertyId")`,
  `create index photo_checks_found_idx on photo_checks ("checkedAt") where verdict = 'STAGED_PICTURE'`,
];

/**
 * Times are those of the database: a photo waits for the pictures that were there before it. Where the picture may show
 * less than its photo, a true photo can look like it.
 */
const BEGIN = [
  `create function property_images_begin_fingerprint() returns trigger language plpgsql as $function$
   begin
     insert into staged_fingerprints ("stagedImageId", "propertyId", "aiJobId", "stagedKey", "originalKey", "createdAt",
       "isQuestion")
     select new.id, new."propertyId", new."aiJobId", new."objectKey", o."objectKey", clock_timestamp(),
       new.style is not distinct from 'no-furniture' or 'FURNISHED' = any (p.features)
     from ${ON} o join properties p on p.id = new."propertyId" where o.id = new."styledFromId"
     on conflict do nothing;
     return null;
   end $function$`,
  `create trigger property_images_begin_fingerprint after insert on ${ON}
   for each row when (new."isStyled") execute function property_images_begin_fingerprint()`,
  `create function property_images_begin_check() returns trigger language plpgsql as $function$
   begin
     insert into photo_checks ("imageId", "propertyId", "createdAt") values (new.id, new."propertyId", clock_timestamp());
     return null;
   end $function$`,
  `create trigger property_images_begin_check after insert on ${ON}
   for each row when (not new."isStyled") execute function property_images_begin_check()`,
];

/** The only rule of what a photo is shown as. Older photos are not hidden before an operator says so. */
const STATE = [
  `create function photo_state(of photo_checks) returns text language sql immutable as $function$
     select case
       when of.verdict is null then case when of."isOlder" then null else 'WAITING' end
       when of.verdict = 'PHOTO' then 'PHOTO'
       when of.answer is not null then of.answer
       when of."isOlder" then 'SUSPECT'
       when of."isQuestion" then 'QUESTION'
       else 'STAGED_PICTURE' end
   $function$`,
  `create function property_images_wait_for_check() returns trigger language plpgsql as $function$
   begin
     new."photoState" := case when new."isStyled" then null else 'WAITING' end;
     return new;
   end $function$`,
  `create trigger property_images_wait_for_check before insert on ${ON}
   for each row execute function property_images_wait_for_check()`,
  `create function photo_checks_set_state() returns trigger language plpgsql as $function$
   begin
     update ${ON} set "photoState" = photo_state(new)
     where id = new."imageId" and "photoState" is distinct from photo_state(new);
     return null;
   end $function$`,
  `create trigger photo_checks_set_state after insert or update on photo_checks
   for each row execute function photo_checks_set_state()`,
  `create function property_images_state_follows() returns trigger language plpgsql as $function$
   begin
     if new."photoState" is distinct from (select photo_state(c) from photo_checks c where c."imageId" = new.id) then
       raise exception 'what photo % is shown as follows from its check', new.id
         using errcode = 'check_violation', table = '${ON}', constraint = 'property_images_state_follows';
     end if;
     return null;
   end $function$`,
  `create trigger property_images_state_follows after update on ${ON} for each row
   when (old."photoState" is distinct from new."photoState") execute function property_images_state_follows()`,
];

/** As \`isShownPhoto\` (persistence/database/listing-visibility.ts). */
const shown = (image: string): string => `(coalesce(${image}."photoState", 'PHOTO') in ('PHOTO', 'SUSPECT'))`;

/** A photo that appears or disappears changes cards and pages. A refused one is no cover, and nothing is staged of it. */
const CONSEQUENCES = [
  `create trigger property_images_state_marks_search_dirty after update on ${ON} for each row
   when (${shown('old')} <> ${shown('new')}) execute function property_images_mark_search_dirty()`,
  `create trigger property_images_state_purge after update on ${ON} for each row
   when (${shown('old')} and not ${shown('new')}) execute function request_cache_purge()`,
  `create trigger property_images_refused_leaves_cover before update on ${ON} for each row
   when (old."isMain" and new."photoState" = 'STAGED_PICTURE')
   execute function property_images_altered_leaves_cover()`,
  `create or replace function property_images_pass_on_cover() returns trigger language plpgsql as $function$
   begin
     update ${ON} set "isMain" = true
     where id = (select id from ${ON} where "propertyId" = old."propertyId" and not "isStyled" and alteration is null
                   and "photoState" is distinct from 'STAGED_PICTURE' order by position, "createdAt", id limit 1)
       and not exists (select from ${ON} where "propertyId" = old."propertyId" and "isMain");
     return null;
   end $function$`,
  `create trigger property_images_refused_passes_on_cover after update on ${ON} for each row
   when (old."isMain" and new."photoState" = 'STAGED_PICTURE') execute function property_images_pass_on_cover()`,
  `create trigger property_images_refused_cancels_jobs after update on ${ON} for each row
   when (old."photoState" is distinct from new."photoState" and new."photoState" = 'STAGED_PICTURE')
   execute function property_images_cancel_jobs()`,
];
