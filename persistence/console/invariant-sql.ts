import { REPORTS_THAT_WITHDRAW } from '../../machines/limits.ts';
import {
  ACTIVE_JOB_STATUSES,
  FINAL_ATTEMPT_STATUSES,
  HOLDING_TOUR_STATUSES,
  OPEN_TOUR_STATUSES,
} from '../../machines/vocabulary.ts';
import { KIND_OF_JOB } from '../actors/rows/job-row.ts';
import { isShownPhoto, isShownVariant } from '../database/listing-visibility.ts';
import { oneOf } from '../database/sql-values.ts';

/**
 * Invariants as SQL for `ops/invariants/`: one text column, one row per violation. The queries have no parameters and
 * run in a read-only transaction (`invariant-queries.ts`), so they cannot write.
 */

const ACTIVE = oneOf(ACTIVE_JOB_STATUSES);
const OPEN_TOUR = oneOf(OPEN_TOUR_STATUSES);

/** I13. The journal's epochs never go back and never exceed the job's; a lease has an owner and an expiry. */
export const LEASES_OUT_OF_ORDER = `
  select format('%s %s has epoch %s after %s', "actorKind", "actorId", "leaseEpoch", before) from (
    select "actorKind", "actorId", "leaseEpoch",
      max("leaseEpoch") over (partition by "actorKind", "actorId" order by seq
        rows between unbounded preceding and 1 preceding) as before
    from actor_transitions) epochs
  where "leaseEpoch" < before
  union all
  select format('%s %s was moved under epoch %s, the latest lease is %s', known.kind, known.id, t.epoch, known."leaseEpoch")
  from (
    select ${KIND_OF_JOB} as kind, id, "leaseEpoch" from ai_jobs
    union all select 'providerAttempt', a.id, j."leaseEpoch" from ai_provider_attempts a join ai_jobs j on j.id = a."aiJobId"
  ) known join (
    select "actorKind", "actorId", max("leaseEpoch") as epoch from actor_transitions group by "actorKind", "actorId"
  ) t on t."actorKind" = known.kind and t."actorId" = known.id
  where t.epoch > known."leaseEpoch"
  union all
  select format('job %s has half a lease: %s until %s', id, coalesce("leaseOwner", 'nobody'),
    coalesce("leaseExpiresAt"::text, 'ever'))
  from ai_jobs where ("leaseOwner" is null) <> ("leaseExpiresAt" is null)`;

/**
 * I15. The dispatcher or the rescuer finds every open job, and a runner then has something to do for it. This query
 * returns the open jobs for which that is false.
 */
export const JOBS_THAT_NOTHING_WAKES = `
  select format('nothing wakes job %s, which is %s', j.id, concat_ws('.', j.status, j.phase)) from ai_jobs j
  where j.status in ${ACTIVE} and j."quarantinedAt" is null and not (
    exists (select from ai_room_staging_jobs s where s."aiJobId" = j.id
      union all select from ai_description_jobs d where d."aiJobId" = j.id)
    and case j.status
      when 'RETRYING' then j."retryAt" is not null
      when 'PROCESSING' then exists (select from ai_provider_attempts a where a."aiJobId" = j.id
        and a.status not in ${oneOf(FINAL_ATTEMPT_STATUSES)})
      else true end)`;

/** Callbacks from before this may have lost their receipt or their journal row to retention. */
const CALLBACKS_KEPT_SINCE = `(select max(before) from retention_cuts where what in ('receipts', 'journal'))`;

/** I23. A receipt and the change it caused commit together, so their numbers are equal. */
export const WEBHOOKS_APPLIED_TWICE = `
  select format('webhook %s was received twice', "webhookId") from ai_provider_webhook_receipts
  group by "webhookId" having count(*) > 1
  union all
  select format('attempt %s was changed by %s callbacks, and %s were received', coalesce(t.id, r.id),
    coalesce(t.changes, 0), coalesce(r.receipts, 0))
  from (
    select "actorId" as id, count(*) as changes from actor_transitions
    where "actorKind" = 'providerAttempt' and "eventType" = 'CALLBACK_RECEIVED' and "actedBy" = 'provider'
      and at >= ${CALLBACKS_KEPT_SINCE}
    group by "actorId") t
  full join (
    select "providerAttemptId" as id, count(*) as receipts from ai_provider_webhook_receipts
    where outcome = 'APPLIED' and "receivedAt" >= ${CALLBACKS_KEPT_SINCE} group by "providerAttemptId") r on r.id = t.id
  where t.changes is distinct from r.receipts`;

/** I26, with the thresholds of the alerts. The queries below list the jobs that a person or the switch must move. */
export const silentJobs = (limits: { pendingMs: number; activeMs: number; retryingMs: number }): string => `
  select format('job %s is %s and has been silent for %s seconds', id, status,
    floor(extract(epoch from now() - since))) from (
    select id, status::text, case when status = 'PENDING' then "createdAt"
      else coalesce("heartbeatAt", "createdAt") end as since
    from ai_jobs where status in ${ACTIVE} and "quarantinedAt" is null and phase is distinct from 'PROVIDER_DISABLED'
  ) silent
  where since < now() - case status when 'PENDING' then interval '${limits.pendingMs} milliseconds'
    when 'RETRYING' then interval '${limits.retryingMs} milliseconds'
    else interval '${limits.activeMs} milliseconds' end`;

export const TOURS_OPEN_TWICE = `
  select format('customer %s has %s open tours of listing %s', "customerId", count(*), "propertyId") from tours
  where status in ${OPEN_TOUR} group by "customerId", "propertyId" having count(*) > 1`;

export const HELD_SLOTS_THAT_OVERLAP = `
  select format('agent %s is held by tours %s and %s at once', a."agentId", a.id, b.id)
  from tours a join tours b on b."agentId" = a."agentId" and b.id > a.id
    and tstzrange(b."heldStartsAt", b."heldEndsAt") && tstzrange(a."heldStartsAt", a."heldEndsAt")
  where a."heldStartsAt" is not null and b."heldStartsAt" is not null
    and a.status in ${oneOf(HOLDING_TOUR_STATUSES)} and b.status in ${oneOf(HOLDING_TOUR_STATUSES)}`;

/** I36. Groups never change, so what holds at the submission holds as long as group and photo are there. */
export const JOBS_OUTSIDE_THEIR_GROUP = `
  select format('job %s is not of a photo, room type and style of group %s', s."aiJobId", g.id)
  from ai_room_staging_jobs s join room_groups g on g.id = s."groupId"
    join property_images o on o.id = s."originalImageId"
  where (s."canonicalRoomType", s."canonicalStyle") is distinct from (g."roomType", g.style)
    or not exists (select from room_group_photos f where f."groupId" = g.id and f."imageId" = o.id)
  union all
  select format('picture %s is no original of the listing of group %s', i.id, g.id)
  from room_group_photos f join room_groups g on g.id = f."groupId" join property_images i on i.id = f."imageId"
  where i."isStyled" or i."propertyId" <> g."propertyId"
  union all
  select format('group %s has no photo', g.id) from room_groups g
  where not exists (select from room_group_photos f where f."groupId" = g.id)`;

/** I37. The first journal row of a job is not older than its submission. A picture that is gone shows nothing. */
export const WRONG_REFERENCES = `
  select format('job %s was sent with picture %s, which %s', s."aiJobId", i.id, wrong.why)
  from ai_room_staging_jobs s join property_images i on i."objectKey" = s."referenceImageKey"
  cross join lateral (select case
    when i."reviewStatus" is distinct from 'APPROVED' then 'is not approved'
    when not exists (select from ai_room_staging_jobs r where r."aiJobId" = i."aiJobId" and r."groupId" = s."groupId")
      then 'is not of its group'
    when (select min(id) from actor_transitions where "actorKind" = 'stagingJob' and "actorId" = s."aiJobId")
      < (select min(id) from actor_transitions
        where "actorKind" = 'imageReview' and "actorId" = i.id and "eventType" = 'APPROVE')
      then 'was approved later' end as why) wrong
  where s."referenceImageKey" is not null and wrong.why is not null`;

/** A constraint of the database checks the tombstone's own columns. */
export const TOMBSTONES_REFERRED_TO = `
  select format('%s refers to the deleted account %s', what, person) from (
    select 'a session' as what, "userId" as person from session
    union all select 'a linked account', "userId" from account
    union all select 'a saved home', "userId" from favorites
    union all select 'avatar ' || id, "userId" from avatars
    union all select 'an assignment to listing ' || "propertyId", "agentId" from property_agents
    union all select 'open offer ' || o.id, p.person from listing_offers o,
      lateral (values (o."fromAgentId"), (o."toAgentId")) p (person) where o.status = 'OPEN'
    union all select 'listing ' || id, "ownerAgentId" from properties
      where "standardStatus" not in ('Withdrawn', 'Closed', 'Delete')
    union all select 'open tour ' || t.id, p.person from tours t,
      lateral (values (t."customerId"), (t."agentId"), (t."proposedById")) p (person)
      where t.status in ${OPEN_TOUR}
  ) kept
  where person in (select id from "user" where email is null)`;

/**
 * I50. An assignment from before there were offers has no instant. An agent whom the new owner kept has offered the
 * ownership. A trigger checks a new owner at the moment of the change.
 */
export const AGENTS_WITHOUT_CONSENT = `
  select format('agent %s was assigned to listing %s without an answer', a."agentId", a."propertyId")
  from property_agents a where a."assignedAt" is not null and not exists (
    select from listing_offers o where o."propertyId" = a."propertyId" and o.status = 'ACCEPTED'
      and o."endedAt" = a."assignedAt"
      and a."agentId" = case o.kind when 'ASSIGNMENT' then o."toAgentId" else o."fromAgentId" end)
  union all
  select format('listing %s belongs to agent %s, and agent %s accepted it last', p.id, p."ownerAgentId", o."toAgentId")
  from properties p cross join lateral (
    select "toAgentId" from listing_offers
    where "propertyId" = p.id and kind = 'OWNERSHIP' and status = 'ACCEPTED'
    order by "endedAt" desc limit 1) o
  where o."toAgentId" <> p."ownerAgentId"`;

/** I46. A job that is being canceled may still be open. */
export const ALTERED_PHOTOS_IN_USE = `
  select format('photo %s was altered and is the cover', id) from property_images
  where alteration is not null and "isMain"
  union all
  select format('photo %s was altered and has the open job %s', o.id, j.id)
  from property_images o join ai_room_staging_jobs s on s."originalImageId" = o.id join ai_jobs j on j.id = s."aiJobId"
  where o.alteration is not null and j.status in ${ACTIVE} and j.status <> 'CANCEL_REQUESTED'
  union all
  select format('photo %s was altered and picture %s of it is shown', o.id, v.id)
  from property_images o join property_images v on v."styledFromId" = o.id
  where o.alteration is not null and ${isShownVariant('v')}`;

/** I51. A kept hash shows a rewritten record; what is broken here would make every such check fail. */
export const BROKEN_LOG = `
  select format('entry %s of the provenance log does not name the head before it', e.number)
  from provenance_log e left join provenance_log before on before.number = e.number - 1
  where e.previous is distinct from before.head
  union all
  select format('entry %s of the provenance log is for %s records and holds %s', e.number, e.records, held.leaves)
  from provenance_log e cross join lateral (
    select count(*) as leaves, coalesce(max(position) + 1, 0) as places
    from provenance_log_leaves l where l.entry = e.number) held
  where held.leaves <> e.records or held.places <> e.records`;

/** I52. An alert names the last event of each home; an earlier one was in it, or in an alert before. */
export const EVENTS_TOLD_TWICE = `
  select format('event %s of home %s is in %s alerts %s', i."eventId", i."propertyId", count(*),
    coalesce('of search ' || a."searchId", 'of saved homes of person ' || a."userId"))
  from alerts a cross join lateral jsonb_to_recordset(a.items) as i ("eventId" text, "propertyId" text)
  group by a."userId", a."searchId", i."eventId", i."propertyId" having count(*) > 1
  union all
  select format('match of search %s, home %s and event %s names alert %s of another search', m."searchId", m."propertyId",
    m."eventId", m."alertId")
  from search_matches m join alerts a on a.id = m."alertId" where a."searchId" is distinct from m."searchId"`;

/** I53. Of five minutes, or fifteen for prices, two and ten are the waiting time that the match names itself. */
export const ALERTS_OVERDUE = `
  select format('home %s has waited for an alert of search %s since %s', "propertyId", "searchId", "createdAt")
  from search_matches where "alertId" is null and "dueAt" < now() - interval '3 minutes'
  union all
  select format('home %s has waited for an alert of person %s since %s', "propertyId", "userId", "createdAt")
  from favorite_matches where "alertId" is null and "dueAt" < now() - interval '3 minutes'`;

/** I42. A photo from before there were checks is shown until an operator has decided. */
export const PHOTOS_AGAINST_THEIR_CHECK = `
  select case when c."imageId" is null then format('photo %s has no check', i.id)
    else format('photo %s is %s, and its check says %s', i.id, coalesce(i."photoState", 'shown'),
      concat_ws(' ', coalesce(c.verdict, 'nothing yet'), c.answer)) end
  from property_images i left join photo_checks c on c."imageId" = i.id
  where not i."isStyled" and (c."imageId" is null or i."photoState" is distinct from photo_state(c)
    or ${isShownPhoto('i')} and not c."isOlder" and coalesce(c.answer, c.verdict, 'none') <> 'PHOTO')`;

/** T4. Only pictures that the public may have seen have reports. */
export const REPORTED_BUT_SHOWN = `
  select format('picture %s has %s open reports and is %s', i.id, count(*),
    coalesce('withdrawn by ' || i."withdrawnBy", 'not withdrawn'))
  from mismatch_reports r join property_images i on i.id = r."stagedImageId"
  where r.status = 'OPEN' and coalesce(i."withdrawnBy", 'AGENT') = 'AGENT'
  group by i.id having count(*) >= ${REPORTS_THAT_WITHDRAW}`;

/** T5. */
export const REPORTS_OF_NO_PICTURE = `
  select format('open report %s is about picture %s, which %s', r.id, r."stagedImageId",
    case when i.id is null then 'is gone' else 'was never public' end)
  from mismatch_reports r left join property_images i on i.id = r."stagedImageId"
  where r.status = 'OPEN' and i."reviewStatus" is distinct from 'APPROVED'`;

/** Not violations: jobs that an operator must move. */
export const QUARANTINED_JOBS = `
  select format('job %s is %s, quarantined since %s', id, status,
    to_char("quarantinedAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  from ai_jobs where "quarantinedAt" is not null and status in ${ACTIVE}`;
export const FAILED_DELETIONS = `
  select format('deletion %s of %s has failed: %s', id, "objectKey", coalesce("errorClass", 'unknown'))
  from storage_deletion_outbox where status = 'FAILED'`;
export const JOBS_SWITCHED_OFF = `
  select format('job %s is PENDING.PROVIDER_DISABLED', id) from ai_jobs where phase = 'PROVIDER_DISABLED'`;

/**
 * I49. A number is ahead of the turn that gives numbers, or a resource has a later number at an earlier time. For people
 * who follow the feed by either, that is a change that they never see.
 */
export const CHANGES_OUT_OF_ORDER = `
  select format('%s %s has number %s, beyond the last one', r.resource, r.key, r.seq)
  from published_records r, listing_change_cursor c where r.seq > c."lastSeq" or r."modifiedAt" > c."lastAt"
  union all
  select format('%s %s has a later number at an earlier time than the one before', resource, key) from (
    select resource, key, "modifiedAt" <= lag("modifiedAt") over (partition by resource order by seq) as "isEarlier"
    from published_records) r
  where "isEarlier"
  union all
  select format('%s %s changed and has had no number for %s seconds', resource, key,
    floor(extract(epoch from clock_timestamp() - "notedAt")))
  from listing_changes where "isUrgent" and "notedAt" < clock_timestamp() - interval '60 seconds'`;
