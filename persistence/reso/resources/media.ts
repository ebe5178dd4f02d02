import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { isPublicPicture, ORIGINAL_JOIN } from '../../database/listing-visibility.ts';
import { imageOf } from '../../database/photo-subject.ts';
import {
  type FeedSite,
  flag,
  instant,
  int,
  key,
  MODIFIED,
  manyValues,
  numbered,
  oneValue,
  quoted,
  type Resource,
  text,
} from '../fields.ts';
import { LOOKUPS } from '../lookups.ts';
import { isServed } from '../served.ts';

/**
 * Photos and approved staged pictures, each with what was done to it (docs/feeds.md#media). Of columns of the picture and of its
 * photo alone, so that a change of another picture changes no record.
 */
const STAGED = 'Virtual Staging - Item Addition';
/** A photo has ten places: its own, then those of altered and of staged pictures of it. */
const ORDER = `CASE WHEN coalesce(o."isMain", i."isMain") THEN 0 ELSE 10 * (coalesce(o.position, i.position) + 1) END
  + CASE WHEN i."isStyled" THEN 2 WHEN i.alteration IS NOT NULL THEN 1 ELSE 0 END`;
/** The longest side of a copy. */
const SIDE = 2_048;
/** A padded picture is shown in the shape of its photo. The copy has the largest size that is no larger than the picture. */
const stored = (name: 'Width' | 'Height'): string =>
  `CASE WHEN j."padWidth" IS NULL THEN i."output${name}" ELSE o."output${name}" END`;
const side = (name: 'Width' | 'Height'): string =>
  `round((${stored(name)}) * least(1.0, ${SIDE}.0 / greatest(${stored('Width')}, ${stored('Height')}, 1)))`;

export const mediaResource = ({ origin, name }: FeedSite): Resource => {
  const page = `${quoted(`${origin}/provenance/`)} || i.id`;
  const unaltered = `coalesce('. Unaltered photo: MediaKey ' || o.id, '')`;
  return {
    name: 'Media',
    key: 'MediaKey',
    from: `published_records r JOIN property_images i ON i.id = r.key JOIN properties p ON p.id = i."propertyId"
      ${ORIGINAL_JOIN} LEFT JOIN ai_room_staging_jobs j ON j."aiJobId" = i."aiJobId"
      LEFT JOIN provenance_records v ON v."stagedImageId" = i.id AND i."isStyled"`,
    where: `${numbered('Media')} AND ${isPublicPicture('i')} AND ${isServed('p')}`,
    fields: {
      MediaKey: key('i.id', { isGiven: true }),
      ResourceName: oneValue(`'Property'`, 'ResourceName'),
      ResourceRecordKey: key('i."propertyId"'),
      ResourceRecordID: text('coalesce(p."originatingSystemKey", p.id::text)', 255),
      MediaURL: text(
        `${quoted(`${origin}/api/images/`)} || i.id || '?w=${SIDE}&h=${SIDE}&fit=contain&format=jpeg'`,
        8000,
      ),
      MediaCategory: oneValue(`'Photo'`, 'MediaCategory'),
      MediaType: oneValue(`'jpeg'`, 'MediaType'),
      MediaAlteration: manyValues(
        `ARRAY[CASE WHEN i."isStyled" THEN '${STAGED}' ELSE coalesce(i.alteration, 'None') END]`,
        'MediaAlteration',
      ),
      Order: int(ORDER),
      PreferredPhotoYN: flag('i."isMain"'),
      ImageOf: oneValue(`coalesce(${imageOf('i')}, ${imageOf('o')})`, 'ImageOf', LOOKUPS.ImageOf),
      ImageWidth: int(side('Width')),
      ImageHeight: int(side('Height')),
      ShortDescription: text(
        `CASE WHEN i."isStyled" THEN ${quoted(DISCLOSURE_LABEL)} ELSE i.alteration END`,
        50,
      ),
      LongDescription: text(
        `CASE WHEN i."isStyled" THEN 'Virtually staged with AI' || ${unaltered} || '. How it was made: ' || ${page}
          WHEN i.alteration IS NOT NULL THEN 'Altered: ' || i.alteration || ${unaltered} || '.' END`,
        1_024,
      ),
      Permission: manyValues(`ARRAY['Public']`, 'Permission'),
      MediaModificationTimestamp: instant('coalesce(i."reviewedAt", i."createdAt")'),
      ModificationTimestamp: MODIFIED,
      OriginatingSystemName: text(`coalesce(p."originatingSystemName", ${quoted(name)})`, 255),
      OriginatingSystemMediaKey: text('i.id::text', 255),
      OriginalMediaKey: key('o.id'),
      ProvenanceURL: text(`CASE WHEN v."stagedImageId" IS NOT NULL THEN ${page} END`, 8000),
      SHA256: text('v."outputChecksum"', 64),
    },
    expansions: {},
  };
};
