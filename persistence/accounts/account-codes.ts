import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import type { AccountCodePurpose } from '../entities/values.ts';

/**
 * Mailed codes that confirm something about an account. Always true: at most one code per person and purpose, and a
 * newer one replaces it; only its keyed hash is stored; at most `MAX_CODE_TRIES` wrong tries are compared with it.
 */
const MAX_CODE_TRIES = 3;

interface CodeKey {
  userId: string;
  purpose: AccountCodePurpose;
}

/** Replaces the earlier code and resets the tries. It waits for a deletion of the account, and stores nothing after it. */
export async function storeAccountCode(
  pool: Pool,
  { userId, purpose, codeHash, expiresAt }: CodeKey & { codeHash: string; expiresAt: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO account_codes ("userId", purpose, "codeHash", "expiresAt")
     SELECT id, $2, $3, $4 FROM "user" WHERE id = $1 AND email IS NOT NULL FOR KEY SHARE
     ON CONFLICT ("userId", purpose) DO UPDATE
       SET "codeHash" = excluded."codeHash", tries = 0, "expiresAt" = excluded."expiresAt"`,
    [userId, purpose, codeHash, toDate(expiresAt)],
  );
}

/** Compares hashes and counts a wrong try in one statement, so that concurrent tries are all counted. */
export async function tryAccountCode(
  pool: Pool,
  { userId, purpose, codeHash, at }: CodeKey & { codeHash: string; at: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ isRight: boolean }>(
    `UPDATE account_codes SET tries = tries + CASE WHEN "codeHash" = $3 THEN 0 ELSE 1 END
     WHERE "userId" = $1 AND purpose = $2 AND "expiresAt" > $4 AND tries < $5
     RETURNING "codeHash" = $3 AS "isRight"`,
    [userId, purpose, codeHash, toDate(at), MAX_CODE_TRIES],
  );
  return rows[0]?.isRight === true;
}

/** Consumes the code and marks the session as verified. False when it was used or replaced meanwhile, or the session ended. */
export async function verifySession(
  pool: Pool,
  { userId, codeHash, sessionId, at }: { userId: string; codeHash: string; sessionId: string; at: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `WITH taken AS (
       DELETE FROM account_codes WHERE "userId" = $1 AND purpose = 'verification' AND "codeHash" = $2 RETURNING "userId")
     UPDATE session SET "verifiedAt" = $4 FROM taken WHERE id = $3 AND session."userId" = taken."userId"`,
    [userId, codeHash, sessionId, toDate(at)],
  );
  return rowCount === 1;
}

/** Consumes the code. False when it was used or replaced meanwhile. */
export async function takeAccountCode(
  client: PoolClient,
  { userId, purpose, codeHash }: CodeKey & { codeHash: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `DELETE FROM account_codes WHERE "userId" = $1 AND purpose = $2 AND "codeHash" = $3`,
    [userId, purpose, codeHash],
  );
  return rowCount === 1;
}
