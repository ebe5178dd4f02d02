import { setTimeout as pause } from 'node:timers/promises';
import { FINAL_JOB_STATUSES } from '../../../machines/vocabulary.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { oneOf } from '../../../persistence/database/sql-values.ts';
import { submitStagingJobs } from '../../../persistence/jobs/staging-submissions.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import { createStagingQueue } from '../../../src/queues/job-queue.ts';
import { createCommandRedis } from '../../../src/queues/redis.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startWorker } from '../../../src/worker/compose.ts';
import { secondsFor, serveTurns } from '../peers/serve-turns.ts';
import {
  AT_ONCE,
  callOf,
  type JobTurn,
  medianMs,
  orderOf,
  seedAgents,
  seedOriginals,
  type TurnOrder,
} from './orders.ts';

/**
 * The worker role as it is, and in the same process a producer that submits as the API host does. The start rate, which
 * protects the provider's account, is out of the way: every turn finds all of its places free (`seedOriginals`).
 */
const config = {
  ...loadWorkerConfig(process.env),
  stagingConcurrency: AT_ONCE,
  rateLimitPerMinute: 1_000_000,
  // Beside the pipeline, and without photos it could only fail; the peer does not compare either.
  driftComparison: 'off' as const,
};
const worker = await startWorker(config, {
  logger: createLogger({ role: 'worker', level: 'info', destination: { write: () => {} } }),
  crashReports: NO_CRASH_REPORTS,
});
const { pool, close } = await openDatabase({ url: config.databaseUrl, poolSize: AT_ONCE });
const redis = createCommandRedis(config.kvUrl, () => {});
const queue = createStagingQueue({ redis, pool, suffix: config.queueSuffix, onProblem: () => {} });
const agentIds = await seedAgents(pool);
/** Each look reads all jobs of the turn, which the peer is told of without; it lengthens a turn by at most this. */
const LOOK_MS = 50;

async function submit(originalImageId: string, index: number): Promise<string> {
  const agentId = agentIds[index % agentIds.length] ?? '';
  const order = orderOf(agentId, originalImageId);
  const answer = await submitStagingJobs(pool, callOf(agentId, order));
  if (answer.outcome !== 'submitted') throw new Error(answer.outcome);
  await queue.enqueue([order.aiJobId]);
  return order.aiJobId;
}

async function allOver(jobIds: readonly string[]): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT FROM ai_jobs WHERE id = ANY($1) AND status NOT IN ${oneOf(FINAL_JOB_STATUSES)} LIMIT 1`,
      [jobIds],
    );
    if (rowCount === 0) return;
    await pause(LOOK_MS);
  }
}

serveTurns(
  {
    seed: (count: number) => seedOriginals(pool, agentIds[0] ?? '', count),
    async turn({ together, alone }: TurnOrder): Promise<JobTurn> {
      const began = performance.now();
      const jobIds: string[] = [];
      await secondsFor({ count: together.length, lanes: AT_ONCE }, async (index) => {
        jobIds.push(await submit(together[index] ?? '', index));
      });
      await allOver(jobIds);
      const perSecond = together.length / ((performance.now() - began) / 1_000);
      await medianMs(pool, jobIds);
      const singles: string[] = [];
      for (const [index, original] of alone.entries()) {
        const jobId = await submit(original, index);
        await allOver([jobId]);
        singles.push(jobId);
      }
      return { perSecond, aloneMs: await medianMs(pool, singles) };
    },
  },
  async () => {
    await worker.stop(AbortSignal.timeout(config.shutdownGraceMs));
    await queue.close();
    redis.disconnect();
    await close();
  },
);
