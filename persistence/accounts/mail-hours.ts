import type { Pool, PoolClient } from 'pg';
import { MESSAGE_MAILS_PER_HOUR } from '../../machines/limits.ts';
import { toDate } from '../database/instants.ts';
import { type DueMails, dueMails } from '../mails/due-mails.ts';

/**
 * The mails about changes that each person got in an hour (UTC), and the changes beyond the limit (0106). When the hour is
 * over these are sent as one digest, so a flood of changes is one more mail an hour.
 */

const HOUR_MS = 3_600_000;
/** A process whose clock is behind may still add to the hour that has just ended. */
const GRACE_MS = 60_000;
/** A digest names so many changes, and counts the others. */
const MOST_LINES = 20;

/** A change in a digest. */
export interface DigestLine {
  /** What has changed, and about which home. */
  readonly words: string;
  /** Where on the site to see it. */
  readonly address: string;
}

interface PersonHour {
  readonly userId: string;
  /** Now. */
  readonly at: number;
}

/** A change for the digest of the hour. */
export interface HeldMail extends PersonHour {
  readonly line: DigestLine;
}

const hourOf = (at: number): number => at - (at % HOUR_MS);

/** A mail that counts in an hour. Those about messages also have a limit of their own. */
interface CountedMail extends PersonHour {
  readonly isAboutMessages: boolean;
}

/**
 * Counts a mail that is about to be sent. @returns false when the person has had `limit` mails in this hour (null: no limit),
 * or as many about messages as they get
 */
export async function takeMailOfHour(
  pool: Pool,
  { userId, at, limit, isAboutMessages }: CountedMail & { readonly limit: number | null },
): Promise<boolean> {
  const hour = hourOf(at);
  const { rowCount } = await pool.query(
    `INSERT INTO mail_hours AS h ("userId", hour, sent, "messageMails", "nextAttemptAt") VALUES ($1, $2, 1, $5, $3)
     ON CONFLICT ("userId", hour) DO UPDATE SET sent = h.sent + 1, "messageMails" = h."messageMails" + $5
       WHERE ($4::int IS NULL OR h.sent < $4) AND h."messageMails" + $5 <= ${MESSAGE_MAILS_PER_HOUR}`,
    [userId, toDate(hour), toDate(hour + HOUR_MS + GRACE_MS), limit, Number(isAboutMessages)],
  );
  return rowCount === 1;
}

/** The mail that was counted could not be sent. */
export async function giveBackMail(pool: Pool, { userId, at, isAboutMessages }: CountedMail): Promise<void> {
  await pool.query(
    `UPDATE mail_hours SET sent = sent - 1, "messageMails" = "messageMails" - $3
     WHERE "userId" = $1 AND hour = $2`,
    [userId, toDate(hourOf(at)), Number(isAboutMessages)],
  );
}

/** Adds a change to the digest of this hour, whose mails are used up. */
export async function holdForDigest(client: PoolClient, { userId, at, line }: HeldMail): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE mail_hours SET held = held + 1,
       lines = CASE WHEN held < ${MOST_LINES} THEN lines || $3::jsonb ELSE lines END
     WHERE "userId" = $1 AND hour = $2`,
    [userId, toDate(hourOf(at)), JSON.stringify([line])],
  );
  // The hour has just ended: the mail stays, and counts in the next one.
  if (rowCount === 0) throw new Error('The hour of the mail is over');
}

/** The digest of an hour. `held` is part of the key, so that one that grew while it was sent is sent again. */
export interface DigestMail {
  readonly userId: string;
  readonly hour: Date;
  readonly held: number;
}

export const digestMails: DueMails<DigestMail> = dueMails('mail_hours', ['userId', 'hour', 'held']);

/** The changes that a digest names, oldest first. */
export async function linesOf(pool: Pool, { userId, hour }: DigestMail): Promise<readonly DigestLine[]> {
  const { rows } = await pool.query<{ lines: DigestLine[] }>(
    'SELECT lines FROM mail_hours WHERE "userId" = $1 AND hour = $2',
    [userId, hour],
  );
  return rows[0]?.lines ?? [];
}
