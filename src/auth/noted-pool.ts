import type { Pool, PoolClient } from 'pg';
import { databaseFailure, isOfDeletedAccount } from '../../persistence/database/database-failure.ts';
import type { RequestNotes } from './request-notes.ts';

/**
 * The pool for better-auth. When a query fails, the library answers "no such session" or a masked 500, and reports a
 * sign-out as done that never reached the database; here the request notes the outage.
 */
export function notedPool(pool: Pool, notes: RequestNotes): Pool {
  const noted: Noted = (part) => notedQuery(notes, part);
  const connect = async (): Promise<PoolClient> => notedClient(await noted(() => pool.connect()), noted);
  return withMethod(pool, 'connect', connect);
}

/** Runs a query of ours as part of a request; the request notes an outage of the database. */
export function notedQuery<T>(notes: RequestNotes, query: () => Promise<T>): Promise<T> {
  return notes.during('SERVICE_UNAVAILABLE', query, (error) => !isWorthRepeating(error));
}

/** Also a sign-in that met the deletion of its account: the next one makes a new account. */
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
