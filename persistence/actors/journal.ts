import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import type { Statement } from './actor-kind.ts';
import { definitionOf } from './actor-kinds.ts';
import type { JournalEntry } from './actor-store.ts';

/** Writes row and journal in one round trip; false when the statement's `moved` has no row. */
export async function writeJournaled(
  client: PoolClient,
  { sql, values }: Statement,
  entry: JournalEntry,
): Promise<boolean> {
  const text = `WITH ${sql}\n${INSERT_JOURNAL} SELECT ${journalParameters(values.length).join(', ')} FROM moved`;
  const all = [...values, ...journalValues(entry)];
  const { rowCount } = await client.query(prepared(text, all)).catch((error: unknown) => {
    definitionOf(entry.kind).rows.refuse?.(error);
    throw error;
  });
  return rowCount === 1;
}

const TYPES = ['text', 'uuid', 'int', 'text', 'jsonb', 'text', 'text', 'timestamptz', 'text', 'int', 'text'];
export const INSERT_JOURNAL = `
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", "leaseEpoch", note)`;
/** The parameters of `journalValues`, which follow `before` other parameters. */
export const journalParameters = (before: number): string[] =>
  TYPES.map((type, index) => `$${before + index + 1}::${type}`);

export function journalValues(entry: JournalEntry): unknown[] {
  return [
    entry.kind,
    entry.id,
    entry.seq,
    entry.event.type,
    JSON.stringify(entry.event),
    entry.from,
    entry.to,
    toDate(entry.event.at),
    entry.by,
    entry.leaseEpoch,
    entry.note ?? null,
  ];
}
