import { OnlineMigration } from './online-migration.ts';

/**
 * The 404s of an output's address that count (`missingTries`, `missingAt`), and the outcome of a callback that names
 * another attempt's prediction, for which second predictions are found by an index. A purchase that was adopted although
 * its claim was forgotten had no `sentAt`, so one failed download gave it up: it counts as sent when it was adopted, as
 * its machine has it now.
 */
export class AdoptedPurchases extends OnlineMigration {
  static override readonly online = [
    {
      index: 'ai_provider_attempts_stray_idx',
      on: `ai_provider_attempts ("strayPredictionId") where "strayPredictionId" is not null`,
    },
    {
      backfill: `
        with adopted as (
          select a.id, (t.event->>'at')::float8 as at from ai_provider_attempts a
            join actor_transitions t on t."actorKind" = 'providerAttempt' and t."actorId" = a.id
              and t."fromState" = 'RESERVED' and t."toState" = 'RUNNING'
          where a."sentAt" is null and a."providerPredictionId" is not null limit $1)
        update ai_provider_attempts a set "sentAt" = to_timestamp(adopted.at / 1000)
        from adopted where a.id = adopted.id`,
    },
  ];

  override up(): void {
    this.addSql(
      `alter table ai_provider_attempts add column "missingTries" integer not null default 0,
        add column "missingAt" timestamptz`,
    );
    this.addSql(`alter type ai_webhook_outcome add value 'CONFLICT'`);
  }
}
