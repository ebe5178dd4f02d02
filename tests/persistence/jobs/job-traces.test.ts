import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import {
  jobTraceEnds,
  noteJobTrace,
  noteSubmissionTrace,
  traceOfAttempt,
} from '../../../persistence/jobs/job-traces.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
afterEach(() => database.clear());

const traceparent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const note = (jobId: string, leaseEpoch: number, digit: string) =>
  noteJobTrace(database.pool, { jobId, leaseEpoch, traceparent: traceparent(digit) });

test('the ends are the earliest and the latest epoch; a job without a trace has none', async () => {
  const { jobId } = await seedStagingJob(database.pool);
  expect(await jobTraceEnds(database.pool, jobId)).toEqual({ first: null, last: null });
  await note(jobId, 2, 'b');
  const only = { leaseEpoch: 2, traceparent: traceparent('b') };
  expect(await jobTraceEnds(database.pool, jobId)).toEqual({ first: only, last: only });
  await note(jobId, 10, 'c');
  await note(jobId, 0, 'a');
  expect(await jobTraceEnds(database.pool, jobId)).toEqual({
    first: { leaseEpoch: 0, traceparent: traceparent('a') },
    last: { leaseEpoch: 10, traceparent: traceparent('c') },
  });
});

test('the first trace of an epoch is kept, and an invalid traceparent is rejected', async () => {
  const { jobId } = await seedStagingJob(database.pool);
  await note(jobId, 1, 'a');
  await note(jobId, 1, 'b');
  expect((await jobTraceEnds(database.pool, jobId)).last?.traceparent).toBe(traceparent('a'));
  await expect(note(jobId, 2, 'x')).rejects.toMatchObject({ code: '23514' });
});

test('the trace of a submission is written in its transaction, or not at all', async () => {
  const { jobId } = await seedStagingJob(database.pool);
  const submission = { aiJobId: jobId, traceparent: traceparent('a') };
  const undone = inTransaction(database.pool, async (client) => {
    await noteSubmissionTrace(client, submission);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await inTransaction(database.pool, (client) =>
    noteSubmissionTrace(client, { aiJobId: jobId, traceparent: null }),
  );
  expect((await jobTraceEnds(database.pool, jobId)).first).toBeNull();
  await inTransaction(database.pool, (client) => noteSubmissionTrace(client, submission));
  expect((await jobTraceEnds(database.pool, jobId)).first?.leaseEpoch).toBe(0);
});

test('an attempt leads to the start of its job’s trace; rows are deleted with their job', async () => {
  const { jobId } = await seedStagingJob(database.pool);
  const attemptId = randomUUID();
  await database.pool.query(
    `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status) values ($1, $2, 1, 'RESERVED')`,
    [attemptId, jobId],
  );
  expect(await traceOfAttempt(database.pool, attemptId)).toBeNull();
  await note(jobId, 1, 'b');
  await note(jobId, 0, 'a');
  expect(await traceOfAttempt(database.pool, attemptId)).toEqual({ jobId, traceparent: traceparent('a') });
  await database.pool.query('delete from ai_jobs where id = $1', [jobId]);
  expect((await database.pool.query('select * from ai_job_traces')).rows).toEqual([]);
});
