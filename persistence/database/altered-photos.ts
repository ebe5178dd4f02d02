/** Whether the photo of a staged image was altered before it came here (docs/contract.md#altered-photos). */
export const PHOTO_ALTERED = `
  SELECT EXISTS (SELECT FROM property_images v JOIN property_images o ON o.id = v."styledFromId"
    WHERE v.id = $1 AND o.alteration IS NOT NULL) AS found`;
