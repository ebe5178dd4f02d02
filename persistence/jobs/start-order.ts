import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';

/**
 * Fair starts: every staging job gets a place in the start order at its submission, and the queue delivers smaller
 * places first. The jobs of one agent get successive places; the first one gets the place that is due now. So the
 * starts of agents are interleaved, however many jobs one agent has submitted (start-time fair queuing, equal shares).
 */

/** The greatest priority that BullMQ keeps. Jobs that reach it start in the order of their submission. */
export const LAST_PLACE = 2_097_151;

/** The same condition as in the indexes. They leave out jobs without a place, which are descriptions and old jobs. */
const WAITING = `status = 'PENDING' AND "startOrder" > 0`;
const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * The place of a new job, as SQL. The smallest waiting place is due now. Quarantined jobs are left out, because they do
 * not start and would hold the others back forever.
 * @param agentId the parameter with the agent's id; jobs without an agent count as one agent's
 */
export const nextStartOrder = (agentId: string): string => `
  least(${LAST_PLACE}, 1 + greatest(0,
    (SELECT min("startOrder") - 1 FROM ai_jobs WHERE ${WAITING} AND "quarantinedAt" IS NULL),
    (SELECT max("startOrder") FROM ai_jobs WHERE ${WAITING}
       AND coalesce("requestedByUserId", ${NOBODY}) = coalesce(${agentId}, ${NOBODY}))))`;

/** The places of these jobs; a missing job has none. */
export async function readStartOrder(
  pool: Pool,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; startOrder: number }>(
    prepared('SELECT id, "startOrder" FROM ai_jobs WHERE id = ANY($1)', [jobIds]),
  );
  return new Map(rows.map(({ id, startOrder }) => [id, startOrder]));
}
