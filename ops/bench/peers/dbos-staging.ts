import { DBOS } from '@dbos-inc/dbos-sdk';
import {
  AT_ONCE,
  callOf,
  type JobTurn,
  medianMs,
  orderOf,
  seedAgent,
  seedOriginals,
  type TurnOrder,
} from '../../ops/bench/job/orders.ts';
import { INSERT_STAGED_IMAGE } from '../../persistence/actor-statements.ts';
import { openDatabase } from '../../persistence/database.ts';
import { inTransaction } from '../../persistence/postgres-actor-store.ts';
import { type StagingSubmission, submitStagingJobs } from '../../persistence/staging-submissions.ts';
import { loadWorkerConfig } from '../../src/config.ts';
import { createObjectStorage } from '../../src/object-storage.ts';
import { createProviderClient } from '../../src/provider/client.ts';
import { createProviderHttp } from '../../src/provider/http.ts';
import { createOutputCollector } from '../../src/provider/output-collector.ts';
import { secondsFor, serveTurns } from './serve-turns.ts';

/**
 * The staging job as one would write it with DBOS Transact: a workflow of four steps with the platform's own parts for
 * each effect (the same POST, poll, download, checks and put) and one transaction for the rows of the result. It runs
 * from `.bench/peers`, so the platform lies two folders above. A step that dies after its POST is run again, and buys
 * again: that is the price of not having the claim.
 */
const config = loadWorkerConfig(process.env);
const { pool, close } = await openDatabase({ url: config.databaseUrl, poolSize: AT_ONCE + 8 });
const agentId = await seedAgent(pool);
const reporter = { report() {}, alert() {}, transition() {}, count() {}, problem: console.error };
const storage = createObjectStorage(config.s3);
const http = createProviderHttp(config.provider);
const provider = createProviderClient({
  http,
  reporter,
  webhookBaseUrl: config.provider.webhookBaseUrl,
  userHashSecret: config.userHashSecret,
  presignInput: (key, attemptId) => storage.presignGet(key, 7_200, { downloadName: `${attemptId}.jpg` }),
});
const collector = createOutputCollector({
  storage,
  reporter,
  allowedHosts: config.provider.outputHosts,
  apiToken: config.provider.apiToken,
});
const never = new AbortController().signal;

DBOS.setConfig({
  name: 'staging',
  systemDatabaseUrl: process.env.DBOS_DATABASE_URL,
  systemDatabasePoolSize: AT_ONCE + 8,
  logLevel: 'error',
});

const stage = DBOS.registerWorkflow(
  async (order: StagingSubmission): Promise<void> => {
    const attemptId = String(DBOS.workflowID);
    const predictionId = await DBOS.runStep(() => buy(order, attemptId), { name: 'buy' });
    while (!(await DBOS.runStep(() => isOver(predictionId), { name: 'poll' })))
      await DBOS.sleep(config.provider.pollIntervalMs);
    const stored = await DBOS.runStep(() => collect(predictionId, attemptId), { name: 'collect' });
    await DBOS.runStep(() => record({ order, attemptId, predictionId, stored }), { name: 'record' });
  },
  { name: 'stage' },
);

async function buy(order: StagingSubmission, attemptId: string): Promise<string> {
  const providerInputKey = `inputs/${order.originalImageId}.jpg`;
  const aggregate = { job: { id: order.aiJobId, details: { ...order, providerInputKey } }, attempts: [] };
  const answer = await provider.create({ attemptId, aggregate: aggregate as never });
  if (answer.kind !== 'created') throw new Error(`not bought: ${answer.kind}`);
  return answer.prediction.predictionId;
}

async function isOver(predictionId: string): Promise<boolean> {
  const found = await provider.get(predictionId, never);
  return found.kind === 'found' && found.prediction.kind === 'succeeded';
}

type Stored = {
  objectKey: string;
  bytes: number;
  width: number;
  height: number;
  format: string;
  checksum: string;
};

/** The output's address is asked for again, as no signed address is kept anywhere. */
async function collect(predictionId: string, attemptId: string): Promise<Stored> {
  const found = await provider.get(predictionId, never);
  if (found.kind !== 'found' || found.prediction.kind !== 'succeeded' || found.prediction.outputUrl === null)
    throw new Error('the output is gone');
  const objectKey = `staged/${attemptId}.jpg`;
  const expected = { format: 'jpeg', aspectRatio: '1:1' } as const;
  const { outputUrl } = found.prediction;
  const collected = await collector.collect({ outputUrl, objectKey, expected, signal: never });
  if (collected.kind !== 'stored') throw new Error(`not collected: ${collected.kind}`);
  return { objectKey, ...collected.output };
}

async function record({
  order,
  attemptId,
  predictionId,
  stored,
}: {
  order: StagingSubmission;
  attemptId: string;
  predictionId: string;
  stored: Stored;
}): Promise<void> {
  const at = new Date();
  const { objectKey, bytes, width, height, format, checksum } = stored;
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "providerPredictionId",
         "providerStatus", "objectKey", "downloadBytes", "outputWidth", "outputHeight", "outputFormat",
         "outputChecksum", "finishedAt")
       VALUES ($1, $2, 1, 'SUCCEEDED', $3, 'succeeded', $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [attemptId, order.aiJobId, predictionId, objectKey, bytes, width, height, format, checksum, at],
    );
    const style = order.canonicalStyle;
    const inputs = JSON.stringify({ quality: order.quality, prompt: order.prompt });
    await client.query(INSERT_STAGED_IMAGE, [
      attemptId,
      order.originalImageId,
      objectKey,
      style,
      style,
      order.canonicalRoomType,
      order.aiJobId,
      inputs,
      predictionId,
      order.providerModel,
      order.promptVersion,
      bytes,
      width,
      height,
      format,
      checksum,
      at,
    ]);
    await client.query(
      `UPDATE ai_jobs SET status = 'SUCCESS', phase = NULL, "finishedAt" = $2, "updatedAt" = $2 WHERE id = $1`,
      [order.aiJobId, at],
    );
    await client.query('UPDATE ai_room_staging_jobs SET "resultImageId" = $2 WHERE "aiJobId" = $1', [
      order.aiJobId,
      attemptId,
    ]);
  });
}

/** The submission is the platform's own; then the workflow runs to its end. */
async function run(originalImageId: string): Promise<string> {
  const order = orderOf(agentId, originalImageId);
  await submitStagingJobs(pool, callOf(agentId, order));
  await (await DBOS.startWorkflow(stage)(order)).getResult();
  return order.aiJobId;
}

await DBOS.launch();

serveTurns(
  {
    seed: (count: number) => seedOriginals(pool, agentId, count),
    async turn({ together, alone }: TurnOrder): Promise<JobTurn> {
      const jobIds: string[] = [];
      const seconds = await secondsFor({ count: together.length, lanes: AT_ONCE }, async (index) => {
        jobIds.push(await run(together[index] ?? ''));
      });
      await medianMs(pool, jobIds);
      const singles: string[] = [];
      for (const original of alone) singles.push(await run(original));
      return { perSecond: together.length / seconds, aloneMs: await medianMs(pool, singles) };
    },
  },
  async () => {
    await DBOS.shutdown();
    storage.close();
    await http.close();
    await close();
  },
);
