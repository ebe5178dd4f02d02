import { OTHER_SUBJECTS } from '../../machines/disclosure/photo-subject.ts';
import { OnlineMigration } from './online-migration.ts';

const ON = 'property_images';

/**
 * What a photo shows when it shows no room that can be staged: a value of RESO's lookup `ImageOf`
 * (docs/contract.md#what-photos-show). The column belongs to the photo: it is deleted and stays with it, and the export of
 * an account has it. A photo has either a room or another subject. A room that is set takes the subject's place, since
 * a submission of a staging job, and the release before, set the room alone. Cards name what their pictures show.
 */
export class PhotoSubjects extends OnlineMigration {
  static override readonly online = [
    { column: '"imageOf"', on: ON, type: 'text' },
    {
      constraint: 'property_images_image_of_check',
      on: ON,
      must: `check ("imageOf" is null or (not "isStyled" and "roomType" is null
        and "imageOf" in (${OTHER_SUBJECTS.map((subject) => `'${subject}'`).join(', ')})))`,
    },
  ];

  override up(): void {
    this.addSql(`
      create function property_images_room_ends_subject() returns trigger language plpgsql as $function$
      begin
        new."imageOf" := null;
        return new;
      end $function$`);
    this.addSql(`
      create trigger property_images_room_ends_subject before update of "roomType" on ${ON} for each row
      when (new."roomType" is not null and new."imageOf" is not null)
      execute function property_images_room_ends_subject()`);
    this.addSql(`
      create trigger property_images_subject_marks_search_dirty after update of "roomType", "imageOf" on ${ON}
      for each row
      when (old."roomType" is distinct from new."roomType" or old."imageOf" is distinct from new."imageOf")
      execute function property_images_mark_search_dirty()`);
  }
}
