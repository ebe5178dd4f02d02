import { ALTERATION_SOURCES, MEDIA_ALTERATIONS } from '../../machines/disclosure/alterations.ts';
import { OnlineMigration } from './online-migration.ts';

const ON = 'property_images';
const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * Photos that were altered before they came here: RESO's kind, whose word that is, and the photo of the same place
 * without the alteration, if the listing has it (docs/contract.md#altered-photos). The columns belong to the photo: they
 * are deleted and stay with it. An altered photo is never the cover: the cover passes on, as it does after a deletion.
 */
export class AlteredPhotos extends OnlineMigration {
  static override readonly online = [
    { column: 'alteration', on: ON, type: 'text' },
    { column: '"alterationBy"', on: ON, type: 'text' },
    { column: '"alteredFromId"', on: ON, type: 'uuid' },
    {
      constraint: 'property_images_alteration_check',
      on: ON,
      must: `check (case when alteration is null then num_nonnulls("alterationBy", "alteredFromId") = 0
        else alteration in (${listed(MEDIA_ALTERATIONS)}) and not "isStyled" and not "isMain"
          and "alterationBy" is not null and "alterationBy" in (${listed(ALTERATION_SOURCES)}) end)`,
    },
    {
      constraint: 'property_images_altered_from_check',
      on: ON,
      must: 'check ("alteredFromId" <> id)',
    },
    {
      constraint: 'property_images_alteredFromId_fkey',
      on: ON,
      must: `foreign key ("alteredFromId") references ${ON} (id) on delete set null`,
    },
    {
      index: 'property_images_alteredFromId_idx',
      on: `${ON} ("alteredFromId") where "alteredFromId" is not null`,
    },
  ];

  override up(): void {
    for (const statement of [...COVER, ...SEARCH]) this.addSql(statement);
  }
}

const COVER = [
  `create or replace function property_images_pass_on_cover() returns trigger language plpgsql as $function$
   begin
     update property_images set "isMain" = true
     where id = (select id from property_images where "propertyId" = old."propertyId" and not "isStyled"
                   and alteration is null order by position, "createdAt", id limit 1)
       and not exists (select from property_images where "propertyId" = old."propertyId" and "isMain");
     return null;
   end $function$`,
  `create function property_images_altered_leaves_cover() returns trigger language plpgsql as $function$
   begin
     new."isMain" := false;
     return new;
   end $function$`,
  `create trigger property_images_altered_leaves_cover before update of alteration on ${ON} for each row
   when (old."isMain" and new.alteration is not null) execute function property_images_altered_leaves_cover()`,
  `create trigger property_images_altered_passes_on_cover after update of alteration on ${ON} for each row
   when (old."isMain" and new.alteration is not null) execute function property_images_pass_on_cover()`,
];

/** Cards show the label. */
const SEARCH = [
  `create trigger property_images_altered_mark_search_dirty after update of alteration on ${ON} for each row
   when (old.alteration is distinct from new.alteration) execute function property_images_mark_search_dirty()`,
];
