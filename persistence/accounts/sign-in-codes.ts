import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';

/**
 * Mailed sign-in codes. Always true: a code belongs to an address and to the client that requested it (`holder`), so no
 * other client can replace it; only its keyed hash is stored; it is used once. At most `MAX_CODE_TRIES` wrong tries of
 * its holder are compared with it. Clients on the holder's network without its cookie have as many tries, counted
 * separately. Expired codes are removed by age (`retention.ts`).
 */
export const MAX_CODE_TRIES = 3;
/** Live and expired codes together. The limits of sending allow fewer, but Redis may lose them. */
export const MAX_CODES_PER_ADDRESS = 64;

export interface Asker {
  /** In lower case. */
  email: string;
  holder: string;
  network: string;
}

/**
 * Replaces the holder's earlier code and resets the tries. When the address has too many codes, the oldest are deleted.
 */
export async function storeSignInCode(
  pool: Pool,
  code: Asker & { codeHash: string; at: number; expiresAt: number },
): Promise<void> {
  await pool.query(
    named(
      `WITH crowded AS (
         DELETE FROM sign_in_codes WHERE email = :email AND holder IN (
           SELECT holder FROM sign_in_codes WHERE email = :email AND holder <> :holder
           ORDER BY "askedAt" DESC OFFSET ${MAX_CODES_PER_ADDRESS - 1}))
       INSERT INTO sign_in_codes (email, holder, network, "codeHash", "askedAt", "expiresAt")
       VALUES (:email, :holder, :network, :codeHash, :at, :expiresAt)
       ON CONFLICT (email, holder) DO UPDATE SET network = excluded.network, "codeHash" = excluded."codeHash",
         tries = 0, "looseTries" = 0, "askedAt" = excluded."askedAt", "expiresAt" = excluded."expiresAt"`,
      { ...code, at: toDate(code.at), expiresAt: toDate(code.expiresAt) },
    ),
  );
}

/** The networks of other clients that requested codes for the address; of at most `MAX_CODES_PER_ADDRESS` codes. */
export async function networksAskingFor(
  pool: Pool,
  { email, network, since }: Pick<Asker, 'email' | 'network'> & { since: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ network: string }>(
    `SELECT network FROM sign_in_codes WHERE email = $1 AND network <> $2 AND "askedAt" > $3 ORDER BY "askedAt" DESC`,
    [email, network, toDate(since)],
  );
  return rows.map((row) => row.network);
}

/** The code with which a try is compared. */
export interface FoundCode {
  email: string;
  holder: string;
  /** True when the client is the holder. Otherwise this is the latest code that the client's network requested. */
  isOwn: boolean;
  isExpired: boolean;
}

/** @param holder null for a client without a cookie */
export async function findSignInCode(
  pool: Pool,
  { email, holder, network, at }: Omit<Asker, 'holder'> & { holder: string | null; at: number },
): Promise<FoundCode | null> {
  const { rows } = await pool.query<FoundCode>(
    `SELECT email, holder, holder IS NOT DISTINCT FROM $2 AS "isOwn", "expiresAt" <= $4 AS "isExpired"
     FROM sign_in_codes WHERE email = $1 AND (holder = $2 OR network = $3)
     ORDER BY "isOwn" DESC, "askedAt" DESC LIMIT 1`,
    [email, holder, network, toDate(at)],
  );
  return rows[0] ?? null;
}

export type CodeOutcome = 'right' | 'wrong' | 'expired' | 'tried-too-often';

/**
 * Compares the code and counts the try in one statement, so that concurrent tries are all counted. A right code is
 * deleted.
 */
export async function redeemSignInCode(
  pool: Pool,
  { email, holder, isOwn, isExpired }: FoundCode,
  { codeHash, at }: { codeHash: string; at: number },
): Promise<CodeOutcome> {
  if (isExpired) return 'expired';
  const tries = isOwn ? 'tries' : '"looseTries"';
  const { rows } = await pool.query<{ isRight: boolean }>(
    `UPDATE sign_in_codes SET ${tries} = ${tries} + 1
     WHERE email = $1 AND holder = $2 AND "expiresAt" > $4 AND ${tries} < $5
     RETURNING "codeHash" = $3 AS "isRight"`,
    [email, holder, codeHash, toDate(at), MAX_CODE_TRIES],
  );
  const [compared] = rows;
  if (compared === undefined) return 'tried-too-often';
  if (!compared.isRight) return 'wrong';
  const { rowCount } = await pool.query(
    `DELETE FROM sign_in_codes WHERE email = $1 AND holder = $2 AND "codeHash" = $3`,
    [email, holder, codeHash],
  );
  // `wrong`: another call used the code at the same time, or it was replaced.
  return rowCount === 1 ? 'right' : 'wrong';
}
