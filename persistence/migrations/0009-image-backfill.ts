import { slugOf } from './0009-legacy-catalogue.ts';

/**
 * The image half of 0009, in the order of execution. First every row to remove is listed with its reason; each rule
 * considers only the rows that the rules before it left. Then audit and deletions are written, then the rows are
 * removed. "Best" is always the newest, and among equals the greatest id, so that two runs agree.
 */

// Originals have neither a job nor an original.
const CLEAN_ORIGINALS = `
  update property_images set "styledFromId" = null, "aiJobId" = null
  where not "isStyled" and ("styledFromId" is not null or "aiJobId" is not null)`;

// Unknown names and no-furniture have no row in legacy_styles and stay without a canonical style.
const CANONICAL_STYLES = `
  update property_images i set "canonicalStyle" = l.canonical
  from legacy_styles l
  where i."isStyled" and l.slug = ${slugOf('i.style')}`;

// The listings that will lose their cover because it is a staged picture.
const LOST_COVERS = `
  create temporary table lost_covers on commit drop as
  select distinct "propertyId" from property_images where "isStyled" and "isMain"`;

// Orphans: staged rows whose original is gone, is itself staged, or belongs to another listing.
const ORPHANS = `
  create temporary table removals ("imageId" uuid primary key, reason storage_deletion_reason not null) on commit drop;
  insert into removals
  select s.id, 'MIGRATED_ORPHAN' from property_images s
  where s."isStyled" and not exists (
    select from property_images o
    where o.id = s."styledFromId" and not o."isStyled" and o."propertyId" = s."propertyId")`;

// Rows with the same file are the same picture: the original keeps it, else the best staged row.
const SAME_FILE = `
  insert into removals
  select id, 'MIGRATED_DUPLICATE' from (
    select i.id, row_number() over (
      partition by i."objectKey" order by i."isStyled", i."createdAt" desc, i.id desc) as rank
    from property_images i where not exists (select from removals r where r."imageId" = i.id)
  ) ranked where rank > 1`;

/** Lists all but the best staged row of every group of equals. */
const duplicates = (rule: { reason: string; per: string; among: string }): string => `
  insert into removals
  select id, '${rule.reason}' from (
    select i.id, row_number() over (
      partition by ${rule.per} order by i."createdAt" desc, i.id desc) as rank
    from property_images i
    where i."isStyled" and ${rule.among} and not exists (select from removals r where r."imageId" = i.id)
  ) ranked where rank > 1`;

const DUPLICATES = [
  duplicates({
    reason: 'MIGRATED_DUPLICATE',
    per: 'i."styledFromId", i."canonicalStyle"',
    among: 'i."canonicalStyle" is not null',
  }),
  duplicates({
    reason: 'MIGRATED_DUPLICATE_LEGACY',
    per: 'i."styledFromId", i.style',
    among: 'i."canonicalStyle" is null',
  }),
  duplicates({
    reason: 'MIGRATED_DUPLICATE_JOB_RESULT',
    per: 'i."aiJobId"',
    among: 'i."aiJobId" is not null',
  }),
];

const REMOVED_AUDIT = `
  insert into property_image_review_events
    (kind, "imageId", "propertyId", "styledFromId", "canonicalStyle", "aiJobId", "objectKey", reason, at)
  select 'REJECTED', i.id, i."propertyId", i."styledFromId", i."canonicalStyle", i."aiJobId", i."objectKey",
    r.reason::text, now()
  from removals r join property_images i on i.id = r."imageId"`;

// One deletion per file, and none for a file that a remaining row still shows.
const REMOVED_FILES = `
  insert into storage_deletion_outbox ("objectKey", reason)
  select distinct on (i."objectKey") i."objectKey", r.reason
  from removals r join property_images i on i.id = r."imageId"
  where not exists (
    select from property_images kept
    where kept."objectKey" = i."objectKey" and not exists (select from removals k where k."imageId" = kept.id))
  order by i."objectKey", r.reason`;

const REMOVE_ROWS = `delete from property_images i using removals r where i.id = r."imageId"`;

// A staged picture is never the cover; of several covers the first photo stays; a lost cover is replaced.
const COVERS = `
  update property_images set "isMain" = false where "isStyled" and "isMain";
  update property_images i set "isMain" = false
  from (select id, row_number() over (partition by "propertyId" order by position, "createdAt", id) as rank
        from property_images where "isMain") ranked
  where ranked.id = i.id and ranked.rank > 1;
  update property_images i set "isMain" = true
  from (select distinct on (o."propertyId") o.id
        from property_images o join lost_covers l on l."propertyId" = o."propertyId"
        where not o."isStyled" and not exists (
          select from property_images c where c."propertyId" = o."propertyId" and c."isMain")
        order by o."propertyId", o.position, o."createdAt", o.id) first
  where first.id = i.id`;

// Legacy variants were public already, so they count as approved: without an operator, at the time of their creation.
const APPROVE_KEPT = `
  update property_images
  set "reviewStatus" = 'APPROVED', "reviewedAt" = "createdAt", version = 1
  where "isStyled";
  insert into property_image_review_events
    (kind, "imageId", "propertyId", "styledFromId", "canonicalStyle", "aiJobId", "objectKey", reason, at)
  select 'APPROVED', id, "propertyId", "styledFromId", "canonicalStyle", "aiJobId", "objectKey", 'MIGRATED', "createdAt"
  from property_images where "isStyled";
  insert into actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
  select 'imageReview', id, 1, 'MIGRATED',
    jsonb_build_object('type', 'MIGRATED', 'at', floor(extract(epoch from now()) * 1000)::bigint),
    null, 'APPROVED', now(), 'migration'
  from property_images where "isStyled"`;

export const IMAGE_BACKFILL: readonly string[] = [
  CLEAN_ORIGINALS,
  CANONICAL_STYLES,
  LOST_COVERS,
  ORPHANS,
  SAME_FILE,
  ...DUPLICATES,
  REMOVED_AUDIT,
  REMOVED_FILES,
  REMOVE_ROWS,
  COVERS,
  APPROVE_KEPT,
];
