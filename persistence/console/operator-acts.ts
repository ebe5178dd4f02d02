import type { Pool, PoolClient } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';

/**
 * The trail of what operators did to accounts, listings, invitations and clients of the feed, which are no actors and have no journal. Rows
 * never change.
 */
export interface ActTrail {
  /** `operator:<name>`, as in the journal. */
  by: string;
  reason: string;
  at: number;
}
type ActSubject =
  | { personId: string }
  | { propertyId: string }
  | { invitationId: string }
  | { clientId: string };
type SubjectColumn = 'personId' | 'propertyId' | 'invitationId' | 'clientId';

/** A page of rows by their id. */
export interface Page {
  afterId: string | null;
  limit: number;
}

export interface OperatorAct {
  id: string;
  act: string;
  by: string;
  reason: string;
  at: Date;
}

function subjectOf(subject: ActSubject): readonly [column: SubjectColumn, id: string] {
  if ('personId' in subject) return ['personId', subject.personId];
  if ('propertyId' in subject) return ['propertyId', subject.propertyId];
  if ('clientId' in subject) return ['clientId', subject.clientId];
  return ['invitationId', subject.invitationId];
}

/** Writes the line in the transaction of the act. */
export async function recordAct(
  client: PoolClient,
  subject: ActSubject & { act: string },
  { by, reason, at }: ActTrail,
): Promise<void> {
  const [column, id] = subjectOf(subject);
  await client.query(
    `INSERT INTO operator_acts (act, "${column}", by, reason, at) VALUES ($1, $2, $3, $4, $5)`,
    [subject.act, id, by, reason, toDate(at)],
  );
}

/** SQL: how many acts there were about a row, which is its version for operators. */
export const actCount = (column: SubjectColumn, id: string): string =>
  `(SELECT count(*)::int FROM operator_acts o WHERE o."${column}" = ${id})`;

/** The latest acts about a person or a listing, the newest first. */
export async function actsAbout(
  pool: Pool,
  subject: ActSubject,
  limit: number,
): Promise<Millis<OperatorAct>[]> {
  const [column, id] = subjectOf(subject);
  const { rows } = await pool.query<OperatorAct>(
    `SELECT id, act, by, reason, at FROM operator_acts WHERE "${column}" = $1
     ORDER BY at DESC, id LIMIT $2`,
    [id, limit],
  );
  return rows.map(withMillis);
}
