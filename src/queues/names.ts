/** Queue names (docs/contract.md#queues). The suffix lets several installations share one store. */
export function queueNames(suffix: string) {
  return {
    staging: `ai-staging${suffix}`,
    search: `search-indexing${suffix}`,
    storage: `storage${suffix}`,
    descriptions: `ai${suffix}`,
    nudges: `proscenium:nudges${suffix}`,
  } as const;
}

/** Entries contain ids only and are removed when done: PostgreSQL is the record. */
export const ENTRY_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** In `ai-staging`. The old release's messages on `ai` have the same name with another meaning. */
export const STAGE_ROOM_ENTRY = 'stage-room';
export const DESCRIBE_LISTING_ENTRY = 'describe-listing';

/** The one job of the storage queue (docs/contract.md#queues). */
export const DRAIN_JOB = 'drain-deletion-outbox';
