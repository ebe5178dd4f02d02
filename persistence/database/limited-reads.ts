import type pg from 'pg';
import { createPool, type DatabaseOptions } from './database.ts';
import type { Reader } from './reader.ts';

/** Reads on separate connections, with a time limit. */
export interface LimitedReads {
  readonly reader: Reader;
  close(): Promise<void>;
}

/**
 * A connection is opened within this time, and an answer that is late by more than this says that the connection is dead.
 */
const GRACE_MS = 2_000;

/**
 * Opens a pool for statements that PostgreSQL itself gives up after a time. The limit belongs to the connection; behind a
 * pooler, whose connections are shared, each statement is sent with a transaction that sets it, in one round trip.
 */
export function openLimitedReads(
  options: Omit<DatabaseOptions, 'patience'> & { readonly statementMs: number },
): LimitedReads {
  const { statementMs, pooler } = options;
  const patience = { connectMs: GRACE_MS, statementMs, answerMs: statementMs + GRACE_MS };
  const inTransactions = pooler === 'transaction';
  const pool = createPool({ ...options, patience, pipeline: inTransactions });
  return {
    reader: inTransactions ? readerByTransaction(pool, statementMs) : pool,
    close: () => pool.end(),
  };
}

function readerByTransaction(pool: pg.Pool, statementMs: number): Reader {
  const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${statementMs}`;
  return {
    async query(statement, values) {
      const client = await pool.connect();
      // The last one ends the transaction, whatever failed.
      const sent = [client.query(begin), client.query(statement, values), client.query('COMMIT')] as const;
      const [begun, answered, ended] = await Promise.allSettled(sent);
      const failed = [begun, ended].some(({ status }) => status === 'rejected');
      client.release(failed);
      if (begun.status === 'rejected') throw begun.reason;
      if (answered.status === 'rejected') throw answered.reason;
      return answered.value;
    },
  };
}
