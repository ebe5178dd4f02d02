import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Reader } from '../../persistence/database/reader.ts';
import type { PublicCaller } from '../api/services.ts';
import { BoundReached, PublicError } from '../errors/errors.ts';
import { clientOf } from '../limits/client-of.ts';
import { createFairQueue, QueueFull } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import type { WorkBudget } from '../limits/work-budget.ts';
import { isTimeout, limitTime } from '../time.ts';

/** Statements of the public at a time, each with a connection. */
export const PUBLIC_LANES = 8;
/** Of these, for one client: a map of a wide area asks four at once. Other clients always find a free lane. */
const LANES_EACH = 4;
const MOST_WAITING = 400;
/** A statement that takes longer is given up: it reads far more than an index needs to. */
export const PUBLIC_STATEMENT_MS = 2_000;
/** For a turn. Everyone who waits longer is better off with an answer that says so. */
const TURN_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The statements that the public's questions need: a few at a time, in turns that are fair between clients, and within
 * each client's budget of the statements' time (`PUBLIC_WORK_PER_NETWORK_MS`). Whoever asks the dearest questions
 * therefore waits for themselves. It holds no state that matters; a crash loses the waiting statements with their requests.
 */
export function createPublicWork({ budget, rejections }: { budget: WorkBudget; rejections: RejectionLog }) {
  const turns = createFairQueue({ lanes: PUBLIC_LANES, lanesEach: LANES_EACH, mostWaiting: MOST_WAITING });

  const inTurn = async <T>(client: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const patience = limitTime(TURN_MS, signal);
    try {
      return await turns.run({ clients: [client], subject: '' }, task, patience.signal);
    } catch (error) {
      if (!(error instanceof QueueFull) && !isTimeout(error)) throw error;
      const cause = new BoundReached('a statement of the public had no turn in time', { cause: error });
      throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    } finally {
      patience.release();
    }
  };

  return {
    /**
     * The reader for one caller. Its statements reject with PublicError RATE_LIMITED when the caller has used its share,
     * and SERVICE_UNAVAILABLE when too many wait.
     */
    readerFor(caller: PublicCaller, reader: Reader): Reader {
      const client = clientOf(caller);
      const { signal } = caller.request;
      return {
        async query<R extends QueryResultRow>(
          statement: string | QueryConfig,
          values?: unknown[],
        ): Promise<QueryResult<R>> {
          let took = 0;
          const task = async () => {
            const since = performance.now();
            try {
              return await reader.query<R>(statement, values);
            } finally {
              took = performance.now() - since;
            }
          };
          try {
            const settle = await budget.begin(client, signal);
            try {
              return await inTurn(client, task, signal);
            } finally {
              settle(took);
            }
          } catch (error) {
            if (error instanceof PublicError) rejections.note(error.code, { client });
            throw error;
          }
        },
      };
    },
  };
}

export type PublicWork = ReturnType<typeof createPublicWork>;
