import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { STORAGE_DELETION_REASONS, STORAGE_DELETION_STATUSES } from '../../machines/vocabulary.ts';

/** A file that has to be deleted, and how far that has come. */
export const StorageDeletionItemEntity = defineEntity({
  name: 'StorageDeletionItem',
  tableName: 'storage_deletion_outbox',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    objectKey: p.text(),
    reason: p.enum(STORAGE_DELETION_REASONS).nativeEnumName('storage_deletion_reason'),
    status: p.enum(STORAGE_DELETION_STATUSES).nativeEnumName('storage_deletion_status').default('PENDING'),
    attempts: p.integer().default(0),
    lastError: p.text().nullable(),
    errorClass: p.text().nullable(),
    note: p.text().nullable(),
    nextAttemptAt: p.datetime().defaultRaw('now()'),
    claimedAt: p.datetime().nullable(),
    claimedBy: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    processedAt: p.datetime().nullable(),
    version: p.integer().default(0),
  },
});
export type StorageDeletionItem = InferEntity<typeof StorageDeletionItemEntity>;
