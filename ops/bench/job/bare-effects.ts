import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { named } from '../../../persistence/database/sql-values.ts';
import { type StagingSubmission, submitStagingJobs } from '../../../persistence/jobs/staging-submissions.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { openWorkerParts } from '../../../src/worker/parts.ts';
import type { CollectAnswer } from '../../../supervisors/ports.ts';
import { AT_ONCE, callOf, orderOf, seedAgents } from './orders.ts';

/** What a collected output is stored as. */
type Output = Extract<CollectAnswer, { kind: 'stored' }>['output'];

/** A purchase that was made and collected. */
export interface Collected {
  readonly attemptId: string;
  readonly predictionId: string;
  readonly objectKey: string;
  readonly output: Output;
}

const never = new AbortController().signal;

/**
 * Each effect of a staging job by itself, with the worker's own parts and without machines: what another engine may call
 * as steps of its own. It stands here, and not beside that engine, so that the compiler sees it.
 */
export async function openBareEffects() {
  const config = { ...loadWorkerConfig(process.env), stagingConcurrency: AT_ONCE };
  const parts = await openWorkerParts(config, {
    logger: createLogger({ role: 'worker', level: 'info', destination: { write: () => {} } }),
    crashReports: NO_CRASH_REPORTS,
  });
  const { pool } = parts.database;
  const agentIds = await seedAgents(pool);
  const predictionOf = async (predictionId: string) => {
    const found = await parts.provider.get(predictionId, never);
    return found.kind === 'found' && found.prediction.kind === 'succeeded' ? found.prediction : null;
  };
  return {
    pool,
    /** The owner of the photos. */
    agentId: agentIds[0] ?? '',
    pollIntervalMs: config.provider.pollIntervalMs,
    close: () => parts.close(),

    /** The submission is the platform's own. */
    async submit(originalImageId: string, index: number): Promise<StagingSubmission> {
      const agentId = agentIds[index % agentIds.length] ?? '';
      const order = orderOf(agentId, originalImageId);
      await submitStagingJobs(pool, callOf(agentId, order));
      return order;
    },

    /** @returns the prediction's id */
    async buy(order: StagingSubmission, attemptId: string): Promise<string> {
      const aggregate = await parts.store.readJob(order.aiJobId);
      if (aggregate === null) throw new Error(`there is no job ${order.aiJobId}`);
      const answer = await parts.provider.create({ attemptId, aggregate, mayBuy: () => true });
      if (answer.kind !== 'created') throw new Error(`not bought: ${answer.kind}`);
      return answer.prediction.predictionId;
    },

    isOver: async (predictionId: string): Promise<boolean> => (await predictionOf(predictionId)) !== null,

    /** The output's address is asked for again, as no signed address is kept anywhere. */
    async collect(predictionId: string, attemptId: string): Promise<Collected> {
      const outputUrl = (await predictionOf(predictionId))?.outputUrl;
      if (!outputUrl) throw new Error('the output is gone');
      const objectKey = `staged/${attemptId}.jpg`;
      const expected = { format: 'jpeg', aspectRatio: '1:1' } as const;
      const collected = await parts.collector.collect({ outputUrl, objectKey, expected, signal: never });
      if (collected.kind !== 'stored') throw new Error(`not collected: ${collected.kind}`);
      return { attemptId, predictionId, objectKey, output: collected.output };
    },

    /** The rows of the result, in one transaction. */
    async record(order: StagingSubmission, collected: Collected): Promise<void> {
      const { output, ...purchase } = collected;
      const inputs = JSON.stringify({ quality: order.quality, prompt: order.prompt });
      const style = order.canonicalStyle;
      const values = { ...order, ...purchase, ...output, style, inputs, at: new Date() };
      await inTransaction(pool, async (client) => {
        for (const statement of RESULT) await client.query(named(statement, values));
      });
    },
  };
}

const RESULT = [
  `INSERT INTO ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId", "providerStatus",
     "objectKey", "downloadBytes", "outputWidth", "outputHeight", "outputFormat", "outputChecksum", "finishedAt")
   VALUES (:attemptId, :aiJobId, 1, 'SUCCEEDED', :predictionId, 'succeeded',
     :objectKey, :bytes, :width, :height, :format, :checksum, :at)
   ON CONFLICT DO NOTHING`,
  `INSERT INTO property_images (id, "propertyId", "objectKey", position, "isMain", "isStyled", "styledFromId", style,
     "canonicalStyle", "roomType", "reviewStatus", "aiJobId", "providerInputs", "providerPredictionId", "providerModel",
     "promptVersion", "outputBytes", "outputWidth", "outputHeight", "outputFormat", "outputChecksum", "createdAt")
   SELECT :attemptId, "propertyId", :objectKey, position, false, true, id, :style,
     :canonicalStyle, :canonicalRoomType, 'PENDING_REVIEW', :aiJobId, :inputs, :predictionId, :providerModel,
     :promptVersion, :bytes, :width, :height, :format, :checksum, :at
   FROM property_images WHERE id = :originalImageId`,
  `UPDATE ai_jobs SET status = 'SUCCESS', phase = NULL, "finishedAt" = :at, "updatedAt" = :at WHERE id = :aiJobId`,
  `UPDATE ai_room_staging_jobs SET "resultImageId" = :attemptId WHERE "aiJobId" = :aiJobId`,
];
