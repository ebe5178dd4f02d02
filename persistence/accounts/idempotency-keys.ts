import type { Pool, PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { named } from '../database/sql-values.ts';
import { mayAct } from '../listings/agent-access.ts';
import { hasSideIn } from '../listings/tour-queries.ts';

/**
 * Calls that may come again (`Idempotency-Key`). A row is taken before the work, with a lease: of simultaneous calls
 * one gets it. The holder of the claim may write the answer there, once. When a process dies, the first call after the
 * lease takes the row over; the old claim is void then, so a transaction that keeps its answer rolls back rather than
 * do the work twice. The rows of one person are bounded here, all rows by age in `retention.ts`.
 */
export interface ClaimedCall {
  userId: string;
  operation: string;
  key: string;
  /** Proves that the row is the caller's. */
  claim: string;
}

/** What a stored answer is about: it is shown only to a caller who may still see all of this. */
export interface CallSubjects {
  propertyIds: readonly string[];
  imageIds: readonly string[];
  jobIds: readonly string[];
  tourId: string | null;
}

export interface CallToClaim extends ClaimedCall {
  inputHash: string;
  subjects: CallSubjects;
  at: number;
  /** Until when no other call gets the row while there is no answer. */
  expiresAt: number;
}

export type ClaimOutcome =
  | { outcome: 'claimed' }
  | { outcome: 'in-flight' }
  | { outcome: 'other-input' }
  | { outcome: 'answered'; answer: string }
  /** There is an answer, and the person may not see any more what it is about. */
  | { outcome: 'not-shown' };

/** How long an answer is kept. */
export const REPEAT_DAYS = 1;
const REPEAT_MS = REPEAT_DAYS * 86_400_000;
/** Rows of one person; the oldest make room. */
export const MAX_CALLS_PER_PERSON = 1_000;
/** Of one answer; a check of the table says the same. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/** Takes the row of the call, or tells what stands there. */
export async function claimCall(pool: Pool, call: CallToClaim): Promise<ClaimOutcome> {
  const { userId, operation, key, inputHash, subjects, at } = call;
  const times = { at: toDate(at), expiresAt: toDate(call.expiresAt), keptSince: toDate(at - REPEAT_MS) };
  const { rowCount } = await pool.query(named(CLAIM, { ...call, ...subjects, ...times }));
  if (rowCount === 1) return { outcome: 'claimed' };
  const { rows } = await pool.query<FoundRow>(FIND, [userId, operation, key]);
  const [found] = rows;
  // Gone since: its work was given up a moment ago.
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

/** The oldest of the person go in the same statement, but for the call itself and for what is under way. */
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
      UNION SELECT "propertyId" FROM ai_jobs WHERE id = ANY (:jobIds::uuid[]) AND "propertyId" IS NOT NULL),
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

/** Puts the answer there. False when it is there, or the claim is not worth anything any more. */
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

/** Gives the row back, so that the same call may be made again at once. */
export async function releaseCall(pool: Pool, { userId, operation, key, claim }: ClaimedCall): Promise<void> {
  await pool.query(
    `DELETE FROM idempotency_keys
     WHERE "userId" = $1 AND operation = $2 AND key = $3 AND claim = $4 AND answer IS NULL`,
    [userId, operation, key, claim],
  );
}
