import { OnlineMigration } from './online-migration.ts';

/**
 * Reports of customers that a staged picture did not match the home they visited, one row each
 * (docs/contract.md#mismatch-reports), and the mails about pictures that such reports withdraw. A report keeps the ids
 * of its picture and listing without foreign keys, because it outlives the picture.
 */
export class MismatchReports extends OnlineMigration {
  static override readonly online = [
    {
      constraint: 'actor_transitions_actorKind_next',
      on: 'actor_transitions',
      must: `check ("actorKind" in ('stagingJob', 'providerAttempt', 'imageReview', 'deletionItem', 'tour',
        'descriptionJob', 'startGate', 'searchDocument', 'mismatchReport'))`,
    },
    {
      constraint: 'user_muted_mails_next',
      on: '"user"',
      must: `check ("mutedMails" <@ array['TOUR_REQUESTED', 'TOUR_PROPOSED', 'TOUR_CONFIRMED', 'TOUR_DECLINED',
        'TOUR_CANCELED', 'PICTURE_WITHDRAWN'] and (email is not null or "mutedMails" = '{}'))`,
    },
  ];

  override up(): void {
    for (const statement of [...CHECKS, ...REPORTS, ...PICTURE_GONE, ...MAILS]) this.addSql(statement);
  }
}

const renewed = (table: string, check: string, next: string): string[] => [
  `alter table ${table} drop constraint "${check}"`,
  `alter table ${table} rename constraint "${next}" to "${check}"`,
];
const CHECKS = [
  ...renewed('actor_transitions', 'actor_transitions_actorKind_check', 'actor_transitions_actorKind_next'),
  ...renewed('"user"', 'user_muted_mails_check', 'user_muted_mails_next'),
];

const REPORTS = [
  `create type mismatch_report_status as enum ('OPEN', 'ACKNOWLEDGED', 'UPHELD', 'CLOSED')`,
  `create table mismatch_reports (
     id uuid primary key,
     "customerId" uuid not null references "user" (id) on delete cascade,
     "tourId" uuid not null references tours (id) on delete cascade,
     "stagedImageId" uuid not null,
     "propertyId" uuid not null,
     note text,
     status mismatch_report_status not null,
     "createdAt" timestamptz not null,
     "answeredAt" timestamptz,
     "answeredByUserId" uuid references "user" (id),
     version integer not null default 0,
     constraint "mismatch_reports_stagedImageId_customerId_key" unique ("stagedImageId", "customerId"),
     constraint mismatch_reports_note_check check (length(note) between 1 and 1000),
     constraint mismatch_reports_answer_check check (case status
       when 'OPEN' then num_nonnulls("answeredAt", "answeredByUserId") = 0
       when 'ACKNOWLEDGED' then num_nulls("answeredAt", "answeredByUserId") = 0
       when 'UPHELD' then "answeredAt" is not null
       else "answeredAt" is not null and "answeredByUserId" is null end)
   )`,
  'create index mismatch_reports_newest_idx on mismatch_reports (status, "createdAt" desc, id desc)',
  'create index mismatch_reports_property_idx on mismatch_reports ("propertyId", "createdAt" desc, id desc)',
  'create index mismatch_reports_customer_idx on mismatch_reports ("customerId", "propertyId")',
  'create index mismatch_reports_tour_idx on mismatch_reports ("tourId")',
  `create index mismatch_reports_open_idx on mismatch_reports ("stagedImageId") where status = 'OPEN'`,
  `create trigger mismatch_reports_refuse_tombstones before insert on mismatch_reports
   for each row execute function refuse_tombstones('customerId')`,
];

// The machine of the picture closes its reports. This trigger remains for a row that is deleted by SQL: nothing would
// deliver an event for it, and its reports must not stay open. It does exactly what the machine does on
// PICTURE_DELETED. Reports and answers lock the picture's row before, so no open report is missed.
const PICTURE_GONE = [
  `create function property_images_close_reports() returns trigger language plpgsql as $$
   declare
     report record;
     instant constant timestamptz := date_trunc('milliseconds', clock_timestamp());
   begin
     for report in
       select id, version from mismatch_reports where "stagedImageId" = old.id and status = 'OPEN'
       order by id for update
     loop
       update mismatch_reports set status = 'CLOSED', "answeredAt" = instant, version = report.version + 1
       where id = report.id;
       insert into actor_transitions
         ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       values ('mismatchReport', report.id, report.version + 1, 'PICTURE_DELETED',
         jsonb_build_object('type', 'PICTURE_DELETED', 'at', (extract(epoch from instant) * 1000)::bigint),
         'OPEN', 'CLOSED', instant, 'database');
     end loop;
     return null;
   end $$`,
  `create trigger property_images_close_reports after delete on property_images for each row
   when (old."reviewStatus" = 'APPROVED') execute function property_images_close_reports()`,
];

// Written by a trigger, as the mails about tours (0056); the version is that of the withdrawal.
const MAILS = [
  `create table picture_mails (
     "imageId" uuid not null references property_images (id) on delete cascade,
     seq integer not null,
     attempts integer not null default 0,
     "nextAttemptAt" timestamptz not null,
     primary key ("imageId", seq)
   )`,
  'create index picture_mails_due_idx on picture_mails ("nextAttemptAt")',
  `create function property_images_write_mail() returns trigger language plpgsql as $$
   begin
     insert into picture_mails ("imageId", seq, "nextAttemptAt")
     values (new.id, new.version, new."withdrawnAt");
     return null;
   end $$`,
  `create trigger property_images_write_mail after update on property_images for each row
   when (new."withdrawnBy" = 'REPORTS' and old."withdrawnBy" is distinct from 'REPORTS')
   execute function property_images_write_mail()`,
];
