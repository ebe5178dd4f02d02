import type { Pool } from 'pg';
import { expect } from 'vitest';
import { firstState } from '../../../machines/step.ts';
import { type ActorKind, definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import { TRANSITION_TABLES } from './transition-tables.ts';

/**
 * Fails unless the journal of the whole database holds exactly the transitions of the machine's table, those
 * by messages between actors included. Births are no transitions, except those by an event: they start from the
 * machine's first state. `onlyReplayed` are transitions that exist only in old journals.
 */
export async function expectJournalCovers(
  pool: Pool,
  kind: ActorKind,
  onlyReplayed: readonly string[] = [],
): Promise<void> {
  const { machine } = definitionOf(kind);
  const { rows } = await pool.query<{ line: string }>(
    `select distinct concat_ws(' ', coalesce("fromState", $2), "eventType", "toState") as line
     from actor_transitions where "actorKind" = $1 and "eventType" <> 'CREATED'`,
    [kind, firstState(machine).state],
  );
  const table = Object.entries(TRANSITION_TABLES[machine.id] ?? {}).flatMap(([from, row]) =>
    Object.entries(row).flatMap(([type, to]) =>
      to.split(' ').flatMap((target) => (target === '-' ? [] : `${from} ${type} ${target}`)),
    ),
  );
  const happens = table.filter((line) => !onlyReplayed.includes(line));
  expect(rows.map(({ line }) => line).toSorted()).toEqual(happens.toSorted());
}
