import type { Pool } from 'pg';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { dueMails } from '../mails/due-mails.ts';

/** Mails about sign-ins on new devices (0105). */
export interface SignInMail {
  readonly id: string;
}

export const signInMails = dueMails<SignInMail>('sign_in_mails', ['id']);

interface SignInRow {
  readonly userId: string;
  readonly signedInAt: Date;
  readonly client: string | null;
  readonly system: string | null;
  /** A /24 or /48. */
  readonly network: string | null;
}
/** What the mail is about. */
export type NewDeviceSignIn = Millis<SignInRow>;

export async function storeSignInMail(
  pool: Pool,
  { userId, signedInAt, client, system, network }: NewDeviceSignIn,
): Promise<void> {
  await pool.query(
    `INSERT INTO sign_in_mails ("userId", "signedInAt", client, system, network, "nextAttemptAt")
     VALUES ($1, $2, $3, $4, $5, $2)`,
    [userId, toDate(signedInAt), client, system, network],
  );
}

/** Null when its account was deleted. */
export async function newDeviceSignIn(pool: Pool, { id }: SignInMail): Promise<NewDeviceSignIn | null> {
  const { rows } = await pool.query<SignInRow>(
    `SELECT "userId", "signedInAt", client, system, network FROM sign_in_mails WHERE id = $1`,
    [id],
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}
