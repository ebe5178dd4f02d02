import { DISCLOSURE_LABEL } from '../../machines/vocabulary.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * The record of each approved picture, what became of it later, and the withdrawal that hides it from the public and
 * leaves its review as it was (docs/contract.md#provenance). `provenance_due` lists pictures that were approved before
 * there were records (0065); workers write theirs, because some need a checksum of their stored objects.
 */
export class Provenance extends OnlineMigration {
  static override readonly online = [
    { column: '"withdrawnAt"', on: 'property_images', type: 'timestamptz' },
    { column: '"withdrawnBy"', on: 'property_images', type: 'text' },
    { column: 'withdrawals', on: 'property_images', type: 'smallint not null default 0' },
    {
      constraint: 'property_images_withdrawal_check',
      on: 'property_images',
      must: `check (("withdrawnAt" is null) = ("withdrawnBy" is null)
        and ("withdrawnAt" is null or "reviewStatus" = 'APPROVED')
        and "withdrawnBy" in ('AGENT', 'REPORTS', 'OPERATOR') and withdrawals >= 0)`,
    },
    {
      index: 'property_images_shown_staged_variant_uidx',
      unique: true,
      on: `property_images ("styledFromId", "canonicalStyle")
        where "isStyled" and "canonicalStyle" is not null and "withdrawnAt" is null`,
    },
  ];

  override up(): void {
    this.addSql('drop index property_images_live_staged_variant_uidx');
    this.addSql(
      'alter index property_images_shown_staged_variant_uidx rename to property_images_live_staged_variant_uidx',
    );
    for (const statement of [...RECORDS, ...WITHDRAWN_IS_PRIVATE]) this.addSql(statement);
  }
}

/** No foreign keys: a record outlives its picture, its listing and its people. */
const RECORDS = [
  `create table provenance_records (
     "stagedImageId" uuid primary key,
     "propertyId" uuid not null,
     "originalImageId" uuid not null,
     "aiJobId" uuid,
     "attemptNumber" smallint,
     "originalChecksum" text not null,
     "outputChecksum" text not null,
     "providerModel" text,
     "promptVersion" text,
     "canonicalStyle" canonical_style,
     "legacyStyle" text,
     "roomType" canonical_room_type,
     framing text,
     "requestedByUserId" uuid,
     "approvedByUserId" uuid,
     "approverRole" text,
     "approverOffice" text,
     "disclosureLabel" text not null,
     "requestedAt" timestamptz,
     "stagedAt" timestamptz not null,
     "approvedAt" timestamptz,
     "recordedAt" timestamptz not null,
     constraint provenance_records_checksums_check
       check ("originalChecksum" ~ '^[0-9a-f]{64}$' and "outputChecksum" ~ '^[0-9a-f]{64}$'),
     constraint provenance_records_label_check check ("disclosureLabel" = '${DISCLOSURE_LABEL}')
   )`,
  `create table provenance_events (
     id bigint generated always as identity primary key,
     "stagedImageId" uuid not null,
     kind text not null,
     by text,
     at timestamptz not null,
     constraint provenance_events_kind_check check (kind in ('WITHDRAWN', 'LIFTED', 'DELETED'))
   )`,
  'create index "provenance_events_stagedImageId_idx" on provenance_events ("stagedImageId", id)',
  ...['provenance_records', 'provenance_events'].flatMap((table) => [
    `create trigger ${table}_never_change before update or delete on ${table}
     for each row execute function refuse_rewrite_of_history()`,
    `create trigger ${table}_never_empty before truncate on ${table}
     for each statement execute function refuse_rewrite_of_history()`,
  ]),
  `create table provenance_due (
     "stagedImageId" uuid primary key,
     tries smallint not null default 0,
     "nextTryAt" timestamptz not null
   )`,
  'create index provenance_due_next_idx on provenance_due ("nextTryAt")',
  // Until 0065 closes the list, roles of the previous release approve without a record.
  `create function property_images_list_unrecorded() returns trigger language plpgsql as $function$
   begin
     insert into provenance_due ("stagedImageId", "nextTryAt") values (new.id, now()) on conflict do nothing;
     return null;
   end $function$`,
  `create trigger property_images_list_unrecorded after insert or update of "reviewStatus" on property_images
   for each row when (new."reviewStatus" = 'APPROVED') execute function property_images_list_unrecorded()`,
];

/** Search documents and second inputs take up what the visibility of pictures says. */
const WITHDRAWN_IS_PRIVATE = [
  `create trigger property_images_withdrawn_mark_search_dirty after update on property_images for each row
   when (old."withdrawnAt" is distinct from new."withdrawnAt") execute function property_images_mark_search_dirty()`,
  `create or replace function ai_room_staging_jobs_reference_check() returns trigger language plpgsql as $function$
   begin
     if not exists (select from property_images i join ai_room_staging_jobs s on s."aiJobId" = i."aiJobId"
         where i."objectKey" = new."referenceImageKey" and i."reviewStatus" = 'APPROVED' and i."withdrawnAt" is null
           and s."groupId" = new."groupId") then
       raise exception 'job % names a picture that is not an approved one of its group', new."aiJobId"
         using errcode = 'check_violation', table = 'ai_room_staging_jobs',
           constraint = 'ai_room_staging_jobs_reference_check';
     end if;
     return new;
   end $function$`,
];
