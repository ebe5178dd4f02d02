import { OnlineMigration } from './online-migration.ts';

/**
 * Staged pictures and photos from before 0123 get their rows: fingerprints are made, and photos looked up, when nothing
 * newer waits. It is a separate migration, because steps run before `up`, and the tables must exist.
 */
export class OlderPicturesChecked extends OnlineMigration {
  static override readonly online = [
    {
      backfill: `
        with missing as (
          select v.id, v."propertyId", v."aiJobId", v."objectKey", o."objectKey" as "originalKey", v."createdAt",
            v.style is not distinct from 'no-furniture' or 'FURNISHED' = any (p.features) as question
          from property_images v join property_images o on o.id = v."styledFromId"
            join properties p on p.id = v."propertyId"
          where v."isStyled"
            and not exists (select from staged_fingerprints f where f."stagedImageId" = v.id) limit $1)
        insert into staged_fingerprints ("stagedImageId", "propertyId", "aiJobId", "stagedKey", "originalKey",
          "createdAt", "isQuestion")
        select * from missing on conflict do nothing`,
    },
    {
      backfill: `
        with missing as (
          select id, "propertyId", "createdAt" from property_images i where not "isStyled"
            and not exists (select from photo_checks c where c."imageId" = i.id) limit $1)
        insert into photo_checks ("imageId", "propertyId", "createdAt", "isOlder")
        select id, "propertyId", "createdAt", true from missing on conflict do nothing`,
    },
  ];
}
