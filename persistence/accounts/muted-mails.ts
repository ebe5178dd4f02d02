import type { Pool } from 'pg';
import type { MailKind } from '../entities/values.ts';

/** Switches a kind of mail off for a person; nothing for a deleted account, or when it is off. */
export async function muteMails(
  pool: Pool,
  { userId, kind }: { readonly userId: string; readonly kind: MailKind },
): Promise<void> {
  await pool.query(
    `UPDATE "user" SET "mutedMails" = array_append("mutedMails", $2)
     WHERE id = $1 AND email IS NOT NULL AND NOT $2 = ANY ("mutedMails")`,
    [userId, kind],
  );
}
