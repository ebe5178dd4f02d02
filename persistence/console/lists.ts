import type { Pool } from 'pg';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { CONSOLE_KINDS, type ConsoleKind, type KindSource } from './kinds.ts';

/** One line of an operator's list of actors. Times are milliseconds since 1970. */
export interface ActorLine {
  id: string;
  state: string;
  createdAt: number;
  updatedAt: number | null;
  errorCode: string | null;
  propertyId: string | null;
  /** The node that holds it. */
  worker: string | null;
  /** Of an attempt or a staged image. */
  jobId: string | null;
  quarantined: boolean;
}

export interface ActorFilter {
  kind: ConsoleKind;
  /** `STATUS`, or a state of the machine; null is all. */
  state: string | null;
  /** Only what failed for good, or was lost. */
  failedOnly: boolean;
  quarantinedOnly: boolean;
  propertyId: string | null;
  worker: string | null;
  /** Began before this instant; null is any. */
  before: number | null;
  /** The last line seen. */
  after: { createdAt: number; id: string } | null;
  limit: number;
}

/** Newest first, at most `limit`. */
export async function listActors(pool: Pool, filter: ActorFilter): Promise<ActorLine[]> {
  const { sql, values } = actorListQuery(filter);
  const { rows } = await pool.query<Stored<ActorLine, 'createdAt' | 'updatedAt'>>(sql, values);
  return rows.map(withMillis);
}

/** The statement with its values, which tests have explained. */
export function actorListQuery(filter: ActorFilter): { sql: string; values: unknown[] } {
  const source = CONSOLE_KINDS[filter.kind];
  const { createdAt, columns, status } = source;
  const narrow = narrowBy(source, filter);
  const wanted = [
    source.base,
    // Written out rather than `$n IS NULL OR …`: only a bare comparison finds its place in an index.
    filter.before === null ? '$2::timestamptz IS NULL' : `${createdAt} < $2::timestamptz`,
    filter.after === null
      ? '$3::timestamptz IS NULL AND $4::uuid IS NULL'
      : `(${createdAt}, t.id) < ($3::timestamptz, $4::uuid)`,
    filter.state?.includes('.') ? `${source.state} = $5` : '$5::text IS NULL',
    ...narrow,
    narrow.includes(source.narrow.property ?? '') ? '' : '$7::uuid IS NULL',
    narrow.includes(source.narrow.worker ?? '') ? '' : '$8::text IS NULL',
  ]
    .filter((condition) => condition !== '')
    .join(' AND ');
  const line = `SELECT t.id, ${source.state} AS state, ${createdAt} AS "createdAt",
      ${columns.updatedAt}::timestamptz AS "updatedAt", ${columns.errorCode}::text AS "errorCode",
      ${columns.propertyId}::uuid AS "propertyId", ${columns.worker}::text AS worker,
      ${columns.jobId}::uuid AS "jobId", ${columns.quarantined} AS quarantined
    FROM ${source.from}`;
  const newest = `ORDER BY ${createdAt} DESC, t.id DESC LIMIT $6`;
  const sql =
    narrow.length > 0
      ? `${line} WHERE ${wanted} AND ${status.column} = ANY ($1::${status.type}[]) ${newest}`
      : // The newest of each status by the index, then the newest of those: one index serves every choice of statuses.
        `SELECT line.* FROM unnest($1::${status.type}[]) AS one(status) CROSS JOIN LATERAL (
          ${line} WHERE ${wanted} AND ${status.column} = one.status ${newest}
        ) AS line ORDER BY line."createdAt" DESC, line.id DESC LIMIT $6`;
  return { sql, values: valuesOf(source, filter) };
}

function valuesOf({ status, failed, narrow }: KindSource, filter: ActorFilter): unknown[] {
  const [wantedStatus = null] = filter.state === null ? [] : filter.state.split('.', 1);
  const statuses = status.values.filter(
    (one) => (wantedStatus === null || one === wantedStatus) && (!filter.failedOnly || failed.includes(one)),
  );
  return [
    statuses,
    toDate(filter.before),
    toDate(filter.after?.createdAt ?? null),
    filter.after?.id ?? null,
    filter.state?.includes('.') ? filter.state : null,
    filter.limit,
    narrow.property === null ? null : filter.propertyId,
    narrow.worker === null ? null : filter.worker,
  ];
}

/** The conditions that leave few: those are sorted, instead of walking what is newest until enough of it matches. */
function narrowBy({ narrow }: KindSource, filter: ActorFilter): string[] {
  return [
    filter.propertyId === null ? null : narrow.property,
    filter.worker === null ? null : narrow.worker,
    filter.quarantinedOnly ? narrow.quarantined : null,
  ].filter((condition) => condition !== null);
}

/** A count beyond this is shown as "more than". */
export const COUNTED_UP_TO = 10_000;

/** How many actors of a kind are in each state that has any, each status counted up to `COUNTED_UP_TO` and one more. */
export async function countStates(pool: Pool, kind: ConsoleKind): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ state: string; actors: number }>(stateCountQuery(kind), [
    CONSOLE_KINDS[kind].status.values,
    COUNTED_UP_TO + 1,
  ]);
  return new Map(rows.map(({ state, actors }) => [state, actors]));
}

/** The order is the index's: it keeps the planner from reading the table of a status that most have. */
export function stateCountQuery(kind: ConsoleKind): string {
  const { from, base, state, status, createdAt } = CONSOLE_KINDS[kind];
  return `SELECT found.state, count(*)::int AS actors FROM unnest($1::${status.type}[]) AS one(status)
    CROSS JOIN LATERAL (
      SELECT ${state} AS state FROM ${from} WHERE ${base} AND ${status.column} = one.status
      ORDER BY ${createdAt} DESC, t.id DESC LIMIT $2
    ) AS found GROUP BY found.state`;
}
