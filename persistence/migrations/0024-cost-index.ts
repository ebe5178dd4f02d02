import { OnlineMigration } from './online-migration.ts';

/** Purchases in the order of sending, for storing estimated costs and for showing them by day. */
export class CostIndex extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_provider_attempts_sentAt_idx',
      on: `ai_provider_attempts ("sentAt" desc, "aiJobId" desc) where "sentAt" is not null`,
    },
  ];
}
