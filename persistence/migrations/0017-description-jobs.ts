import { Migration } from '@mikro-orm/migrations';

/**
 * Description jobs (statecharts.md, last section): what was asked for, the one purchase of the text, and the text,
 * which is a draft that never reaches the listing by itself. One job that is not over per listing and language.
 */
export class DescriptionJobs extends Migration {
  override up(): void {
    this.addSql(TABLE);
    this.addSql(END_LEGACY_JOBS);
    this.addSql(ONE_ACTIVE_JOB);
    this.addSql(JOURNAL_KINDS);
  }
}

// `sendState` is the inner state of PROCESSING.ATTEMPT; null before and after.
const TABLE = `
  create table ai_description_jobs (
    "aiJobId" uuid primary key references ai_jobs (id) on delete cascade,
    locale text not null,
    facts jsonb not null,
    prompt text not null,
    "promptVersion" text not null,
    "providerModel" text not null,
    "sendState" text,
    "sendTries" integer not null default 0,
    "nextSendAt" timestamptz,
    "sentAt" timestamptz,
    "unconfirmedSince" timestamptz,
    "unconfirmedCause" text,
    "providerPredictionId" text unique,
    "strayPredictionId" text,
    "providerStatus" text,
    text text,
    "createdAt" timestamptz not null default now(),
    constraint ai_description_jobs_locale_check check (locale in ('en', 'es')),
    constraint "ai_description_jobs_sendState_check"
      check ("sendState" in ('RESERVED', 'SENT', 'UNCONFIRMED', 'RUNNING')),
    constraint ai_description_jobs_prediction_check
      check ("sendState" is distinct from 'RUNNING' or "providerPredictionId" is not null),
    constraint ai_description_jobs_unconfirmed_check check ("sendState" is distinct from 'UNCONFIRMED'
      or ("unconfirmedSince" is not null and "unconfirmedCause" is not null)),
    constraint "ai_description_jobs_unconfirmedCause_check" check ("unconfirmedCause" in ('transport', 'restart'))
  )`;

// The old release wrote its texts straight into the listing and its clients ask for no draft: one that still
// waited would be paid for and seen by nobody. Asking again costs the agent a tap.
const END_LEGACY_JOBS = `
  update ai_jobs set status = 'FAILED', phase = null, "errorCode" = 'MIGRATED_NOT_STARTED', "finishedAt" = now(),
    "updatedAt" = now()
  where type = 'DESCRIPTION' and status = 'PENDING'`;

const ONE_ACTIVE_JOB = `
  create unique index ai_jobs_active_description_dedupe_uidx on ai_jobs ("dedupeKey")
    where type = 'DESCRIPTION' and status in ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')`;

// Adds one kind to whatever the journal knows by now.
const JOURNAL_KINDS = `
  do $$
  declare kinds text;
  begin
    select string_agg(quote_literal(kind), ', ') into kinds from (
      select distinct (regexp_matches(pg_get_constraintdef(oid), '''([A-Za-z]+)''', 'g'))[1] as kind
      from pg_constraint where conname = 'actor_transitions_actorKind_check'
      union select 'descriptionJob') as known;
    alter table actor_transitions drop constraint "actor_transitions_actorKind_check";
    execute format('alter table actor_transitions add constraint "actor_transitions_actorKind_check"
      check ("actorKind" in (%s))', kinds);
  end $$`;
