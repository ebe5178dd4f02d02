import type { Pool } from 'pg';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import type { JobAggregate } from '../../../persistence/actors/rows/job-row.ts';
import type { AttemptMessage } from '../../../supervisors/actors/messages.ts';
import { secondsFor } from '../peers/serve-turns.ts';

/** The events of each actor in the `transitions` bench: the purchase of a picture, without external services. */
export const LANES = 32;
export const OWNER = 'bench';
export const ORIGIN = { by: `worker:${OWNER}`, lease: { owner: OWNER, epoch: 1 } };

/**
 * Claims and decisions are checked against the lease, external events are not; each is written with its journal
 * row.
 */
export function purchaseLife(attemptId: string, at: number): AttemptMessage[] {
  const predictionId = `p-${attemptId}`;
  return [
    { type: 'SEND_CLAIMED', at, token: attemptId },
    { type: 'PREDICTION_CREATED', at: at + 1, predictionId, providerStatus: 'starting' },
    { type: 'CALLBACK_RECEIVED', at: at + 2, predictionId, providerStatus: 'succeeded' },
    {
      type: 'PREDICTION_SUCCEEDED',
      at: at + 3,
      providerStatus: 'succeeded',
      objectKey: `staged/${attemptId}.jpg`,
    },
  ];
}
export const LIFE_STEPS = 4;

/** Every job of the database with its attempts, as the runner reads it before its first event. */
export async function readAllJobs(pool: Pool, store: ActorStore): Promise<JobAggregate[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM ai_jobs');
  const jobs: JobAggregate[] = [];
  await secondsFor({ count: rows.length, lanes: LANES }, async (index) => {
    const job = await store.readJob(rows[index]?.id ?? '');
    if (job) jobs.push(job);
  });
  return jobs;
}
