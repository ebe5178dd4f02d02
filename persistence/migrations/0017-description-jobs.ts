import { OnlineMigration } from './online-migration.ts';

/**
 * Description jobs (docs/contract.md#descriptions): the request, the one purchase of the text, and the text. The text
 * is a draft and is never copied to the listing automatically. At most one open job per listing and language.
 */
export class DescriptionJobs extends OnlineMigration {
  // The old release wrote its texts straight into the listing, and its clients read no drafts. A text that was still
  // waiting would be paid for and never be seen, so its job ends. The agent can request it again.
  static override readonly online = [
    {
      backfill: `
        update ai_jobs set status = 'FAILED', phase = null, "errorCode" = 'MIGRATED_NOT_STARTED',
          "finishedAt" = now(), "updatedAt" = now()
        where id in (select id from ai_jobs where type = 'DESCRIPTION' and status = 'PENDING' limit $1)`,
    },
    {
      index: 'ai_jobs_active_description_dedupe_uidx',
      unique: true,
      on: `ai_jobs ("dedupeKey")
        where type = 'DESCRIPTION' and status in ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')`,
    },
    {
      constraint: 'actor_transitions_actorKind_next',
      on: 'actor_transitions',
      must: `check ("actorKind" in ('stagingJob', 'providerAttempt', 'imageReview', 'deletionItem', 'tour',
        'descriptionJob'))`,
    },
  ];

  override up(): void {
    this.addSql(TABLE);
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

const JOURNAL_KINDS = `
  alter table actor_transitions drop constraint "actor_transitions_actorKind_check";
  alter table actor_transitions rename constraint "actor_transitions_actorKind_next"
    to "actor_transitions_actorKind_check"`;
