import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import {
  attemptsOf,
  each,
  type Invariant,
  type PipelineState,
  type PositionedEntry,
} from './pipeline-state.ts';

/**
 * A provider may answer "not found" for a while after it has made a prediction; only after this time is the
 * prediction gone.
 */
const GONE_AFTER_MS = 5 * 60_000;

/** When money may be spent a second time: because of others' actions, never because of our own action or impatience. */
export const CAUSE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I29',
    sentence: 'Attempt 2 exists only if the end of attempt 1 was not our own doing.',
    when: 'always',
    sql: `
      select format('attempt 2 of job %s follows %s', second."aiJobId", cause.ours)
      from ai_provider_attempts second
      join ai_provider_attempts first on first."aiJobId" = second."aiJobId" and first."attemptNumber" = 1
      cross join lateral (select case
        when first."errorCode" = 'PREDICTION_UNCONFIRMED' and t."toState" = 'UNCONFIRMED'
          and (t."eventType" = 'RUNNER_RESTARTED' or t.event->>'cause' = 'restart') then 'a restart'
        when t."eventType" = 'PREDICTION_FAILED' and t.event->>'errorCode' = 'OUTPUT_UNAVAILABLE'
          and (t.event->>'at')::float8 < extract(epoch from first."sentAt") * 1000 + ${GONE_AFTER_MS} then 'one 404'
        end as ours from actor_transitions t
        where t."actorKind" = 'providerAttempt' and t."actorId" = first.id and not exists (
          -- What a list has disproved was no purchase.
          select from actor_transitions d where d."actorKind" = t."actorKind" and d."actorId" = t."actorId"
            and d."eventType" = 'CLAIM_DISPROVED' and d.seq > t.seq)) cause
      where second."attemptNumber" = 2 and cause.ours is not null
      union all
      select format('attempt %s was given up without a complete list', a.id) from ai_provider_attempts a
      where (a.status = 'LOST' or (a.status = 'FAILED' and a."errorCode" = 'OUTPUT_UNAVAILABLE' and exists (
          select from actor_transitions t where t."actorKind" = 'providerAttempt' and t."actorId" = a.id
            and t.seq = a.version and t."eventType" = 'PREDICTION_GONE')))
        and a."notListedAt" is null
        -- Attempts from before the rule are left out.
        and a."createdAt" > (select executed_at from mikro_orm_migrations where name = '0026_purchase_evidence')`,
    breaches: (state) => [
      ...each(state.attempts, ({ jobId, context }) => {
        const [first] = context.attemptNumber === 2 ? attemptsOf(state, jobId) : [];
        const ours = first ? ourDoing(state, first) : null;
        return ours && `attempt 2 of job ${jobId} follows ${ours}`;
      }),
      ...state.attempts.flatMap((attempt) =>
        each(state.journal.get(attempt.id) ?? [], (entry) => saidWithoutList(state, attempt, entry)),
      ),
    ],
  },
];

/** Our own action that ended the attempt; null when another party ended it. */
function ourDoing({ journal, world }: PipelineState, { id, context }: ProviderAttemptActor): string | null {
  const lost = context.errorCode === 'PREDICTION_UNCONFIRMED';
  if (lost && world?.cutOff.has(id)) return 'a create that we cut off';
  const entries = journal.get(id) ?? [];
  // What a list has disproved was no purchase.
  const disproved = entries.findLastIndex(({ event }) => event.type === 'CLAIM_DISPROVED');
  for (const { event, to } of entries.slice(disproved + 1)) {
    const { type, at, cause, errorCode } = event as typeof event & { cause?: string; errorCode?: string };
    const restarted = type === 'RUNNER_RESTARTED' || cause === 'restart';
    if (lost && to === 'UNCONFIRMED' && restarted) return 'a restart';
    const gone = type === 'PREDICTION_FAILED' && errorCode === 'OUTPUT_UNAVAILABLE';
    if (gone && at < (context.sentAt ?? at) + GONE_AFTER_MS) return 'one 404';
  }
  return null;
}

/** A worker's clock is behind the database's by at most as much (`database-clock.ts`). */
const CLOCK_BEHIND_MS = 2_000;

/**
 * Statements that need a complete list but were made without one. Only the provider's own ledger contains its
 * lists.
 */
function saidWithoutList(
  { world }: PipelineState,
  { id, jobId, context }: ProviderAttemptActor,
  { event, from, to }: PositionedEntry,
): string | null {
  if (to === 'LOST' && from !== to && context.notListedAt === null)
    return `attempt ${id} was given up without a complete list`;
  if (event.type !== 'NOT_LISTED' || world === null) return null;
  const { scanBeganAt } = event as { scanBeganAt?: number } & typeof event;
  const told = world.completeLists.some(
    ({ at, createdAfter, shown }) =>
      at >= (scanBeganAt ?? at) &&
      at <= event.at + CLOCK_BEHIND_MS &&
      createdAfter <= (context.sentAt ?? at) &&
      !shown.has(id) &&
      !shown.has(jobId),
  );
  return told ? null : `attempt ${id} was not shown by a list that was not complete`;
}
