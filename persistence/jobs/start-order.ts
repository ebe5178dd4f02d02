import type { Pool } from 'pg';

/**
 * Fair starts: every staging job gets a place in the order of starts at its submission, and the queue brings the
 * smaller ones first. Jobs of one agent take one place after the other; the first of an agent takes the place that is
 * due now. So the starts of agents are interleaved, however many jobs one of them has submitted before (start-time fair
 * queuing, equal shares).
 */

/** The greatest priority that BullMQ keeps. Jobs that reach it start in the order of their submission. */
export const LAST_PLACE = 2_097_151;

/** As the indexes have it; jobs without a place, which are descriptions and old jobs, are none of theirs. */
const WAITING = `status = 'PENDING' AND "startOrder" > 0`;
const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * The place of a new job, as SQL. The smallest that waits is due now; a quarantined job does not start, and would hold
 * the others back for ever.
 * @param agentId the parameter with the agent's id; jobs without an agent count as one agent's
 */
export const nextStartOrder = (agentId: string): string => `
  least(${LAST_PLACE}, 1 + greatest(0,
    (SELECT min("startOrder") - 1 FROM ai_jobs WHERE ${WAITING} AND "quarantinedAt" IS NULL),
    (SELECT max("startOrder") FROM ai_jobs WHERE ${WAITING}
       AND coalesce("requestedByUserId", ${NOBODY}) = coalesce(${agentId}, ${NOBODY}))))`;

/** The places of these jobs. A job that is not there has none. */
export async function readStartOrder(
  pool: Pool,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; startOrder: number }>(
    'SELECT id, "startOrder" FROM ai_jobs WHERE id = ANY($1)',
    [jobIds],
  );
  return new Map(rows.map(({ id, startOrder }) => [id, startOrder]));
}
