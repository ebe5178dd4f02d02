import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';
import type { Row } from './actor-kind.ts';
import { READ_JOBS_OF_ATTEMPTS } from './actor-statements.ts';
import { aggregateOf, type JobAggregate } from './rows/job-row.ts';

/**
 * Reads jobs by their attempts. Those that are asked for while an earlier read is under way are read together, in one
 * statement; each read begins after it was asked for. Nothing is kept.
 */
const MOST_IN_ONE = 32;

interface Waiting extends PromiseWithResolvers<JobAggregate | null> {
  attemptId: string;
}

/** @returns `ActorStore.readJobOfAttempt` */
export function createAttemptReads(pool: Pool): (attemptId: string) => Promise<JobAggregate | null> {
  const waiting: Waiting[] = [];
  let isReading = false;
  const begin = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    while (waiting.length > 0) await read(pool, waiting.splice(0, MOST_IN_ONE));
    isReading = false;
  };
  return (attemptId) => {
    const one: Waiting = { attemptId, ...Promise.withResolvers<JobAggregate | null>() };
    waiting.push(one);
    void begin();
    return one.promise;
  };
}

/** Settles each of them; never rejects. */
async function read(pool: Pool, asked: readonly Waiting[]): Promise<void> {
  try {
    const ids = asked.map(({ attemptId }) => attemptId);
    const { rows } = await pool.query<Row>(prepared(READ_JOBS_OF_ATTEMPTS, [ids]));
    const found = new Map<string, JobAggregate>();
    for (const aggregate of rows.map(aggregateOf))
      for (const { id } of aggregate.attempts) found.set(id, aggregate);
    for (const { attemptId, resolve } of asked) resolve(found.get(attemptId) ?? null);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
