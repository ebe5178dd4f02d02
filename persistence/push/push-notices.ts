import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { type DueMails, dueMails } from '../listings/due-mails.ts';

/** What a notice is about; its `subjectId` is the tour, the thread, or what an alert is about, such as a saved search. */
export type NoticeKind = 'TOUR' | 'MESSAGE' | 'ALERT';

/** What an alert says. The others are put into words when they are sent. */
export interface NoticeWords {
  /** One line, in the person's language, which anyone may read on a locked screen. */
  readonly line: string;
  /** On the site, with the language's prefix, such as `/es/search`. */
  readonly path: string;
}

/** A notice for one browser (0165). */
export interface PushNotice {
  readonly sessionId: string;
  readonly kind: NoticeKind;
  readonly subjectId: string;
  /** Grows with every notice about the subject: the version of the tour, the number of the message. */
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

/** The words of an alert, and when it was written. Null when another one has taken its place. */
export async function noticeContent(
  pool: Pool,
  { sessionId, kind, subjectId, seq }: PushNotice,
): Promise<{ words: NoticeWords | null; createdAt: Date } | null> {
  const { rows } = await pool.query<{ words: NoticeWords | null; createdAt: Date }>(
    `SELECT words, "createdAt" FROM push_notices
     WHERE "sessionId" = $1 AND kind = $2 AND "subjectId" = $3 AND seq = $4`,
    [sessionId, kind, subjectId, seq],
  );
  return rows[0] ?? null;
}

interface NewNotice {
  readonly subjectId: string;
  readonly seq: number;
  /** Now. */
  readonly at: number;
}

/** SQL: a row for each browser of the people, in the transaction that they learn of. */
const WRITE = 'SELECT write_push_notices($1, $2, $3, $4, $5, $6, $7)';

/** For the readers of a message, due when they have not read it for so long; one that waits is kept. */
export async function writeMessageNotices(
  client: PoolClient,
  { readers, subjectId, seq, at, dueAt }: NewNotice & { readonly readers: string[]; readonly dueAt: number },
): Promise<void> {
  await client.query(WRITE, [readers, 'MESSAGE', subjectId, seq, null, toDate(at), toDate(dueAt)]);
}

/**
 * Tells a person of something by push, on each browser where they have asked for it; nothing happens where they have not.
 * In the transaction that decides it, or by itself. A later notice about the same subject takes the place of one that was
 * not read. It counts in the limit of the hour, and what is beyond is dropped: it must be told elsewhere as well.
 */
export async function tellByPush(
  db: Pool | PoolClient,
  { userId, subjectId, seq, words, at }: NewNotice & { readonly userId: string; readonly words: NoticeWords },
): Promise<void> {
  await db.query(WRITE, [[userId], 'ALERT', subjectId, seq, JSON.stringify(words), toDate(at), toDate(at)]);
}
