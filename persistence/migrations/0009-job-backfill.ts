import { FROZEN_PROMPT_RULES, slugOf } from './0009-legacy-catalogue.ts';

/**
 * The job half of 0009, after the image half. A waiting staging job continues only if nothing prevents it (known style,
 * room and original, no live variant, first of its dedupe key); every other job becomes final.
 */

const UUID_PATTERN = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;
/** Used when the legacy row does not name its original. */
const NIL_UUID = `'00000000-0000-0000-0000-000000000000'::uuid`;

// An unknown type needs the decision of a person, so it has no default.
const KNOWN_TYPES = `
  update ai_jobs j set type = t.canonical
  from legacy_job_types t where t.slug = ${slugOf('j."legacyType"')};
  do $$
  declare unknown text;
  begin
    select string_agg(distinct "legacyType", ', ') into unknown from ai_jobs where type is null;
    if unknown is not null then
      raise exception 'ai_jobs holds legacy types that no v2 type stands for: %', unknown
        using hint = 'Remove or retype these rows, then run the migration again.';
    end if;
  end $$`;

// The data of the free-form payload about each staging job, in the terms of v2.
const READ_JOBS = `
  create temporary table read_jobs on commit drop as
  select j.id, j."createdAt", m.meaning, result.id as "resultImageId",
    coalesce(result."styledFromId", said.image) as "originalImageId",
    said.style, l.canonical as "canonicalStyle", l.modifier, room.canonical as "canonicalRoomType",
    null::ai_job_status as status, null::text as "errorCode", null::text as "dedupeKey"
  from ai_jobs j
  left join property_images result on result."aiJobId" = j.id and result."isStyled"
  cross join lateral (
    select case when image ~* ${UUID_PATTERN} then image::uuid end as image, style, room
    from (select
      coalesce(j."legacyPayload" ->> 'imageId', j."legacyPayload" ->> 'originalImageId') as image,
      coalesce(j."legacyPayload" ->> 'style', result.style) as style,
      coalesce(j."legacyPayload" ->> 'roomType', j."legacyPayload" ->> 'room') as room) as payload
  ) as said
  left join legacy_styles l on l.slug = ${slugOf('said.style')}
  left join legacy_rooms room on room.slug = ${slugOf('said.room')}
  left join legacy_job_statuses m on m.slug = ${slugOf('j."legacyStatus"')}
  where j.type = 'ROOM_STAGING';
  update read_jobs set "dedupeKey" = format('staging:%s:%s',
    coalesce("originalImageId", ${NIL_UUID}),
    coalesce("canonicalStyle"::text, 'legacy-' || ${slugOf(`coalesce(style, 'none')`)}))`;

// Finished jobs first; then, for an unfinished job, the first reason why it cannot continue.
const JUDGE_JOBS = `
  update read_jobs j set (status, "errorCode") = (
    select verdict.status::ai_job_status, verdict.code
    from (values
      (1, j.meaning in ('WAITING', 'ACTIVE') and j."resultImageId" is not null, 'SUCCESS', null),
      (2, j.meaning = 'SUCCESS', 'SUCCESS', null),
      (3, j.meaning = 'CANCELED', 'CANCELED', null),
      (4, j.meaning = 'FAILED', 'FAILED', 'LEGACY_FAILURE'),
      (5, j.meaning is null, 'FAILED', 'LEGACY_STATUS_UNKNOWN'),
      (6, j."canonicalStyle" is null, 'FAILED', 'UNKNOWN_STYLE'),
      (7, j."canonicalRoomType" is null, 'FAILED', 'UNKNOWN_ROOM_TYPE'),
      (8, not exists (select from property_images o
            where o.id = j."originalImageId" and not o."isStyled"), 'CANCELED', null),
      (9, exists (select from property_images v
            where v."styledFromId" = j."originalImageId" and v."canonicalStyle" = j."canonicalStyle"),
          'FAILED', 'VARIANT_EXISTS'),
      (10, true, 'PENDING', null)
    ) as verdict (rule, holds, status, code)
    where verdict.holds order by verdict.rule limit 1)`;

// Of several jobs with one key that could continue, one does: a waiting one before one in flight, then the oldest, then
// the least id.
const ONE_PER_KEY = `
  update read_jobs j set status = 'FAILED', "errorCode" = 'MIGRATED_DUPLICATE'
  from (select id, row_number() over (
          partition by "dedupeKey" order by meaning <> 'WAITING', "createdAt", id) as rank
        from read_jobs where status = 'PENDING') ranked
  where ranked.id = j.id and ranked.rank > 1;
  update read_jobs set status = 'FAILED', "errorCode" = 'MIGRATED_IN_FLIGHT'
  where status = 'PENDING' and meaning = 'ACTIVE'`;

const WRITE_JOBS = `
  update ai_jobs j set status = r.status, "errorCode" = r."errorCode", "dedupeKey" = r."dedupeKey", version = 1
  from read_jobs r where r.id = j.id`;

// Links are left out of the audit copy, because a signed link must not be stored (docs/contract.md#secrets).
const WRITE_STAGING_JOBS = `
  insert into ai_room_staging_jobs
    ("aiJobId", "originalImageId", "resultImageId", "canonicalRoomType", "canonicalStyle", "styleModifier",
     prompt, "promptVersion", "providerModel", quality, "aspectRatio", "outputFormat", "outputCompression",
     "submittedStyle", "legacyStyle", "legacyMetadata", "createdAt")
  select r.id, coalesce(r."originalImageId", ${NIL_UUID}), r."resultImageId", r."canonicalRoomType",
    r."canonicalStyle", r.modifier,
    case when waits then concat_ws(' ', '${FROZEN_PROMPT_RULES}', room.sentence,
      concat_ws('; ', style.sentence, r.modifier) || '.') else '' end,
    case when waits then 'room-staging-migrated' else 'legacy' end,
    case when waits then 'openai/gpt-image-2' else 'legacy' end,
    case when waits then 'medium' end, case when waits then '1:1' end,
    case when waits then 'jpeg' end, case when waits then 92 end,
    r.style, r.style,
    jsonb_build_object('type', j."legacyType", 'status', j."legacyStatus",
      'error', regexp_replace(j."legacyError", '[^[:space:]]+://[^[:space:]]+', '[link]', 'g'),
      'payload', coalesce(payload.kept, '{}')),
    j."createdAt"
  from read_jobs r
  join ai_jobs j on j.id = r.id
  cross join lateral (select r.status = 'PENDING' as waits) as w
  left join frozen_rooms room on room.canonical = r."canonicalRoomType"
  left join frozen_styles style on style.canonical = r."canonicalStyle"
  left join lateral (
    select jsonb_object_agg(key, value) as kept
    from jsonb_each(case when jsonb_typeof(j."legacyPayload") = 'object' then j."legacyPayload" else '{}' end)
    where not value::text like '%://%'
  ) as payload on true`;

// A description can be requested again: a job in flight ends, a waiting job still waits.
const WRITE_DESCRIPTION_JOBS = `
  update ai_jobs j set
    "dedupeKey" = format('description:%s:%s', coalesce(j."propertyId", j.id), coalesce(j."legacyPayload" ->> 'locale', 'en')),
    status = case coalesce(s.meaning, 'UNKNOWN')
      when 'WAITING' then 'PENDING' when 'SUCCESS' then 'SUCCESS' when 'CANCELED' then 'CANCELED' else 'FAILED'
    end::ai_job_status,
    "errorCode" = case coalesce(s.meaning, 'UNKNOWN')
      when 'ACTIVE' then 'MIGRATED_IN_FLIGHT' when 'FAILED' then 'LEGACY_FAILURE' when 'UNKNOWN' then 'LEGACY_STATUS_UNKNOWN'
    end
  from ai_jobs self left join legacy_job_statuses s on s.slug = ${slugOf('self."legacyStatus"')}
  where self.id = j.id and j.type = 'DESCRIPTION'`;

// Sets the instants that v2 expects of each status. A listing that is gone is no longer referred to.
const SETTLE_JOBS = `
  update ai_jobs set phase = 'QUEUED', "startedAt" = null, "finishedAt" = null where status = 'PENDING';
  update ai_jobs set "finishedAt" = coalesce("finishedAt", "updatedAt") where status <> 'PENDING';
  update ai_jobs set "cancelRequestedAt" = "finishedAt", "canceledAt" = "finishedAt" where status = 'CANCELED';
  update ai_jobs j set "propertyId" = null
  where "propertyId" is not null and not exists (select from properties p where p.id = j."propertyId")`;

// The journal starts here: version 1 is the migration itself.
const JOURNAL_JOBS = `
  insert into actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
  select 'stagingJob', id, 1, 'MIGRATED',
    jsonb_build_object('type', 'MIGRATED', 'at', floor(extract(epoch from now()) * 1000)::bigint),
    null, concat_ws('.', status, phase), now(), 'migration'
  from ai_jobs where type = 'ROOM_STAGING'`;

export const JOB_BACKFILL: readonly string[] = [
  KNOWN_TYPES,
  READ_JOBS,
  JUDGE_JOBS,
  ONE_PER_KEY,
  WRITE_JOBS,
  WRITE_STAGING_JOBS,
  WRITE_DESCRIPTION_JOBS,
  SETTLE_JOBS,
  JOURNAL_JOBS,
];
