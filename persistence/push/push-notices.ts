import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { type DueMails, dueMails } from '../mails/due-mails.ts';

/** What a notice is about; its `subjectId` is the tour, the thread, or the saved search; of saved homes the person. */
export type NoticeKind = 'TOUR' | 'MESSAGE' | 'ALERT';

/** A notice for one browser (0165). */
export interface PushNotice {
  readonly sessionId: string;
  readonly kind: NoticeKind;
  readonly subjectId: string;
  /**
   * Grows with every notice about the subject: the version of the tour, the number of the message, the time of the alert
   * in milliseconds.
   */
  readonly seq: string;
}

const notices = dueMails<PushNotice>('push_notices', ['sessionId', 'kind', 'subjectId', 'seq']);

/** What came while one was sent is due now. */
const HASTEN = `
  UPDATE push_notices SET "nextAttemptAt" = "createdAt"
  WHERE "sessionId" = $1 AND kind = $2 AND "subjectId" = $3 AND seq > $4 AND attempts = 0 AND kind <> 'MESSAGE'`;

export const pushNotices: Pick<DueMails<PushNotice>, 'take' | 'remove'> = {
  take: notices.take,
  async remove(db, notice) {
    await notices.remove(db, notice);
    const { sessionId, kind, subjectId, seq } = notice;
    await db.query(HASTEN, [sessionId, kind, subjectId, seq]);
  },
};

/** Lets a notice wait until then, because its service asks for it. */
export async function postpone(pool: Pool, { sessionId, kind, subjectId, seq }: PushNotice, until: number) {
  await pool.query(
    `UPDATE push_notices SET "nextAttemptAt" = $5
     WHERE "sessionId" = $1 AND kind = $2 AND "subjectId" = $3 AND seq = $4`,
    [sessionId, kind, subjectId, seq, toDate(until)],
  );
}

/** When a notice was written. Null when another one has taken its place. */
export async function writtenAt(
  pool: Pool,
  { sessionId, kind, subjectId, seq }: PushNotice,
): Promise<Date | null> {
  const { rows } = await pool.query<{ createdAt: Date }>(
    `SELECT "createdAt" FROM push_notices
     WHERE "sessionId" = $1 AND kind = $2 AND "subjectId" = $3 AND seq = $4`,
    [sessionId, kind, subjectId, seq],
  );
  return rows[0]?.createdAt ?? null;
}

interface NewNotice {
  readonly subjectId: string;
  readonly seq: number;
  /** Now. */
  readonly at: number;
}

/** SQL: a row for each browser of the people, in the transaction that they learn of. */
const WRITE = 'SELECT write_push_notices($1, $2, $3, $4, $5, $6)';

/** For the readers of a message, due when they have not read it for so long; one that waits is kept. */
export async function writeMessageNotices(
  client: PoolClient,
  { readers, subjectId, seq, at, dueAt }: NewNotice & { readonly readers: string[]; readonly dueAt: number },
): Promise<void> {
  await client.query(WRITE, [readers, 'MESSAGE', subjectId, seq, toDate(at), toDate(dueAt)]);
}

/**
 * Queues an alert for each browser of a person. A later notice about the same search takes the place of one
 * that was not read. It counts in the limit of the hour, and what is beyond is dropped: the site shows it as well.
 */
export async function writeAlertNotices(
  client: PoolClient,
  { userId, subjectId, at }: Omit<NewNotice, 'seq'> & { readonly userId: string },
): Promise<void> {
  await client.query(WRITE, [[userId], 'ALERT', subjectId, at, toDate(at), toDate(at)]);
}
