import type { Pool } from 'pg';
import type { MailKind } from '../entities/values.ts';
import { MUTED_MAILS } from '../mails/due-mails.ts';

/** Switches a kind of mail off for a person; nothing for a deleted account, or when it is off. */
export async function muteMails(
  pool: Pool,
  { userId, kind }: { readonly userId: string; readonly kind: MailKind },
): Promise<void> {
  await pool.query(
    `UPDATE "user" SET "mutesMessages" = "mutesMessages" OR $2 = 'MESSAGE_RECEIVED',
       "mutedMails" = CASE WHEN $2 = 'MESSAGE_RECEIVED' THEN "mutedMails" ELSE array_append("mutedMails", $2) END
     WHERE id = $1 AND email IS NOT NULL AND NOT $2 = ANY ${MUTED_MAILS}`,
    [userId, kind],
  );
}
