import type { AiJobStatus } from '../../../machines/vocabulary.ts';
import {
  type StagingJobView,
  stagingJobForAgent,
  stagingJobsOfProperty,
} from '../../../persistence/jobs/staging-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import {
  cancelOutput,
  jobInput,
  jobOutput,
  listJobsInput,
  listJobsOutput,
  toJob,
} from '../../wire/staging-jobs.ts';
import { pageOf } from '../../wire/text.ts';
import { waitReason } from '../../wire/wait-reason.ts';
import { agentProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `ai.getStagingJob`, `ai.listStagingJobs`, `ai.cancelStagingJob`. */
export function stagingJobProcedures(services: Services) {
  const { pool, actorSystem, clock, logger, settings } = services;
  const show = (job: StagingJobView) =>
    toJob(job, waitReason(job, { at: clock.now(), enabled: settings.stagingEnabled }));
  const jobProcedure = agentProcedure.meta({ errors: ['NOT_FOUND'] });
  return {
    getStagingJob: jobProcedure
      .input(jobInput)
      .output(jobOutput)
      .query(async ({ ctx, input: { aiJobId } }) => {
        return show(found(await stagingJobForAgent(pool, { aiJobId, agentId: ctx.user.id })));
      }),
    listStagingJobs: jobProcedure
      .input(listJobsInput)
      .output(listJobsOutput)
      .query(async ({ ctx, input: { propertyId, statuses = null, cursor = null, limit } }) => {
        const page = { propertyId, agentId: ctx.user.id, statuses, afterId: cursor, limit: limit + 1 };
        const jobs = found(await stagingJobsOfProperty(pool, page));
        return pageOf(jobs.map(show), limit, ({ aiJobId }) => aiJobId);
      }),
    /** Idempotent: a repeated or late cancellation changes nothing and answers with the present status. */
    cancelStagingJob: jobProcedure
      .input(jobInput)
      .output(cancelOutput)
      .mutation(async ({ ctx, input: { aiJobId } }) => {
        const userId = ctx.user.id;
        const job = found(await stagingJobForAgent(pool, { aiJobId, agentId: userId }));
        const answer = await actorSystem.deliver(
          { to: 'stagingJob', id: job.aiJobId, event: { type: 'CANCEL_ASKED', at: clock.now() } },
          { by: `user:${userId}` },
        );
        if (answer.outcome === 'missing') throw new PublicError('NOT_FOUND');
        if (answer.outcome === 'applied') {
          const event = 'ai_room_staging.cancel_requested';
          logger.info({ event, jobId: aiJobId, userId, state: answer.state }, event);
        }
        return { aiJobId: job.aiJobId, status: statusOf(answer.state) };
      }),
  };
}

/** A state's name begins with the status: `PENDING.QUEUED`. */
function statusOf(state: string): AiJobStatus {
  return state.split('.')[0] as AiJobStatus;
}
