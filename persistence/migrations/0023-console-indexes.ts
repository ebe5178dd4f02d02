import { OnlineMigration } from './online-migration.ts';

/**
 * Indexes for the operators' lists and counts: the newest actors of each status. One index per table serves every
 * choice of filters, because a list of several statuses is merged from the newest of each.
 */
export class ConsoleIndexes extends OnlineMigration {
  static override readonly online = [
    { index: 'ai_jobs_newest_idx', on: `ai_jobs (type, status, "createdAt" desc, id desc)` },
    {
      index: 'ai_provider_attempts_newest_idx',
      on: `ai_provider_attempts (status, "createdAt" desc, id desc)`,
    },
    {
      index: 'property_images_newest_review_idx',
      on: `property_images ("reviewStatus", "createdAt" desc, id desc) where "isStyled"`,
    },
    {
      index: 'storage_deletion_outbox_newest_idx',
      on: `storage_deletion_outbox (status, "createdAt" desc, id desc)`,
    },
    { index: 'tours_newest_idx', on: `tours (status, "createdAt" desc, id desc)` },
  ];
}
