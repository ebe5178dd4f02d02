import { OnlineMigration } from './online-migration.ts';

/** The few purchases that only the provider's list can resolve, among a hundred thousand that are under way. */
export class AwaitedPurchases extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_provider_attempts_awaited_idx',
      on: `ai_provider_attempts (id)
        where "notListedAt" is null and (status = 'UNCONFIRMED' or "goneSince" is not null)`,
    },
  ];
}
