import type { PoolClient } from 'pg';
import { PURCHASE_KINDS, type PurchaseKind } from '../../machines/purchase-kinds.ts';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { birthOf } from '../actors/birth.ts';
import { writeJournaled } from '../actors/journal.ts';
import { toDate } from '../database/instants.ts';
import { columnList, named, oneOf } from '../database/sql-values.ts';

export interface NewJob {
  kind: PurchaseKind;
  id: string;
  /** Unique among the open jobs of one kind. */
  dedupeKey: string;
  /** Null when the requester is unknown, which happens with old messages only. */
  requestedByUserId: string | null;
  propertyId: string;
  at: number;
  /** SQL of its place in the start order, with `:requestedByUserId`. */
  startOrder?: string;
  /** The columns of its details. */
  details: Readonly<Record<string, unknown>>;
}

const DETAILS_OF: Record<PurchaseKind, string> = {
  stagingJob: 'ai_room_staging_jobs',
  descriptionJob: 'ai_description_jobs',
};

/** Only the worker's bridge of old messages makes jobs for an unknown requester. */
const BRIDGE = 'worker:bridge';

/**
 * Inserts the job, its details and its first journal row in one round trip; false when another job has the dedupe key.
 */
export function createJob(client: PoolClient, job: NewJob): Promise<boolean> {
  const { kind, id, dedupeKey, requestedByUserId, propertyId, at, startOrder } = job;
  const by = requestedByUserId === null ? BRIDGE : `user:${requestedByUserId}`;
  const { actor, entry } = birthOf({ kind, id, event: { type: 'CREATED', at } }, { by });
  const [status, phase = null] = actor.state.split('.');
  const { type } = PURCHASE_KINDS[kind];
  const createdAt = toDate(at);
  const { version } = actor;
  // The machine begins with an empty context, which equals the defaults of the other columns.
  const row = { id, type, status, phase, version, dedupeKey, requestedByUserId, propertyId, createdAt };
  const columns = columnList([...Object.keys(row), 'updatedAt', 'startOrder']);
  const details = Object.keys(job.details);
  const { text, values } = named(
    `moved AS (
      INSERT INTO ai_jobs (${columns}) SELECT ${placesOf(Object.keys(row))}, :createdAt, ${startOrder ?? '0'}
      ON CONFLICT ("dedupeKey") WHERE type = '${type}' AND status IN ${oneOf(ACTIVE_JOB_STATUSES)} DO NOTHING
      RETURNING id
    ), details AS (
      INSERT INTO ${DETAILS_OF[kind]} ("aiJobId", "createdAt", ${columnList(details)})
      SELECT moved.id, :createdAt, ${placesOf(details)} FROM moved
    )`,
    { ...row, ...job.details },
  );
  return writeJournaled(client, { sql: text, values }, entry);
}

const placesOf = (names: readonly string[]): string => names.map((name) => `:${name}`).join(', ');
