import type { Pool, PoolClient } from 'pg';
import { databaseFailure, isOfDeletedAccount } from '../../persistence/database/database-failure.ts';
import type { RequestNotes } from './request-notes.ts';

/**
 * The pool for better-auth. When a query fails, the library answers "no such session" or a masked 500, and reports
 * a sign-out as done although the database was not reached. Therefore the request's notes record the outage.
 */
export function notedPool(pool: Pool, notes: RequestNotes): Pool {
  const noted: Noted = (part) => notedQuery(notes, part);
  const connect = async (): Promise<PoolClient> => notedClient(await noted(() => pool.connect()), noted);
  return withMethod(pool, 'connect', connect);
}

/** Runs one of our queries as part of a request; an outage of the database is recorded in the request's notes. */
export function notedQuery<T>(notes: RequestNotes, query: () => Promise<T>): Promise<T> {
  return notes.during('SERVICE_UNAVAILABLE', query, (error) => !isWorthRepeating(error));
}

/** Also true for a sign-in that races with the deletion of its account: the next sign-in creates a new account. */
const isWorthRepeating = (error: unknown): boolean =>
  databaseFailure(error) === 'unavailable' || isOfDeletedAccount(error);

type Noted = <T>(part: () => Promise<T>) => Promise<T>;

function notedClient(client: PoolClient, noted: Noted): PoolClient {
  const query = (...statement: Parameters<PoolClient['query']>) =>
    noted(async () => client.query(...statement));
  return withMethod(client, 'query', query);
}

function withMethod<T extends object>(target: T, name: keyof T, method: unknown): T {
  return new Proxy(target, {
    get(real, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(real, key);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}
