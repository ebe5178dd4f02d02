import type { Pool } from 'pg';
import { expect } from 'vitest';
import { firstState } from '../../../machines/step.ts';
import { type ActorKind, definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import { EVERY_MACHINE, movesOf } from '../../support/machines/every-machine.ts';

/**
 * Fails unless the journal of the whole database holds exactly the transitions of the machine, which
 * tests/machines compares with its table, those by messages between actors included. Births are no transitions, except those by an event: they start from the
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
  const [, events] = EVERY_MACHINE.find(([{ id }]) => id === machine.id) ?? [machine, []];
  const happens = [...movesOf(machine, events).taken].filter((line) => !onlyReplayed.includes(line));
  expect(rows.map(({ line }) => line).toSorted()).toEqual(happens.toSorted());
}
