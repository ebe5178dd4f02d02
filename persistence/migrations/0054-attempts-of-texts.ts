import { OnlineMigration } from './online-migration.ts';

const HOLD = `interval '30 seconds'`;
const OPEN = `o.status = 'PROCESSING'`;
const millis = (instant: string) => `floor(extract(epoch from ${instant}) * 1000)::bigint`;

/** The same as in `machines/failure-classes.ts`. */
const CATEGORY = `
  case when "errorCode" is null then null
    when "errorCode" in ('PROVIDER_UNREACHABLE', 'PROVIDER_THROTTLED') then 'notBought'
    when "errorCode" in ('PROVIDER_FAILED', 'PROVIDER_CANCELED', 'PREDICTION_UNCONFIRMED', 'OUTPUT_UNAVAILABLE')
      then 'retryable'
    else 'permanent' end`;
const JOB_CONTEXT = `
  jsonb_build_object('attemptsAllowed', 1, 'attemptCount', 1,
    'errorCode', case when ${OPEN} then null else o."errorCode" end, 'retryAt', null,
    'startedAt', ${millis('o."startedAt"')}, 'finishedAt', ${millis('o."finishedAt"')},
    'cancelRequestedAt', ${millis('o."cancelRequestedAt"')}, 'canceledAt', ${millis('o."canceledAt"')},
    'resultImageId', null, 'crashCount', o."crashCount", 'crashMark', null, 'queueWaitMs', o."queueWaitMs")`;
const ATTEMPT_CONTEXT = `
  jsonb_build_object('attemptNumber', 1, 'providerPredictionId', o."providerPredictionId",
    'strayPredictionId', o."strayPredictionId", 'providerStatus', o."providerStatus", 'errorCode', o."errorCode",
    'sendTries', o."sendTries", 'throttledSends', o."throttledSends", 'nextSendAt', ${millis('o."nextSendAt"')},
    'sentAt', ${millis('o."sentAt"')}, 'unconfirmedSince', ${millis('o."unconfirmedSince"')},
    'unconfirmedCause', o."unconfirmedCause", 'goneSince', ${millis('o."goneSince"')},
    'notListedAt', ${millis('o."notListedAt"')}, 'cancelAsked', false, 'nextPollAt', null, 'objectKey', null,
    'downloadTries', 0, 'storageFailingSince', null, 'downloadBytes', null, 'outputWidth', null, 'outputHeight', null,
    'outputFormat', null, 'outputChecksum', null, 'finishedAt', ${millis('o."finishedAt"')})`;

const ATTEMPTS_OF_TEXTS = `
  with old as materialized (
    select j.id, gen_random_uuid() as "attemptId", j.status, j.version, j."errorCode", j."startedAt", j."updatedAt",
      j."finishedAt", coalesce(j."cancelRequestedAt", j."canceledAt") as "cancelRequestedAt", j."canceledAt",
      j."crashCount", j."queueWaitMs", d."sendTries", d."throttledSends", d."nextSendAt", d."sentAt",
      d."unconfirmedSince", d."unconfirmedCause", d."goneSince", d."notListedAt", d."providerPredictionId",
      d."strayPredictionId", d."providerStatus",
      case j.status when 'PROCESSING' then d."sendState" when 'SUCCESS' then 'SUCCEEDED' when 'CANCELED' then 'CANCELED'
        else case j."errorCode" when 'PREDICTION_UNCONFIRMED' then 'LOST' else 'FAILED' end end as "attemptStatus",
      case j.status when 'PROCESSING' then date_trunc('milliseconds', now()) else (
        select max(t.at) from actor_transitions t where t."actorKind" = 'descriptionJob' and t."actorId" = j.id
      ) end as "journalAt"
    from ai_jobs j join ai_description_jobs d on d."aiJobId" = j.id
    where j.type = 'DESCRIPTION' and j."startedAt" is not null
      and (d."sendState" is not null or j.status in ('SUCCESS', 'FAILED', 'CANCELED'))
      and not exists (select from ai_provider_attempts a where a."aiJobId" = j.id)
    order by j.id limit $1 for update of j
  ), attempts as (
    insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId", "strayPredictionId",
      "providerStatus", "errorCode", "errorCategory", "sendTries", "throttledSends", "nextSendAt", "sentAt",
      "unconfirmedSince", "unconfirmedCause", "goneSince", "notListedAt", "createdAt", "updatedAt", "finishedAt", version)
    select "attemptId", id, 1, "attemptStatus"::ai_provider_attempt_status, "providerPredictionId", "strayPredictionId",
      "providerStatus", "errorCode", ${CATEGORY}, "sendTries", "throttledSends", "nextSendAt", "sentAt",
      "unconfirmedSince", "unconfirmedCause", "goneSince", "notListedAt", "startedAt", "updatedAt", "finishedAt",
      ("journalAt" is not null)::int
    from old o
  ), journal as (
    insert into actor_transitions
      ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
    select kind, id, seq, 'MIGRATED',
      jsonb_build_object('type', 'MIGRATED', 'at', ${millis('at')}, 'context', context), null, state, at, 'migration'
    from (
      select 'descriptionJob' as kind, id, version + 1 as seq, "journalAt" as at, ${JOB_CONTEXT} as context,
        case when ${OPEN} then 'PROCESSING.ATTEMPT' else status::text end as state
      from old o where "journalAt" is not null
      union all
      select 'providerAttempt', "attemptId", 1, "journalAt", ${ATTEMPT_CONTEXT}, "attemptStatus"
      from old o where "journalAt" is not null
    ) rows order by kind
  ), purchases as (
    update ai_description_jobs d set "sendState" = null from old o where d."aiJobId" = o.id and ${OPEN}
  )
  update ai_jobs j set version = j.version + (o."journalAt" is not null)::int,
    "cancelRequestedAt" = o."cancelRequestedAt",
    "errorCode" = case when ${OPEN} then null else j."errorCode" end,
    "localPass" = case when ${OPEN} then null else j."localPass" end,
    "leaseOwner" = case when ${OPEN} then 'migration' end,
    "leaseEpoch" = case when ${OPEN} then j."leaseEpoch" + 1 else j."leaseEpoch" end,
    "leaseExpiresAt" = case when ${OPEN} then now() + ${HOLD} end,
    "heartbeatAt" = case when ${OPEN} then now() else j."heartbeatAt" end
  from old o where j.id = o.id`;

/**
 * Gives every started description job the attempt of its purchase. Jobs under way continue; they are held for half a
 * minute, until the workers of the previous release are gone. Jobs that are over keep their result and their times.
 * Where an actor has a journal, a new row in it states where the actor is now. The machine that wrote the earlier rows
 * no longer exists. The new row has the time of the last earlier row, so that the journal is not kept longer.
 */
export class AttemptsOfTexts extends OnlineMigration {
  static override readonly online = [
    { backfill: ATTEMPTS_OF_TEXTS },
    // The machine does the same for a job that has bought nothing yet.
    {
      backfill: `
        update ai_jobs set "cancelRequestedAt" = "canceledAt" where id in (
          select id from ai_jobs where type = 'DESCRIPTION' and status = 'CANCELED' and "canceledAt" is not null
            and "cancelRequestedAt" is null limit $1)`,
    },
  ];
}
