import type { Pool } from 'pg';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { CONSOLE_KINDS, type ConsoleKind } from './kinds.ts';

/** One line of an operator's list of actors. Times are milliseconds since 1970. */
export interface ActorLine {
  id: string;
  state: string;
  createdAt: number;
  errorCode: string | null;
  propertyId: string | null;
  /** The node that holds its lease. */
  worker: string | null;
  /** Only for an attempt or a staged image. */
  jobId: string | null;
  quarantined: boolean;
}

export interface ActorFilter {
  kind: ConsoleKind;
  /** `STATUS`, or a state of the machine; null means all. */
  state: string | null;
  /** Only actors that failed for good or were lost. */
  failedOnly: boolean;
  quarantinedOnly: boolean;
  /** Only actors that wait until an operator decides. */
  awaitsOperator: boolean;
  /** Only pictures that show a photo as another kind of room than a second picture of it does. */
  roomDiffersOnly: boolean;
  propertyId: string | null;
  worker: string | null;
  /** Created before this instant; null means any time. */
  before: number | null;
  /** The last line of the previous page. */
  after: { createdAt: number; id: string } | null;
  limit: number;
}

/** Newest first, at most `limit`. */
export async function listActors(pool: Pool, filter: ActorFilter): Promise<ActorLine[]> {
  const { sql, values } = actorListQuery(filter);
  const { rows } = await pool.query<Stored<ActorLine, 'createdAt'>>(sql, values);
  return rows.map(withMillis);
}

/** The statement with its values, so that tests can run EXPLAIN on it. */
export function actorListQuery(filter: ActorFilter): { sql: string; values: unknown[] } {
  const { from, base, state, status, createdAt, columns, failed, narrow } = CONSOLE_KINDS[filter.kind];
  const values: unknown[] = [];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { before, after, propertyId, worker } = filter;
  const [wantedStatus, phase] = filter.state?.split('.', 2) ?? [];
  const statuses = value(
    status.values.filter(
      (one) => (wantedStatus ?? one) === one && (!filter.failedOnly || failed.includes(one)),
    ),
  );
  // These filters leave few rows. Sorting them is cheaper than walking the newest rows until enough of them match.
  const narrowed = [
    propertyId !== null && narrow.property?.(value(propertyId)),
    worker !== null && narrow.worker?.(value(worker)),
    filter.quarantinedOnly && narrow.quarantined,
    filter.awaitsOperator && narrow.awaitsOperator,
    filter.roomDiffersOnly && narrow.roomDiffers,
  ].filter(Boolean);
  // Only the filters that are set, instead of `$n IS NULL OR …`: the planner uses an index only for a bare comparison.
  const wanted = [
    base,
    before !== null && `${createdAt} < ${value(toDate(before))}`,
    after !== null && `(${createdAt}, t.id) < (${value(toDate(after.createdAt))}, ${value(after.id)})`,
    phase !== undefined && `${state} = ${value(filter.state)}`,
    ...narrowed,
  ]
    .filter(Boolean)
    .join(' AND ');
  const { errorCode, propertyId: listing, worker: holder, jobId, quarantined } = columns;
  const line = `SELECT t.id, ${state} AS state, ${createdAt} AS "createdAt", ${errorCode ?? 'NULL'}::text AS "errorCode",
      ${listing ?? 'NULL'}::uuid AS "propertyId", ${holder ?? 'NULL'}::text AS worker,
      ${jobId ?? 'NULL'}::uuid AS "jobId", ${quarantined ?? 'false'} AS quarantined
    FROM ${from}`;
  const limit = value(filter.limit);
  const newest = `ORDER BY ${createdAt} DESC, t.id DESC LIMIT ${limit}`;
  const sql =
    narrowed.length > 0
      ? `${line} WHERE ${wanted} AND ${status.column} = ANY (${statuses}::${status.type}[]) ${newest}`
      : // The newest of each status from the index, then the newest of all: one index serves every choice of statuses.
        `SELECT line.* FROM unnest(${statuses}::${status.type}[]) AS one(status) CROSS JOIN LATERAL (
          ${line} WHERE ${wanted} AND ${status.column} = one.status ${newest}
        ) AS line ORDER BY line."createdAt" DESC, line.id DESC LIMIT ${limit}`;
  return { sql, values };
}

/** A count beyond this is shown as "more than". */
export const COUNTED_UP_TO = 10_000;

/** How many actors of a kind are in each state; each status is counted up to `COUNTED_UP_TO` + 1. */
export async function countStates(pool: Pool, kind: ConsoleKind): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ state: string; actors: number }>(stateCountQuery(kind), [
    CONSOLE_KINDS[kind].status.values,
    COUNTED_UP_TO + 1,
  ]);
  return new Map(rows.map(({ state, actors }) => [state, actors]));
}

/** In the order of the index, which keeps the planner from reading the whole table for a status that most rows have. */
export function stateCountQuery(kind: ConsoleKind): string {
  const { from, base, state, status, createdAt } = CONSOLE_KINDS[kind];
  return `SELECT found.state, count(*)::int AS actors FROM unnest($1::${status.type}[]) AS one(status)
    CROSS JOIN LATERAL (
      SELECT ${state} AS state FROM ${from} WHERE ${base} AND ${status.column} = one.status
      ORDER BY ${createdAt} DESC, t.id DESC LIMIT $2
    ) AS found GROUP BY found.state`;
}
