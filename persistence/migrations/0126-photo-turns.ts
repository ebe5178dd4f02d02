import { OnlineMigration } from './online-migration.ts';

const WAITS = `verdict is null and not "isOlder"`;

/**
 * Photos that wait for their check take turns by the owner of their listing, so that one agent's thousand photos do not
 * keep another's first one private. `turn` follows start-time fair queuing: one after the owner's last photo, and not
 * before the first that waits. It belongs to the photo's check, is deleted with it, and is in no export.
 */
export class PhotoTurns extends OnlineMigration {
  static override readonly online = [
    { column: '"ownerAgentId"', on: 'photo_checks', type: 'uuid' },
    { column: 'turn', on: 'photo_checks', type: 'bigint not null default 0' },
    { index: 'photo_checks_turn_idx', on: `photo_checks (turn, "createdAt") where ${WAITS}` },
    { index: 'photo_checks_owner_turn_idx', on: `photo_checks ("ownerAgentId", turn) where ${WAITS}` },
  ];

  override up(): void {
    this.addSql(`create or replace function property_images_begin_check() returns trigger language plpgsql as $function$
     declare
       of_owner uuid := (select "ownerAgentId" from properties where id = new."propertyId");
     begin
       insert into photo_checks ("imageId", "propertyId", "createdAt", "ownerAgentId", turn)
       select new.id, new."propertyId", clock_timestamp(), of_owner, coalesce(greatest(
         (select min(turn) from photo_checks where ${WAITS} and tries = 0),
         (select max(turn) + 1 from photo_checks where ${WAITS} and "ownerAgentId" = of_owner)), 0);
       return null;
     end $function$`);
  }
}
