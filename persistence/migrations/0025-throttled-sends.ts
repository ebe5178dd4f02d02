import { OnlineMigration } from './online-migration.ts';

/**
 * How many sends of a purchase the provider throttled. They are limited separately from sends that never reached it.
 * Existing rows are counted from the journal, so that its replay still gives the row (invariant I9).
 */
export class ThrottledSends extends OnlineMigration {
  static override readonly online = [
    { column: '"throttledSends"', on: 'ai_provider_attempts', type: 'integer not null default 0' },
    { column: '"throttledSends"', on: 'ai_description_jobs', type: 'integer not null default 0' },
    { backfill: counted('ai_provider_attempts', { id: 'id', kind: 'providerAttempt', waits: 'RESERVED' }) },
    {
      backfill: counted('ai_description_jobs', {
        id: '"aiJobId"',
        kind: 'descriptionJob',
        waits: 'PROCESSING.RESERVED',
      }),
    },
  ];
}

function counted(table: string, { id, kind, waits }: { id: string; kind: string; waits: string }): string {
  const throttled = `
    select count(*) from actor_transitions t where t."actorKind" = '${kind}' and t."actorId" = ${table}.${id}
      and t."eventType" = 'SEND_REFUSED' and t."toState" = '${waits}' and t.event->>'errorCode' = 'PROVIDER_THROTTLED'`;
  return `
    update ${table} set "throttledSends" = (${throttled}) where ${id} in (
      select ${id} from ${table} where "sendTries" > 0 and "throttledSends" = 0 and (${throttled}) > 0 limit $1)`;
}
