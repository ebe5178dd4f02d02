import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A stored smaller copy of a public picture; `variant` says of what kind. */
export const ImageRenditionEntity = defineEntity({
  name: 'ImageRendition',
  tableName: 'image_renditions',
  properties: {
    imageId: p.uuid().primary(),
    variant: p.text().primary(),
    objectKey: p.text().unique(),
    bytes: p.integer(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type ImageRendition = InferEntity<typeof ImageRenditionEntity>;
