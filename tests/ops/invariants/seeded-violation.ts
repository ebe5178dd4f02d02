import type { Life } from '../../support/worlds/life.ts';

/** A violation that no program of ours could cause: written by hand, past constraints and triggers. */
export interface SeededViolation {
  readonly title: string;
  readonly sql: (life: Life) => string;
  /** What every offending line must contain, in each of the invariants named. */
  readonly offender: (life: Life) => string;
  /** Exactly the invariants whose query reports it. */
  readonly named: readonly string[];
  /** False where the violation is outside a PipelineState. */
  readonly inState?: false;
}

export const GONE = '99999999-9999-4999-8999-999999999999';
export const dropCheck = (table: string, name: string): string =>
  `alter table ${table} drop constraint "${name}";`;
export const dropIndex = (name: string): string => `drop index "${name}";`;
export const journalRow = (
  kind: string,
  id: string,
  { from, to, event = 'PLANTED' }: { from: string; to: string; event?: string },
): string => `
  insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
  select '${kind}', '${id}', max(seq) + 1, '${event}', '{"type":"${event}","at":0}', '${from}', '${to}', now(), 'test'
  from actor_transitions where "actorId" = '${id}';`;
