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
  const text = `WITH ${sql}\n${appendJournal(values.length)} FROM moved`;
  const all = [...values, ...journalValues(entry)];
  const { rowCount } = await client.query(prepared(text, all)).catch((error: unknown) => {
    definitionOf(entry.kind).rows.refuse?.(error);
    throw error;
  });
  return rowCount === 1;
}

/** Inserts the journal row if `moved` has a row. The parameters of `journalValues` follow `before` other parameters. */
const appendJournal = (before: number): string => `
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", "leaseEpoch", note)
  SELECT ${['text', 'uuid', 'int', 'text', 'jsonb', 'text', 'text', 'timestamptz', 'text', 'int', 'text']
    .map((type, index) => `$${before + index + 1}::${type}`)
    .join(', ')}`;

function journalValues(entry: JournalEntry): unknown[] {
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
