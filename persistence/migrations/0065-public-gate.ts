import { OnlineMigration } from './online-migration.ts';

/** Lists approved pictures without a record, whose record a worker writes. */
const listUnrecorded = (limit: string): string => `
  insert into provenance_due ("stagedImageId", "nextTryAt")
  select v.id, now() from property_images v
  where v."reviewStatus" = 'APPROVED'
    and not exists (select from provenance_records r where r."stagedImageId" = v.id)
    and not exists (select from provenance_due d where d."stagedImageId" = v.id) ${limit}`;

/**
 * No staged picture becomes public without its original, its label, its record and a person who approved it
 * (docs/contract.md#disclosure), whatever code or person writes the row. Web roles of the previous release cannot
 * approve from here on: they write no record.
 */
export class PublicGate extends OnlineMigration {
  static override readonly online = [{ backfill: listUnrecorded('limit $1') }];

  override up(): void {
    for (const statement of [...GATE, ...EVENTS, listUnrecorded('')]) this.addSql(statement);
  }
}

/**
 * Checked when the transaction commits, because it writes the row before its record. The row of an original is checked
 * too, since a record names its checksum.
 */
const GATE = [
  `create trigger property_image_review_events_keep_approvals before delete on property_image_review_events
   for each row when (old.kind = 'APPROVED') execute function refuse_rewrite_of_history()`,
  `create function property_images_public_check() returns trigger language plpgsql as $function$
   declare
     approving constant boolean := new."isStyled"
       and (tg_op = 'INSERT' or old."reviewStatus" is distinct from new."reviewStatus");
   begin
     if exists (select from property_images v
         left join property_images o on o.id = v."styledFromId" and not o."isStyled"
           and o."propertyId" = v."propertyId"
         left join provenance_records r on r."stagedImageId" = v.id and r."originalImageId" = o.id
           and r."outputChecksum" = v."outputChecksum" and r."originalChecksum" = o."outputChecksum"
         left join property_image_review_events e on e."imageId" = v.id and e.kind = 'APPROVED'
           and e."objectKey" = v."objectKey" and (not approving or e."actorUserId" = r."approvedByUserId")
       where (v.id = new.id or v."styledFromId" = new.id)
         and v."reviewStatus" = 'APPROVED' and v."withdrawnAt" is null
         and (r."stagedImageId" is null or e.id is null)
         and (approving or not exists (select from provenance_due d where d."stagedImageId" = v.id))) then
       raise exception 'staged picture % lacks its original, its record or its approval by a person', new.id
         using errcode = 'check_violation', table = 'property_images', constraint = 'property_images_public_check';
     end if;
     return null;
   end $function$`,
  `create constraint trigger property_images_public_on_insert after insert on property_images
   deferrable initially deferred for each row when (new."reviewStatus" = 'APPROVED')
   execute function property_images_public_check()`,
  `create constraint trigger property_images_public_on_update after update on property_images
   deferrable initially deferred for each row when (
     (old."reviewStatus", old."isStyled", old."styledFromId", old."propertyId", old."objectKey", old."outputChecksum",
       old."withdrawnAt")
     is distinct from (new."reviewStatus", new."isStyled", new."styledFromId", new."propertyId", new."objectKey",
       new."outputChecksum", new."withdrawnAt"))
   execute function property_images_public_check()`,
];

/** Written for every writer, also plain SQL: what the public page says of a picture must not depend on code. */
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
       values (new.id, 'WITHDRAWN', new."withdrawnBy", new."withdrawnAt");
     end if;
     return null;
   end $function$`,
  `create trigger property_images_note_withdrawal after update on property_images for each row
   when (old."withdrawnAt" is distinct from new."withdrawnAt") execute function property_images_note_provenance()`,
  `create trigger property_images_note_deletion after delete on property_images for each row
   when (old."reviewStatus" = 'APPROVED') execute function property_images_note_provenance()`,
];
