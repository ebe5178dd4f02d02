import type { PhotoState } from '../../machines/vocabulary.ts';

/** The check of a photo as its agents see it (docs/contract.md#intake). */
export interface SeenPhotoState {
  /** Null for staged pictures. What an operator suspects stays a photo until the decision. */
  photoState: Exclude<PhotoState, 'SUSPECT'> | null;
  /** The staged picture of the same listing that the photo looks like, when it is refused or a question. */
  stagedImageId: string | null;
}

/** SQL: the columns of `SeenPhotoState` for the image with this alias. */
export const photoStateColumns = (image: string): string => `
  CASE WHEN NOT ${image}."isStyled" THEN coalesce(nullif(${image}."photoState", 'SUSPECT'), 'PHOTO') END AS "photoState",
  (SELECT f."stagedImageId" FROM photo_checks c JOIN staged_fingerprints f ON f."stagedImageId" = c."nearestId"
   WHERE c."imageId" = ${image}.id AND f."propertyId" = ${image}."propertyId"
     AND ${image}."photoState" IN ('QUESTION', 'STAGED_PICTURE')) AS "stagedImageId"`;
