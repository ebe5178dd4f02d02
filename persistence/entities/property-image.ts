import { defineEntity, p } from '@mikro-orm/core';
import type { AlterationSource, MediaAlteration } from '../../machines/disclosure/alterations.ts';
import type { OtherSubject } from '../../machines/disclosure/photo-subject.ts';
import {
  CANONICAL_ROOM_TYPES,
  CANONICAL_STYLES,
  type PhotoState,
  REVIEW_STATUSES,
} from '../../machines/vocabulary.ts';
import { PropertyEntity } from './property.ts';
import type { RowOf } from './row.ts';

/**
 * A photo (`isStyled` false) or a staged variant of one (docs/contract.md#photos); `output*` describe the stored file
 * of both.
 */
export const PropertyImageEntity = defineEntity({
  name: 'PropertyImage',
  tableName: 'property_images',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade'),
    objectKey: p.text().unique(),
    providerInputKey: p.text().nullable().unique(),
    paddedInputKey: p.text().nullable().unique(),
    position: p.integer().default(0),
    isMain: p.boolean().default(false),
    isStyled: p.boolean().default(false),
    styledFromId: p.uuid().nullable(),
    style: p.text().nullable(),
    canonicalStyle: p.enum(CANONICAL_STYLES).nativeEnumName('canonical_style').nullable(),
    roomType: p.enum(CANONICAL_ROOM_TYPES).nativeEnumName('canonical_room_type').nullable(),
    imageOf: p.text().$type<OtherSubject>().nullable(),
    reviewStatus: p.enum(REVIEW_STATUSES).nativeEnumName('property_image_review_status').nullable(),
    reviewedByUserId: p.uuid().nullable(),
    reviewedAt: p.datetime().nullable(),
    withdrawnAt: p.datetime().nullable(),
    withdrawnBy: p.text().nullable(),
    withdrawals: p.smallint().default(0),
    consentedAt: p.datetime().nullable(),
    alteration: p.text().$type<MediaAlteration>().nullable(),
    alterationBy: p.text().$type<AlterationSource>().nullable(),
    alteredFromId: p.uuid().nullable(),
    photoState: p.text().$type<PhotoState>().nullable(),
    aiJobId: p.uuid().nullable().unique('property_images_aiJobId_uidx'),
    providerInputs: p.json<unknown>().nullable(),
    providerPredictionId: p.text().nullable(),
    providerModel: p.text().nullable(),
    promptVersion: p.text().nullable(),
    outputBytes: p.bigint('number').nullable(),
    outputWidth: p.integer().nullable(),
    outputHeight: p.integer().nullable(),
    outputFormat: p.text().nullable(),
    outputChecksum: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    version: p.integer().default(0),
  },
});
export type PropertyImage = RowOf<typeof PropertyImageEntity>;
