import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';
import { mayAct } from '../listings/agent-access.ts';
import { hasSideIn } from '../listings/tour-queries.ts';

/**
 * Calls that a client may repeat (`Idempotency-Key`). The row is claimed with a lease before the work; of concurrent
 * calls one gets it. The holder of the claim may write the answer, once. When the process dies, the first call after
 * the lease claims the row. The old claim is then void: a transaction that stores its answer rolls back, so the work is
 * not done twice. The rows of one person are limited here; `retention.ts` removes all rows by age.
 */
export interface ClaimedCall {
  userId: string;
  operation: string;
  key: string;
  /** Proves that the caller holds the row. */
  claim: string;
}

/** What a stored answer refers to. It is returned only to a caller who may still see all of this. */
export interface CallSubjects {
  propertyIds: readonly string[];
  imageIds: readonly string[];
  jobIds: readonly string[];
  reportIds: readonly string[];
  tourId: string | null;
}

export interface CallToClaim extends ClaimedCall {
  inputHash: string;
  subjects: CallSubjects;
  at: number;
  /** Until then no other call can claim a row without an answer. */
  expiresAt: number;
}

export type ClaimOutcome =
  | { outcome: 'claimed' }
  | { outcome: 'in-flight' }
  | { outcome: 'other-input' }
  | { outcome: 'answered'; answer: string }
  /** There is an answer, but the person may no longer see what it refers to. */
  | { outcome: 'not-shown' };

/** How long an answer is stored. */
export const REPEAT_DAYS = 1;
const REPEAT_MS = REPEAT_DAYS * 86_400_000;
/** The maximum number of rows of one person; the oldest are removed. */
export const MAX_CALLS_PER_PERSON = 1_000;
/** The maximum size of one answer; a constraint of the table has the same value. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** Claims the row of the call, or returns what the row holds already. */
export async function claimCall(pool: Pool, call: CallToClaim): Promise<ClaimOutcome> {
  const { userId, operation, key, inputHash, subjects, at } = call;
  const times = { at: toDate(at), expiresAt: toDate(call.expiresAt), keptSince: toDate(at - REPEAT_MS) };
  const { rowCount } = await pool.query(named(CLAIM, { ...call, ...subjects, ...times }));
  if (rowCount === 1) return { outcome: 'claimed' };
  const { rows } = await pool.query<FoundRow>(FIND, [userId, operation, key]);
  const [found] = rows;
  // The row was released a moment ago.
  if (found === undefined) return { outcome: 'in-flight' };
  if (found.inputHash !== inputHash) return { outcome: 'other-input' };
  if (found.answer === null) return { outcome: 'in-flight' };
  return found.shown ? { outcome: 'answered', answer: found.answer } : { outcome: 'not-shown' };
}

interface FoundRow {
  inputHash: string;
  answer: string | null;
  shown: boolean;
}

/** The same statement removes the person's oldest rows, except the row of this call and calls under way. */
const CLAIM = `
  WITH old AS (
    DELETE FROM idempotency_keys o
    WHERE o."userId" = :userId AND (o.operation, o.key) <> (:operation, :key)
      AND (o.answer IS NOT NULL OR o."expiresAt" <= :at)
      AND o."createdAt" <= (SELECT "createdAt" FROM idempotency_keys WHERE "userId" = :userId
        ORDER BY "createdAt" DESC OFFSET ${MAX_CALLS_PER_PERSON - 1} LIMIT 1))
  INSERT INTO idempotency_keys AS k
    ("userId", operation, key, "inputHash", claim, "expiresAt", "propertyIds", "tourId", "createdAt")
  SELECT :userId, :operation, :key, :inputHash, :claim, :expiresAt, ARRAY(
      SELECT unnest(:propertyIds::uuid[])
      UNION SELECT "propertyId" FROM property_images WHERE id = ANY (:imageIds::uuid[])
      UNION SELECT "propertyId" FROM ai_jobs WHERE id = ANY (:jobIds::uuid[]) AND "propertyId" IS NOT NULL
      UNION SELECT "propertyId" FROM mismatch_reports WHERE id = ANY (:reportIds::uuid[])),
    :tourId::uuid, :at
  ON CONFLICT ("userId", operation, key) DO UPDATE SET
    "inputHash" = excluded."inputHash", claim = excluded.claim, "expiresAt" = excluded."expiresAt",
    "propertyIds" = excluded."propertyIds", "tourId" = excluded."tourId", answer = NULL,
    "createdAt" = excluded."createdAt"
  WHERE k."createdAt" <= :keptSince
    OR (k.answer IS NULL AND k."expiresAt" <= :at AND k."inputHash" = excluded."inputHash")`;

const FIND = `
  SELECT k."inputHash", k.answer,
    NOT EXISTS (SELECT FROM unnest(k."propertyIds") AS listing (id) WHERE NOT EXISTS (
      SELECT FROM properties p WHERE p.id = listing.id AND ${mayAct('p', '$1')}))
    AND (k."tourId" IS NULL OR EXISTS (
      SELECT FROM tours t JOIN properties p ON p.id = t."propertyId"
      WHERE t.id = k."tourId" AND ${hasSideIn('$1')})) AS shown
  FROM idempotency_keys k WHERE k."userId" = $1 AND k.operation = $2 AND k.key = $3`;

/** Stores the answer. False when there is one already, or when the claim is void. */
export async function keepAnswer(
  db: Pool | PoolClient,
  { userId, operation, key, claim, answer }: ClaimedCall & { answer: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE idempotency_keys SET answer = $5
     WHERE "userId" = $1 AND operation = $2 AND key = $3 AND claim = $4 AND answer IS NULL`,
    [userId, operation, key, claim, answer],
  );
  return rowCount === 1;
}

/** Releases the claim, so that the same call may be repeated at once. */
export async function releaseCall(pool: Pool, { userId, operation, key, claim }: ClaimedCall): Promise<void> {
  await pool.query(
    `DELETE FROM idempotency_keys
     WHERE "userId" = $1 AND operation = $2 AND key = $3 AND claim = $4 AND answer IS NULL`,
    [userId, operation, key, claim],
  );
}
