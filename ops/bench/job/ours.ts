import { setTimeout as pause } from 'node:timers/promises';
import { FINAL_JOB_STATUSES } from '../../../machines/vocabulary.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { oneOf } from '../../../persistence/database/sql-values.ts';
import { submitStagingJobs } from '../../../persistence/jobs/staging-submissions.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import { createStagingQueue } from '../../../src/queues/job-queue.ts';
import { createCommandRedis } from '../../../src/queues/redis.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startWorker } from '../../../src/worker/compose.ts';
import { secondsFor, serveTurns } from '../peers/serve-turns.ts';
import {
  AT_ONCE,
  callOf,
  type JobTurn,
  medianMs,
  orderOf,
  seedAgent,
  seedOriginals,
  type TurnOrder,
} from './orders.ts';

/**
 * The worker role as it is, and in the same process a producer that submits as the API host does. The start rate, which
 * protects the provider's account, is out of the way: its own setting ends at ten jobs a second.
 */
const config = {
  ...loadWorkerConfig(process.env),
  stagingConcurrency: AT_ONCE,
  rateLimitPerMinute: 1_000_000,
};
const worker = await startWorker(config, {
  logger: createLogger({ role: 'worker', level: 'info', destination: { write: () => {} } }),
  crashReports: { enabled: false, capture: () => {}, flush: async () => {} },
});
const { pool, close } = await openDatabase({ url: config.databaseUrl, poolSize: AT_ONCE });
const redis = createCommandRedis(config.kvUrl, () => {});
const queue = createStagingQueue({ redis, pool, suffix: config.queueSuffix, onProblem: () => {} });
const agentId = await seedAgent(pool);
const LOOK_MS = 5;

async function submit(originalImageId: string): Promise<string> {
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
    seed: (count: number) => seedOriginals(pool, agentId, count),
    async turn({ together, alone }: TurnOrder): Promise<JobTurn> {
      const began = performance.now();
      const jobIds: string[] = [];
      await secondsFor({ count: together.length, lanes: AT_ONCE }, async (index) => {
        jobIds.push(await submit(together[index] ?? ''));
      });
      await allOver(jobIds);
      const perSecond = together.length / ((performance.now() - began) / 1_000);
      await medianMs(pool, jobIds);
      const singles: string[] = [];
      for (const original of alone) {
        const jobId = await submit(original);
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
