import { OnlineMigration } from './online-migration.ts';

/**
 * Pictures that were shown before ROOM_DIFFERS (docs/contract.md#review) and show their photo as another kind of room
 * than a second shown picture of it does. Operators find them in the console. A row belongs to its listing, goes with its
 * picture, and says nothing about a person: an account's deletion and export have nothing to do with it.
 */
export class RoomDifferences extends OnlineMigration {
  override up(): void {
    this.addSql(`
      create table room_differences (
        "stagedImageId" uuid primary key references property_images (id) on delete cascade
      )`);
    this.addSql(`
      insert into room_differences ("stagedImageId")
      select v.id from property_images v
      where v."reviewStatus" = 'APPROVED' and v."withdrawnAt" is null and exists (
        select from property_images other
        where other."styledFromId" = v."styledFromId" and other."roomType" <> v."roomType"
          and other."reviewStatus" = 'APPROVED' and other."withdrawnAt" is null)`);
  }
}
