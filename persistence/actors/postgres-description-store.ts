import type { Pool, PoolClient } from 'pg';
import { FINAL_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { toDate } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';
import { APPEND_JOURNAL, LIFT_QUARANTINE } from './actor-statements.ts';
import {
  DESCRIPTION_COLUMNS,
  type DescriptionRow,
  descriptionColumns,
  descriptionFromRow,
} from './description-row.ts';
import type { DescriptionStore, DescriptionTransaction } from './description-store.ts';
import { inTransaction } from './postgres-actor-store.ts';
import { journalValues } from './postgres-transaction.ts';

const SELECT = `SELECT ${DESCRIPTION_COLUMNS} FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id
  WHERE j.id = $1 AND j.type = 'DESCRIPTION'`;
/** A final job gives its lease back in the same write (I14). */
const UPDATE = `
  WITH moved AS (
    UPDATE ai_jobs SET version = version + 1, "updatedAt" = $3, "heartbeatAt" = $3, status = $4, phase = $5,
      "errorCode" = $6, "startedAt" = $7, "finishedAt" = $8, "canceledAt" = $9, "queueWaitMs" = $10,
      "crashCount" = $11, "localPass" = NULL,
      "leaseOwner" = CASE WHEN $4::ai_job_status IN ${oneOf(FINAL_JOB_STATUSES)}
        THEN NULL ELSE "leaseOwner" END,
      "leaseExpiresAt" = CASE WHEN $4::ai_job_status IN ${oneOf(FINAL_JOB_STATUSES)}
        THEN NULL ELSE "leaseExpiresAt" END
    WHERE id = $1 AND version = $2 RETURNING id
  )
  UPDATE ai_description_jobs SET "sendState" = $12, "sendTries" = $13, "nextSendAt" = $14, "sentAt" = $15,
    "unconfirmedSince" = $16, "unconfirmedCause" = $17, "providerPredictionId" = $18, "strayPredictionId" = $19,
    "providerStatus" = $20, text = $21, "throttledSends" = $22,
    "goneSince" = $23, "notListedAt" = $24
  FROM moved WHERE "aiJobId" = moved.id`;
const LAST_TOKEN = `
  SELECT event->>'token' AS token FROM actor_transitions
  WHERE "actorKind" = 'descriptionJob' AND "actorId" = $1 AND "eventType" = 'SEND_CLAIMED'
  ORDER BY seq DESC LIMIT 1`;

/** The description store on PostgreSQL: every method is one transaction or one statement on a pooled connection. */
export function createDescriptionStore(pool: Pool): DescriptionStore {
  return {
    transaction: (work) => inTransaction(pool, (client) => work(transactionOn(client))),
    async read(jobId) {
      const { rows } = await pool.query<DescriptionRow>(SELECT, [jobId]);
      return rows[0] ? descriptionFromRow(rows[0]) : null;
    },
    async lastSendToken(jobId) {
      const { rows } = await pool.query<{ token: string }>(LAST_TOKEN, [jobId]);
      return rows[0]?.token ?? null;
    },
  };
}

function transactionOn(client: PoolClient): DescriptionTransaction {
  return {
    async lock(jobId) {
      const { rows } = await client.query<DescriptionRow>(`${SELECT} FOR UPDATE OF j`, [jobId]);
      return rows[0] ? descriptionFromRow(rows[0]) : null;
    },
    async save(actor, next, entry) {
      const values = [actor.id, actor.version, toDate(entry.event.at), ...descriptionColumns(next)];
      const { rowCount } = await client.query(UPDATE, values);
      if (rowCount !== 1) return false;
      await client.query(APPEND_JOURNAL, journalValues({ ...entry, kind: 'descriptionJob' }));
      return true;
    },
    async liftQuarantine(jobId) {
      await client.query(LIFT_QUARANTINE, [jobId]);
    },
  };
}
