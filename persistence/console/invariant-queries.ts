import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { ProvenanceEventKind } from '../../machines/vocabulary.ts';
import type { Row } from '../actors/actor-kind.ts';
import { type ActorKind, definitionOf, type SingleActor, type SingleKind } from '../actors/actor-kinds.ts';
import type { JournalEntry, Page } from '../actors/actor-store.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { aggregateOf, HAS_ORDER, type JobAggregate, SELECT_AGGREGATES } from '../actors/rows/job-row.ts';

/**
 * One snapshot of a live database: all reads see the same instant, and PostgreSQL itself rejects any write. It takes no
 * locks, so writers never wait for it.
 */
export type Look = ReturnType<typeof lookThrough>;

/** A line of the journal. */
interface JournalLine extends JournalEntry {
  /** The order of writing, over all actors. */
  position: number;
}
export interface ReceiptLine {
  webhookId: string;
  attemptId: string;
  applied: boolean;
}
export interface ReviewLine {
  kind: 'APPROVED' | 'REJECTED';
  imageId: string;
}

/** The record and the events of an approved image. */
export interface ProvenanceLine {
  imageId: string;
  /** It was approved before there were records, and is listed for its own. */
  due: boolean;
  /** Of the record; null when there is none. */
  originalImageId: string | null;
  approvedByUserId: string | null;
  lastEvent: ProvenanceEventKind | null;
}

/** @throws what the driver throws; a statement that takes longer than `timeoutMs` is ended by PostgreSQL (57014). */
export function look<T>(
  pool: Pool,
  { timeoutMs }: { timeoutMs: number },
  work: (look: Look) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await client.query(`SELECT set_config('statement_timeout', $1, true)`, [String(Math.ceil(timeoutMs))]);
    return work(lookThrough(client, { timeoutMs }));
  });
}

/** Longer than PostgreSQL's own timeout, so that PostgreSQL's error comes first. */
const PATIENCE_MS = 5_000;
type PatientQuery = QueryConfig & { query_timeout?: number };

const JOBS = `
  ${SELECT_AGGREGATES}
  WHERE ($1::uuid IS NULL OR t.id > $1) AND ${HAS_ORDER} ORDER BY t.id LIMIT $2`;
const JOURNAL = `
  SELECT id::float8 AS position, "actorKind" AS kind, "actorId" AS id, seq, event, "fromState" AS "from",
    "toState" AS "to", "actedBy" AS by, "leaseEpoch"
  FROM actor_transitions WHERE "actorKind" = $1 AND "actorId" = ANY($2) ORDER BY "actorId", seq`;
const JOURNAL_KEPT_SINCE = `
  SELECT floor(extract(epoch FROM before) * 1000)::float8 AS at FROM retention_cuts
  WHERE what = 'journal' AND before > '-infinity'`;
const RECEIPTS = `
  SELECT "webhookId", "providerAttemptId" AS "attemptId", outcome = 'APPLIED' AS applied
  FROM ai_provider_webhook_receipts WHERE "providerAttemptId" = ANY($1)`;
const TEXTS = `SELECT "aiJobId" AS id, text FROM ai_description_jobs WHERE "aiJobId" = ANY($1) AND text IS NOT NULL`;
const REVIEW_EVENTS = `SELECT kind, "imageId" FROM property_image_review_events WHERE "imageId" = ANY($1)`;

const PROVENANCE = `
  SELECT v.id AS "imageId", d."stagedImageId" IS NOT NULL AS due, r."originalImageId", r."approvedByUserId",
    (SELECT e.kind FROM provenance_events e WHERE e."stagedImageId" = v.id ORDER BY e.id DESC LIMIT 1) AS "lastEvent"
  FROM property_images v LEFT JOIN provenance_records r ON r."stagedImageId" = v.id
    LEFT JOIN provenance_due d ON d."stagedImageId" = v.id
  WHERE v.id = ANY($1)`;

/** For callers with a transaction of their own. */
export function lookThrough(client: PoolClient, { timeoutMs }: { timeoutMs?: number } = {}) {
  const rowsOf = async <R extends object>(text: string, values: unknown[]) => {
    const query: PatientQuery = { text, values };
    if (timeoutMs !== undefined) query.query_timeout = timeoutMs + PATIENCE_MS;
    return (await client.query<R>(query)).rows;
  };
  /** Runs work in a savepoint: when it fails, later queries still work. */
  const apart = async <T>(work: () => Promise<T>): Promise<T> => {
    await client.query('SAVEPOINT apart');
    try {
      const result = await work();
      await client.query('RELEASE SAVEPOINT apart');
      return result;
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT apart');
      throw error;
    }
  };
  return {
    apart,
    /** For a query with one text column: its first rows in order, and the number of its rows. */
    ask: (sql: string, limit: number) =>
      apart(async () => {
        const rows = await rowsOf<{ line: string; count: number }>(
          `SELECT line, (count(*) OVER ())::int AS count FROM (${sql}) AS breach(line) ORDER BY line LIMIT $1`,
          [limit],
        );
        return { lines: rows.map(({ line }) => line), count: rows[0]?.count ?? 0 };
      }),
    jobs: async ({ afterId, limit }: Page): Promise<JobAggregate[]> =>
      (await rowsOf<Row>(JOBS, [afterId, limit])).map(aggregateOf),
    /** For a kind whose aggregate is a single actor. */
    async single<K extends SingleKind>(kind: K, { afterId, limit }: Page): Promise<SingleActor<K>[]> {
      const { select, base, fromRow } = definitionOf(kind).rows;
      const sql = `${select()} WHERE ${base} AND ($1::uuid IS NULL OR t.id > $1) ORDER BY t.id LIMIT $2`;
      return (await rowsOf<Row>(sql, [afterId, limit])).map(fromRow) as never;
    },
    /**
     * Actors that ended before this may have no journal any more; null when all journals are kept. Milliseconds since
     * 1970.
     */
    async journalKeptSince(): Promise<number | null> {
      const [cut] = await rowsOf<{ at: number }>(JOURNAL_KEPT_SINCE, []);
      return cut?.at ?? null;
    },
    /** The journal rows of these actors, for each actor in the order of `seq`. */
    journal: (kind: ActorKind, ids: readonly string[]) => rowsOf<JournalLine>(JOURNAL, [kind, ids]),
    receipts: (attemptIds: readonly string[]) => rowsOf<ReceiptLine>(RECEIPTS, [attemptIds]),
    /** By job id, for the jobs that have a text. */
    async texts(jobIds: readonly string[]): Promise<Map<string, string>> {
      const rows = await rowsOf<{ id: string; text: string }>(TEXTS, [jobIds]);
      return new Map(rows.map(({ id, text }) => [id, text]));
    },
    reviewEvents: (imageIds: readonly string[]) => rowsOf<ReviewLine>(REVIEW_EVENTS, [imageIds]),
    provenance: (imageIds: readonly string[]) => rowsOf<ProvenanceLine>(PROVENANCE, [imageIds]),
  };
}
