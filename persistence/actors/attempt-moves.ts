import type { Pool, QueryConfig } from 'pg';
import { databaseFailure } from '../database/database-failure.ts';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { MOVE_ATTEMPT_AS_SEEN, MOVE_ATTEMPTS_AS_SEEN } from './actor-statements.ts';
import type { AttemptMove } from './actor-store.ts';
import { providerAttemptKind } from './rows/attempt-row.ts';

/**
 * The hot path's writes. Moves that become ready while earlier ones are being written are written together, in one
 * statement and one commit: sixteen at once cost the server a third of sixteen statements. A lone move is written
 * at once, by the statement for one, which costs half of the other's fixed price. Always true: a move is answered after
 * the commit that has it; a move that is stale, locked or refused by a constraint fails alone. Nothing is kept: a crash
 * loses only moves whose callers got no answer.
 */

/** While two are under way the server has work, and further moves gather for the next. */
const STATEMENTS_AT_ONCE = 2;
/** Bounds how long a statement takes, and so how long the next moves wait. */
const MOST_IN_ONE = 32;

interface Waiting extends PromiseWithResolvers<boolean> {
  move: AttemptMove;
}

/** @returns `ActorStore.moveAttemptAsSeen` */
export function createAttemptMoves(pool: Pool): (move: AttemptMove) => Promise<boolean> {
  const waiting: Waiting[] = [];
  let underWay = 0;
  const begin = (): void => {
    while (underWay < STATEMENTS_AT_ONCE && waiting.length > 0) {
      underWay += 1;
      void write(pool, waiting.splice(0, MOST_IN_ONE)).finally(() => {
        underWay -= 1;
        begin();
      });
    }
  };
  return (move) => {
    const one: Waiting = { move, ...Promise.withResolvers<boolean>() };
    // The answers of one statement make the next moves ready one after the other, all before this runs.
    if (waiting.push(one) === 1) setImmediate(begin);
    return one.promise;
  };
}

/** Settles each of the moves; never rejects. */
async function write(pool: Pool, moves: readonly Waiting[]): Promise<void> {
  // Only the statement for several writes receipts.
  const alone = ({ move, resolve, reject }: Waiting) =>
    pool
      .query(move.receipt === null ? moveQuery(move) : movesQuery([move]))
      .then(({ rowCount }) => resolve(rowCount === 1), reject);
  if (moves.length === 1) {
    await Promise.all(moves.map(alone));
    return;
  }
  try {
    const { rows } = await pool.query<{ place: number }>(movesQuery(moves.map(({ move }) => move)));
    const written = new Set(rows.map(({ place }) => place));
    for (const [place, { resolve }] of moves.entries()) resolve(written.has(place));
  } catch (error) {
    // Nothing was written for certain, perhaps because of one of them; else no one knows, of all of them.
    if (databaseFailure(error) !== 'unavailable') await Promise.all(moves.map(alone));
    else for (const { reject } of moves) reject(error);
  }
}

/** The statement for one move with its values. */
export function moveQuery({ seen, attempt, next, entry, underLease, buys }: AttemptMove): QueryConfig {
  return prepared(MOVE_ATTEMPT_AS_SEEN, [
    ...providerAttemptKind.rows.values({ ...attempt, ...next }, entry.event.at),
    seen.job.id,
    seen.job.version,
    underLease?.owner ?? null,
    underLease?.epoch ?? null,
    entry.seq,
    entry.event.type,
    JSON.stringify(entry.event),
    entry.from,
    entry.to,
    entry.by,
    entry.note ?? null,
    buys,
    toDate(attempt.context.sentAt),
  ]);
}

function movesQuery(moves: readonly AttemptMove[]): QueryConfig {
  return prepared(MOVE_ATTEMPTS_AS_SEEN, [JSON.stringify(moves.map(asJson))]);
}

const COLUMNS = ['id', 'version', ...providerAttemptKind.rows.moving];

/** A move as the statement for several reads it; rows have the names of their columns. */
function asJson({ seen, attempt, next, entry, underLease, buys, receipt }: AttemptMove, place: number) {
  const { event } = entry;
  const values = providerAttemptKind.rows.values({ ...attempt, ...next }, event.at);
  const row: Record<string, unknown> = { aiJobId: seen.job.id };
  for (const [index, name] of COLUMNS.entries()) row[name] = values[index];
  return {
    place,
    jobVersion: seen.job.version,
    leaseOwner: underLease?.owner,
    leaseEpoch: underLease?.epoch,
    sentAt: toDate(attempt.context.sentAt),
    buys,
    attempt: row,
    receipt: receipt && { ...receipt, receivedAt: toDate(receipt.at) },
    entry: {
      actorId: entry.id,
      seq: entry.seq,
      eventType: event.type,
      event,
      fromState: entry.from,
      toState: entry.to,
      at: toDate(event.at),
      actedBy: entry.by,
      note: entry.note,
    },
  };
}
