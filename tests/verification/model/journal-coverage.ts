import type { Pool } from 'pg';
import { expect } from 'vitest';
import { type ActorKind, definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import { TRANSITION_TABLES } from './transition-tables.ts';

/**
 * Fails unless the journal of the whole database holds every transition of the machine's table and no other: what was
 * walked happened, and what actors tell each other counts as well. Births are no transitions, but those of tours, which
 * count as coming from where their machine begins. `onlyReplayed` are transitions that stand in old journals and happen no more.
 */
export async function expectJournalCovers(
  pool: Pool,
  kind: ActorKind,
  onlyReplayed: readonly string[] = [],
): Promise<void> {
  const { rows } = await pool.query<{ line: string }>(
    `select distinct concat_ws(' ', coalesce("fromState", 'REQUESTED'), "eventType", "toState") as line
     from actor_transitions where "actorKind" = $1 and "eventType" <> 'CREATED'`,
    [kind],
  );
  const table = Object.entries(TRANSITION_TABLES[definitionOf(kind).machine.id] ?? {}).flatMap(
    ([from, row]) =>
      Object.entries(row).flatMap(([type, to]) =>
        to.split(' ').flatMap((target) => (target === '-' ? [] : `${from} ${type} ${target}`)),
      ),
  );
  const happens = table.filter((line) => !onlyReplayed.includes(line));
  expect(rows.map(({ line }) => line).toSorted()).toEqual(happens.toSorted());
}
