import type { Pool, PoolClient } from 'pg';
import { isSilence } from '../database/database-failure.ts';
import { prepared } from '../database/prepared.ts';
import type { Row } from './actor-kind.ts';
import { definitionOf } from './actor-kinds.ts';
import * as statements from './actor-statements.ts';
import type { ActorStore } from './actor-store.ts';
import { createAttemptMoves } from './attempt-moves.ts';
import { createAttemptReads } from './attempt-reads.ts';
import { createPostgresLeases } from './postgres-leases.ts';
import { createPostgresTransaction } from './postgres-transaction.ts';
import { aggregateOf, type JobAggregate } from './rows/job-row.ts';
import { createSeenChanges } from './seen-changes.ts';

/**
 * The actor store on PostgreSQL. It owns no state: every method is one transaction or one statement on a
 * pooled connection. A connection that breaks inside a transaction leaves it rolled back or, when only the
 * commit's answer was lost, applied: callers read the row again rather than assume.
 */
export function createPostgresActorStore(pool: Pool): ActorStore {
  return {
    transaction: (work) => inTransaction(pool, (client) => work(createPostgresTransaction(client))),
    readJob: (jobId) => readJob(pool, jobId),
    readJobOfAttempt: createAttemptReads(pool),
    moveAttemptAsSeen: createAttemptMoves(pool),
    writeAsSeen: createSeenChanges(pool),
    async lastSendToken(attemptId) {
      const { rows } = await pool.query<{ token: string }>(statements.LAST_SEND_TOKEN, [attemptId]);
      return rows[0]?.token ?? null;
    },
    async read(kind, id) {
      const { select, base, fromRow } = definitionOf(kind).rows;
      const { rows } = await pool.query<Row>(`${select()} WHERE ${base} AND t.id = $1`, [id]);
      return rows[0] ? (fromRow(rows[0]) as never) : null;
    },
    ...createPostgresLeases(pool, 'ROOM_STAGING'),
  };
}

/**
 * Runs `work` between BEGIN and COMMIT at read committed; rolls back on any throw. A connection whose rollback or
 * commit fails is dropped from the pool, since its state is unknown.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // pg-pool leaves a checked-out client's errors to its holder; the query in flight rejects on its own.
  const noteBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBroken);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    // After a failed statement PostgreSQL answers COMMIT with ROLLBACK and no error, even when `work` swallowed it.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    return result;
  } catch (error) {
    // A connection that did not answer the statement will not answer ROLLBACK.
    if (isSilence(error)) noteBroken(error);
    else await client.query('ROLLBACK').catch(noteBroken);
    throw error;
  } finally {
    client.off('error', noteBroken);
    client.release(broken);
  }
}

async function readJob(pool: Pool, jobId: string): Promise<JobAggregate | null> {
  const { rows } = await pool.query(prepared(statements.READ_JOB, [jobId]));
  return rows[0] ? aggregateOf(rows[0]) : null;
}
