import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** What a query that only reads needs of a pool. Each statement may be answered by another connection. */
export interface Reader {
  query<R extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<R>>;
}
