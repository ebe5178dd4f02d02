import type { Pool } from 'pg';
import type { TourParty } from '../../machines/tour.ts';
import { toDate } from '../database/instants.ts';
import type { User } from '../entities/user.ts';

/** A change of a tour of which a side may have to be told (0056). */
export interface TourMail {
  readonly tourId: string;
  /** The version of the tour that the change made, and the number of its journal row. */
  readonly seq: number;
  readonly side: TourParty;
  /** This try included. */
  readonly attempts: number;
}

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/**
 * Takes mails that are due. Each is due again later, twice as late after each try, so a sender that dies keeps none
 * back and two senders do not send the same one.
 */
export async function takeTourMails(
  pool: Pool,
  { at, limit }: { at: number; limit: number },
): Promise<TourMail[]> {
  const { rows } = await pool.query<TourMail>(
    `UPDATE tour_mails m SET attempts = m.attempts + 1,
       "nextAttemptAt" = $1::timestamptz
         + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ m.attempts) * interval '1 millisecond'
     FROM (SELECT "tourId", seq, side FROM tour_mails WHERE "nextAttemptAt" <= $1
           ORDER BY "nextAttemptAt" LIMIT $2 FOR UPDATE SKIP LOCKED) due
     WHERE m."tourId" = due."tourId" AND m.seq = due.seq AND m.side = due.side
     RETURNING m."tourId", m.seq, m.side, m.attempts`,
    [toDate(at), limit],
  );
  return rows;
}

/** The mail was sent, is not wanted, or cannot be sent. */
export async function removeTourMail(pool: Pool, { tourId, seq, side }: TourMail): Promise<void> {
  await pool.query(`DELETE FROM tour_mails WHERE "tourId" = $1 AND seq = $2 AND side = $3`, [
    tourId,
    seq,
    side,
  ]);
}

/** Who reads a mail. */
export type MailReader = Pick<User, 'locale' | 'mutedMails'> & { readonly email: string };

/** Null for a deleted account. */
export async function mailReader(pool: Pool, userId: string): Promise<MailReader | null> {
  const { rows } = await pool.query<MailReader>(
    `SELECT email, locale, "mutedMails" FROM "user" WHERE id = $1 AND email IS NOT NULL`,
    [userId],
  );
  return rows[0] ?? null;
}
