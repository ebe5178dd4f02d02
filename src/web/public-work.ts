import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Reader } from '../../persistence/database/reader.ts';
import type { PublicCaller } from '../api/services.ts';
import { BoundReached, isCrowded, PublicError } from '../errors/errors.ts';
import { clientOf } from '../limits/client-network.ts';
import { createFairQueue, QueueFull } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import type { WorkBudget } from '../limits/work-budget.ts';
import { isTimeout, limitTime } from '../time.ts';

/** Connections for the statements of the public. */
export const PUBLIC_CONNECTIONS = 8;
/** Calls of the public at a time: while some wait for PostgreSQL, the process makes the answer of another. */
const LANES = 4;
/** Of these, for one client. Other clients always find a free lane. */
const LANES_EACH = 2;
const MOST_WAITING = 400;
/** A statement that takes longer is given up: it reads far more than an index needs to. */
export const PUBLIC_STATEMENT_MS = 2_000;
/** For a turn. Everyone who waits longer is better off with an answer that says so. */
const TURN_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The work that the public's questions need, in turns that are fair between clients and within the budget of each
 * (`PUBLIC_WORK_PER_NETWORK_MS`): the time of statements and of writing answers. A few calls run at a time, and the next
 * is of the client whose calls have taken the least time, so that a visitor waits for one question of each other client
 * at most. It holds no state that matters; a crash loses the waiting work with its requests.
 */
export function createPublicWork({ budget, rejections }: { budget: WorkBudget; rejections: RejectionLog }) {
  const calls = createFairQueue({ lanes: LANES, lanesEach: LANES_EACH, mostWaiting: MOST_WAITING });

  const inTurn = async <T>(client: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> => {
    const patience = limitTime(TURN_MS, signal);
    try {
      return await calls.run({ clients: [client], subject: '' }, task, patience.signal);
    } catch (error) {
      if (!(error instanceof QueueFull) && !isTimeout(error)) throw error;
      rejections.note('questions SERVICE_UNAVAILABLE', { client });
      const cause = new BoundReached('a question of the public had no turn in time', { cause: error });
      throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    } finally {
      patience.release();
    }
  };

  return {
    /**
     * Runs one call of a public procedure. A client that has used its share waits before it has a turn, so it keeps no
     * turn from others.
     * @param write makes the answer of what was loaded, without waiting
     * @throws PublicError RATE_LIMITED when the caller has used its share, SERVICE_UNAVAILABLE when too many wait, or the
     *   error of `load`
     */
    async call<D, A>(caller: PublicCaller, load: () => Promise<D>, write: (data: D) => A): Promise<A> {
      const client = clientOf(caller);
      const { signal } = caller.request;
      const settle = await budget.begin(client, signal).catch((error: unknown) => {
        if (isCrowded(error)) rejections.note('questions RATE_LIMITED', { client });
        throw error;
      });
      let took = 0;
      const task = async () => {
        const data = await load();
        const since = performance.now();
        const answer = write(data);
        took = performance.now() - since;
        return answer;
      };
      return inTurn(client, signal, task).finally(() => settle(took));
    },
    /** The reader for one caller: the time of its statements is charged to the caller. */
    readerFor(caller: PublicCaller, reader: Reader): Reader {
      const client = clientOf(caller);
      return {
        async query<R extends QueryResultRow>(
          statement: string | QueryConfig,
          values?: unknown[],
        ): Promise<QueryResult<R>> {
          const since = performance.now();
          try {
            return await reader.query<R>(statement, values);
          } finally {
            budget.charge(client, performance.now() - since);
          }
        },
      };
    },
  };
}

export type PublicWork = ReturnType<typeof createPublicWork>;
