import type { Pool } from 'pg';
import type { ActorState } from '../../machines/step.ts';
import type { Row } from '../actors/actor-kind.ts';
import {
  type ActorKind,
  isSingle,
  type SingleActor,
  type SingleKind,
  singleKind,
} from '../actors/actor-kinds.ts';
import { READ_JOB } from '../actors/actor-statements.ts';
import type {
  DescriptionJobActor,
  JobActor,
  Lease,
  ProviderAttemptActor,
  StagingJobActor,
} from '../actors/actor-store.ts';
import { attemptRows } from '../actors/attempt-row.ts';
import { JOBS_WITH_DETAILS, type JobRow, jobFromRow } from '../actors/job-row.ts';
import { type Instant, toMillis } from '../database/instants.ts';

/** An actor with what an operator needs to know beside its machine's state. Times are milliseconds since 1970. */
interface Seen<K extends ActorKind, A extends ActorState<unknown>> {
  kind: K;
  actor: A & { id: string; version: number };
  createdAt: number | null;
}
interface Held {
  lease: Lease | null;
  heartbeatAt: number | null;
  quarantine: { since: number; error: string | null } | null;
}
type SeenJobOf<A extends JobActor> = Seen<A['kind'], A> & Held & { attempts: ProviderAttemptActor[] };
export type SeenStagingJob = SeenJobOf<StagingJobActor> & {
  resultReviewStatus: string | null;
  /** The name that the style was asked for by, when it was an old one. */
  legacyStyle: string | null;
};
/** `characters`: of the draft; null while there is none. */
export type SeenDescriptionJob = SeenJobOf<DescriptionJobActor> & { characters: number | null };
export type SeenJob = SeenStagingJob | SeenDescriptionJob;
export type SeenActor =
  | SeenJob
  | (Seen<'providerAttempt', ProviderAttemptActor> & { job: SeenJob | null; costMicrousd: number | null })
  | SeenSingle;
export type SeenSingle = Seen<SingleKind, SingleActor> & { beside: Row };

type HeldRow = {
  heartbeatAt: Instant | null;
  createdAt: Instant;
  quarantinedAt: Instant | null;
  quarantineError: string | null;
};

/** As last committed; null when there is no such row (any more). */
export async function readActor(pool: Pool, kind: ActorKind, id: string): Promise<SeenActor | null> {
  if (isSingle(kind)) return readSingle(pool, kind, id);
  if (kind === 'providerAttempt') return readAttempt(pool, id);
  const job = await readJob(pool, id);
  return job?.kind === kind ? job : null;
}

/** An actor that is an aggregate of its own, with what its page tells beside. */
export async function readSingle(pool: Pool, kind: SingleKind, id: string): Promise<SeenSingle | null> {
  const { rows, page } = singleKind(kind);
  const more = { ...page.beside, ...(page.createdAt === null ? {} : { createdAt: page.createdAt }) };
  const columns = [rows.columns, ...Object.entries(more).map(([name, sql]) => `${sql} AS "${name}"`)];
  const sql = `SELECT ${columns.join(', ')} FROM ${rows.from} WHERE ${rows.base} AND t.id = $1`;
  const row = await one<Row>(pool, sql, id);
  return row && { kind, actor: rows.fromRow(row), createdAt: toMillis(row.createdAt ?? null), beside: row };
}

async function one<R extends object>(pool: Pool, sql: string, id: string): Promise<R | null> {
  return (await pool.query<R>(sql, [id])).rows[0] ?? null;
}

const heldOf = ({ heartbeatAt, quarantinedAt, quarantineError }: HeldRow) => ({
  heartbeatAt: toMillis(heartbeatAt),
  quarantine: quarantinedAt === null ? null : { since: toMillis(quarantinedAt), error: quarantineError },
});

const ASIDE = `
  SELECT j."quarantineError", s."legacyStyle", length(d.text) AS characters,
    (SELECT i."reviewStatus" FROM property_images i WHERE i.id = s."resultImageId") AS review
  FROM ${JOBS_WITH_DETAILS} WHERE j.id = $1`;

async function readJob(pool: Pool, id: string): Promise<SeenJob | null> {
  const row = await one<JobRow & { attempts: Row[] }>(pool, READ_JOB, id);
  const aside = await one<{
    quarantineError: string | null;
    legacyStyle: string | null;
    characters: number | null;
    review: string | null;
  }>(pool, ASIDE, id);
  if (row === null || aside === null) return null;
  const actor = jobFromRow(row, row.attempts.length);
  const { quarantineError, legacyStyle, characters, review } = aside;
  const common = {
    createdAt: actor.createdAt,
    lease: actor.lease,
    ...heldOf({ ...row, quarantineError }),
    attempts: row.attempts.map(attemptRows.fromRow),
  };
  return actor.kind === 'stagingJob'
    ? { kind: 'stagingJob', actor, ...common, resultReviewStatus: review, legacyStyle }
    : { kind: 'descriptionJob', actor, ...common, characters };
}

async function readAttempt(pool: Pool, id: string): Promise<SeenActor | null> {
  const row = await one<Row>(pool, 'SELECT * FROM ai_provider_attempts WHERE id = $1', id);
  if (row === null) return null;
  const actor = attemptRows.fromRow(row);
  return {
    kind: 'providerAttempt',
    actor,
    createdAt: toMillis(row.createdAt),
    job: await readJob(pool, actor.jobId),
    costMicrousd: row.costMicrousd === null ? null : Number(row.costMicrousd),
  };
}
