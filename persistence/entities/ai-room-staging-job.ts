import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../machines/vocabulary.ts';

/** What a staging job was asked for, fixed at submission; `legacy*` and `submittedStyle` are audit values. */
export const AiRoomStagingJobEntity = defineEntity({
  name: 'AiRoomStagingJob',
  tableName: 'ai_room_staging_jobs',
  properties: {
    aiJobId: p.uuid().primary(),
    originalImageId: p.uuid(),
    resultImageId: p.uuid().nullable(),
    canonicalRoomType: p.enum(CANONICAL_ROOM_TYPES).nativeEnumName('canonical_room_type').nullable(),
    canonicalStyle: p.enum(CANONICAL_STYLES).nativeEnumName('canonical_style').nullable(),
    styleModifier: p.text().nullable(),
    prompt: p.text(),
    promptVersion: p.text(),
    providerModel: p.text(),
    quality: p.text().nullable(),
    aspectRatio: p.text().nullable(),
    outputFormat: p.text().nullable(),
    outputCompression: p.integer().nullable(),
    providerInputKey: p.text().nullable(),
    submittedStyle: p.text().nullable(),
    legacyStyle: p.text().nullable(),
    legacyMetadata: p.json<unknown>().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Of the old `stage-room` message that the job came from. */
    legacyMessageKey: p.text().nullable().unique(),
  },
});
export type AiRoomStagingJob = InferEntity<typeof AiRoomStagingJobEntity>;
