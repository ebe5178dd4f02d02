import { OnlineMigration } from './online-migration.ts';

/** Lists pictures that were approved before 0060, and so without a record. A worker writes their records. */
const LIST_UNRECORDED = `
  with old as (
    select v.id from property_images v
    where v."reviewStatus" = 'APPROVED'
      and not exists (select from provenance_records r where r."stagedImageId" = v.id)
      and not exists (select from provenance_due d where d."stagedImageId" = v.id)
    limit $1)
  insert into provenance_due ("stagedImageId", "nextTryAt") select id, now() from old on conflict do nothing`;

/**
 * No staged picture becomes public without its original, its label, its record and a person who approved it
 * (docs/contract.md#provenance), whatever code or person writes the row. Web roles of the previous release cannot
 * approve from here on: they write no record.
 */
export class PublicGate extends OnlineMigration {
  static override readonly online = [
    {
      index: 'property_images_newest_withdrawal_idx',
      on: `property_images ((case when "withdrawnAt" is not null then 'WITHDRAWN'
        when "reviewStatus" = 'APPROVED' then 'APPROVED' else 'PENDING_REVIEW' end), "createdAt" desc, id desc)
        where "isStyled"`,
    },
    {
      index: 'property_images_awaiting_operator_idx',
      on: `property_images ("withdrawnAt") where "withdrawnBy" = 'REPORTS'`,
    },
    { backfill: LIST_UNRECORDED },
  ];

  override up(): void {
    this.addSql('drop index property_images_newest_review_idx');
    this.addSql(
      'alter index property_images_newest_withdrawal_idx rename to property_images_newest_review_idx',
    );
    for (const statement of [...HISTORY, ...GATE, ...EVENTS, ...CLOSED_LIST]) this.addSql(statement);
  }
}

/**
 * What the gate reads never changes: so it holds for ever what it has checked once, and two transactions at once
 * cannot each miss what the other one writes.
 */
const HISTORY = [
  `create trigger property_image_review_events_keep_approvals before delete on property_image_review_events
   for each row when (old.kind = 'APPROVED') execute function refuse_rewrite_of_history()`,
  `create trigger property_image_review_events_never_empty before truncate on property_image_review_events
   for each statement execute function refuse_rewrite_of_history()`,
  `create function property_images_file_stays() returns trigger language plpgsql as $function$
   begin
     raise exception 'picture % keeps its listing, its original and its file', old.id
       using errcode = 'restrict_violation', table = 'property_images', constraint = 'property_images_file_stays';
   end $function$`,
  `create trigger property_images_file_stays before update on property_images for each row when (
     (old.id, old."propertyId", old."isStyled", old."styledFromId", old."objectKey")
       is distinct from (new.id, new."propertyId", new."isStyled", new."styledFromId", new."objectKey")
     or (old."outputChecksum" is not null and old."outputChecksum" is distinct from new."outputChecksum"))
   execute function property_images_file_stays()`,
];

/** The original \`o\` of a staged picture \`v\`, and the record \`r\` that is true of both. */
const ORIGINAL_AND_RECORD = `
  left join property_images o on o.id = v."styledFromId" and not o."isStyled" and o."propertyId" = v."propertyId"
  left join provenance_records r on r."stagedImageId" = v.id and r."originalImageId" = o.id
    and r."outputChecksum" = v."outputChecksum" and r."originalChecksum" = o."outputChecksum"`;

/**
 * Checked when the transaction commits, because it writes the row before its record. A withdrawn picture is checked as
 * well: lifting shows it again. A picture that was deleted does not come back under its old approval.
 */
const GATE = [
  `create function property_images_public_check() returns trigger language plpgsql as $function$
   declare
     approving constant boolean := tg_op = 'INSERT' or old."reviewStatus" is distinct from new."reviewStatus";
   begin
     if exists (select from property_images v ${ORIGINAL_AND_RECORD}
         left join property_image_review_events e on e."imageId" = v.id and e.kind = 'APPROVED'
           and e."objectKey" = v."objectKey"
           and (not approving or (e."actorUserId" = r."approvedByUserId" and e."actorUserId" = v."reviewedByUserId"))
       where v.id = new.id and v."reviewStatus" = 'APPROVED'
         and (o.id is null or e.id is null
           or (r."stagedImageId" is null
             and (approving or not exists (select from provenance_due d where d."stagedImageId" = v.id)))
           or exists (select from provenance_events gone where gone."stagedImageId" = v.id and gone.kind = 'DELETED')))
     then
       raise exception 'staged picture % lacks its original, its record or its approval by a person', new.id
         using errcode = 'check_violation', table = 'property_images', constraint = 'property_images_public_check';
     end if;
     return null;
   end $function$`,
  `create constraint trigger property_images_public_on_insert after insert on property_images
   deferrable initially deferred for each row when (new."reviewStatus" = 'APPROVED')
   execute function property_images_public_check()`,
  `create constraint trigger property_images_public_on_update after update on property_images
   deferrable initially deferred for each row when (new."reviewStatus" = 'APPROVED'
     and (old."reviewStatus", old."withdrawnAt") is distinct from (new."reviewStatus", new."withdrawnAt"))
   execute function property_images_public_check()`,
];

/** The list excuses a picture from its record, so nothing is added to it, and a picture leaves it with its record. */
const CLOSED_LIST = [
  'drop trigger property_images_list_unrecorded on property_images',
  'drop function property_images_list_unrecorded()',
  `create function provenance_due_closed() returns trigger language plpgsql as $function$
   begin
     if tg_op = 'DELETE' and not exists (select from property_images v ${ORIGINAL_AND_RECORD}
         where v.id = old."stagedImageId" and v."reviewStatus" = 'APPROVED' and r."stagedImageId" is null) then
       return old;
     end if;
     raise exception 'the pictures without a record are listed once and for all'
       using errcode = 'restrict_violation', table = 'provenance_due', constraint = 'provenance_due_closed';
   end $function$`,
  `create trigger provenance_due_closed before insert or delete or update of "stagedImageId" on provenance_due
   for each row execute function provenance_due_closed()`,
  `create trigger provenance_due_never_empty before truncate on provenance_due
   for each statement execute function provenance_due_closed()`,
];

/**
 * Written for every writer, also plain SQL: what the public page says of a picture must not depend on code. An operator
 * or reports that take over an agent's withdrawal are noted, too.
 */
const EVENTS = [
  `create function property_images_note_provenance() returns trigger language plpgsql as $function$
   begin
     if tg_op = 'DELETE' then
       insert into provenance_events ("stagedImageId", kind, at)
       select old.id, 'DELETED', date_trunc('milliseconds', now())
       where exists (select from provenance_records r where r."stagedImageId" = old.id);
       delete from provenance_due where "stagedImageId" = old.id;
     elsif new."withdrawnAt" is null then
       insert into provenance_events ("stagedImageId", kind, at)
       values (new.id, 'LIFTED', date_trunc('milliseconds', now()));
     else
       insert into provenance_events ("stagedImageId", kind, by, at)
       values (new.id, 'WITHDRAWN', new."withdrawnBy",
         case when tg_op = 'UPDATE' and old."withdrawnAt" = new."withdrawnAt" then date_trunc('milliseconds', now())
           else new."withdrawnAt" end);
     end if;
     return null;
   end $function$`,
  `create trigger property_images_note_withdrawn_birth after insert on property_images for each row
   when (new."withdrawnAt" is not null) execute function property_images_note_provenance()`,
  `create trigger property_images_note_withdrawal after update on property_images for each row
   when ((old."withdrawnAt", old."withdrawnBy") is distinct from (new."withdrawnAt", new."withdrawnBy"))
   execute function property_images_note_provenance()`,
  `create trigger property_images_note_deletion after delete on property_images for each row
   when (old."reviewStatus" = 'APPROVED') execute function property_images_note_provenance()`,
];
