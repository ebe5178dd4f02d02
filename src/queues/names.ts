/** Queue names (platform.md, QUEUE_SUFFIX). The suffix lets several installations share one store. */
export function queueNames(suffix: string) {
  return {
    staging: `ai-staging${suffix}`,
    search: `search-indexing${suffix}`,
    storage: `storage${suffix}`,
    descriptions: `ai${suffix}`,
    nudges: `proscenium:nudges${suffix}`,
  } as const;
}

/** Entries carry ids only and leave no trace once done: PostgreSQL is the record. */
export const ENTRY_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** The one job of the storage queue (platform.md, Worker). */
export const DRAIN_JOB = 'drain-deletion-outbox';
export const DRAIN_INTERVAL_MS = 60_000;
