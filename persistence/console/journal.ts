import type { Pool } from 'pg';
import type { ActorKind } from '../actors/actor-kinds.ts';
import { type Stored, withMillis } from '../database/instants.ts';

/** A row of an actor's journal, as operators see it. The event is complete: nothing is left out yet. */
export interface JournalStep {
  seq: number;
  event: { type: string; at: number } & Record<string, unknown>;
  /** Null for births and for rows of migrations. */
  from: string | null;
  to: string;
  /** Milliseconds since 1970. */
  at: number;
  by: string;
  leaseEpoch: number | null;
  /** Why, in the words of the person who requested it. */
  note: string | null;
}

/** The first journal rows of one actor, in order. */
export async function journalSteps(
  pool: Pool,
  { kind, id, limit }: { kind: ActorKind; id: string; limit: number },
): Promise<JournalStep[]> {
  const { rows } = await pool.query<Stored<JournalStep, 'at'>>(
    `SELECT seq, event, "fromState" AS "from", "toState" AS "to", at, "actedBy" AS by, "leaseEpoch", note
     FROM actor_transitions WHERE "actorKind" = $1 AND "actorId" = $2 ORDER BY seq LIMIT $3`,
    [kind, id, limit],
  );
  return rows.map(withMillis);
}
