import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Reader } from '../../persistence/database/reader.ts';
import type { PublicCaller } from '../api/services.ts';
import { BoundReached, isCrowded, PublicError } from '../errors/errors.ts';
import { clientOf } from '../limits/client-network.ts';
import { createFairQueue, type FairQueue, QueueFull } from '../limits/fair-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import type { WorkBudget } from '../limits/work-budget.ts';
import { isTimeout, limitTime } from '../time.ts';

/** Statements of the public at a time, each with a connection. */
export const PUBLIC_LANES = 8;
/** Of these, for one client: a map of a wide area asks four at once. Other clients always find a free lane. */
const LANES_EACH = 4;
const MOST_WAITING = 400;
/** Calls at a time of all clients together that have used much lately. */
const BUSY_LANES = 2;
const BUSY_LANES_EACH = 1;
/** A statement that takes longer is given up: it reads far more than an index needs to. */
export const PUBLIC_STATEMENT_MS = 2_000;
/** For a turn. Everyone who waits longer is better off with an answer that says so. */
const TURN_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * The work that the public's questions need, in turns that are fair between clients and within the budget of each
 * (`PUBLIC_WORK_PER_NETWORK_MS`): the time of statements and of writing answers. A few statements run at a time. Clients
 * that have used much lately have two calls at a time among them, so that they wait for each other and for no one else.
 * It holds no state that matters; a crash loses the waiting work with its requests.
 */
export function createPublicWork({ budget, rejections }: { budget: WorkBudget; rejections: RejectionLog }) {
  const statements = createFairQueue({
    lanes: PUBLIC_LANES,
    lanesEach: LANES_EACH,
    mostWaiting: MOST_WAITING,
  });
  const busyCalls = createFairQueue({
    lanes: BUSY_LANES,
    lanesEach: BUSY_LANES_EACH,
    mostWaiting: MOST_WAITING,
  });

  const inTurn = async <T>(
    queue: FairQueue,
    { client, signal }: { client: string; signal: AbortSignal },
    task: () => Promise<T>,
  ): Promise<T> => {
    const patience = limitTime(TURN_MS, signal);
    try {
      return await queue.run({ clients: [client], subject: '' }, task, patience.signal);
    } catch (error) {
      if (!(error instanceof QueueFull) && !isTimeout(error)) throw error;
      const cause = new BoundReached('a question of the public had no turn in time', { cause: error });
      throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    } finally {
      patience.release();
    }
  };

  /** Notes who was refused. */
  const noted = async <T>(client: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isCrowded(error)) rejections.note(`questions ${(error as PublicError).code}`, { client });
      throw error;
    }
  };

  return {
    /**
     * Runs one call of a public procedure.
     * @param write makes the answer of what was loaded, without waiting
     * @throws PublicError SERVICE_UNAVAILABLE when too many wait, or the error of `load`
     */
    call<D, A>(caller: PublicCaller, load: () => Promise<D>, write: (data: D) => A): Promise<A> {
      const client = clientOf(caller);
      const task = async () => {
        const data = await load();
        const since = performance.now();
        const answer = write(data);
        budget.charge(client, performance.now() - since);
        return answer;
      };
      if (!budget.isBusy(client)) return task();
      const { signal } = caller.request;
      return noted(client, () => inTurn(busyCalls, { client, signal }, task));
    },
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
          return noted(client, async () => {
            const settle = await budget.begin(client, signal);
            try {
              return await inTurn(statements, { client, signal }, task);
            } finally {
              settle(took);
            }
          });
        },
      };
    },
  };
}

export type PublicWork = ReturnType<typeof createPublicWork>;
