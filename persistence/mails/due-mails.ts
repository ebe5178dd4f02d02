import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import type { User } from '../entities/user.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** The rows of mails that wait: each is written with the change that it tells. */
export interface DueMails<M> {
  /**
   * Takes mails that are due. Each is due again later, twice as late after each try, so a sender that dies keeps none
   * back and two senders do not send the same one. `attempts` includes this one.
   */
  take(pool: Pool, page: { at: number; limit: number }): Promise<(M & { readonly attempts: number })[]>;
  /** The mail was sent, is not wanted, or cannot be sent. */
  remove(db: Pool | PoolClient, mail: M): Promise<void>;
  /** The mail waits until then; that it was taken is no try. */
  putOff(db: Pool, mail: M, until: number): Promise<void>;
}

/** The mails of a table with the columns `attempts` and `nextAttemptAt`, and an index on the latter. */
export function dueMails<M extends object>(table: string, key: readonly (keyof M & string)[]): DueMails<M> {
  const columns = (alias: string) => key.map((name) => `${alias}"${name}"`).join(', ');
  const where = key.map((name, index) => `"${name}" = $${index + 1}`).join(' AND ');
  const take = `
    UPDATE ${table} m SET attempts = m.attempts + 1,
      "nextAttemptAt" = $1::timestamptz
        + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ m.attempts) * interval '1 millisecond'
    FROM (SELECT ${columns('')} FROM ${table} WHERE "nextAttemptAt" <= $1
          ORDER BY "nextAttemptAt" LIMIT $2 FOR UPDATE SKIP LOCKED) due
    WHERE (${columns('m.')}) = (${columns('due.')})
    RETURNING ${columns('m.')}, m.attempts`;
  return {
    async take(pool, { at, limit }) {
      return (await pool.query(take, [toDate(at), limit])).rows;
    },
    async remove(db, mail) {
      await db.query(
        `DELETE FROM ${table} WHERE ${where}`,
        key.map((name) => mail[name]),
      );
    },
    async putOff(db, mail, until) {
      await db.query(
        `UPDATE ${table} SET attempts = greatest(attempts - 1, 0), "nextAttemptAt" = $${key.length + 1} WHERE ${where}`,
        [...key.map((name) => mail[name]), toDate(until)],
      );
    },
  };
}

/** Who reads a mail. */
export type MailReader = Pick<User, 'locale' | 'mutedMails'> & { readonly email: string };

/**
 * SQL: the kinds of mail that the person in the row of "user" does not want. Mails about messages have a column of their
 * own: the release before knows the other kinds only, and could not answer with a list that has more.
 */
export const MUTED_MAILS = `(CASE WHEN "mutesMessages" THEN "mutedMails" || '{MESSAGE_RECEIVED}' ELSE "mutedMails" END)`;

/** Null for a deleted account. */
export async function mailReader(pool: Pool, userId: string): Promise<MailReader | null> {
  const { rows } = await pool.query<MailReader>(
    `SELECT email, locale, ${MUTED_MAILS} AS "mutedMails" FROM "user" WHERE id = $1 AND email IS NOT NULL`,
    [userId],
  );
  return rows[0] ?? null;
}
