import { DBOS } from '@dbos-inc/dbos-sdk';
import type { StagingSubmission } from '../../../persistence/jobs/staging-submissions.ts';
import { openBareEffects } from '../job/bare-effects.ts';
import { AT_ONCE, type JobTurn, medianMs, seedOriginals, type TurnOrder } from '../job/orders.ts';
import { secondsFor, serveTurns } from './serve-turns.ts';

/**
 * The staging job as one would write it with DBOS Transact: a workflow of four steps with the platform's own parts for
 * each effect (the same POST, poll, download, checks and put) and one transaction for the rows of the result. A
 * step that dies after its POST is run again, and buys
 * again: that is the price of not having the claim.
 */
const effects = await openBareEffects();
const { pool, agentId } = effects;

DBOS.setConfig({
  name: 'staging',
  systemDatabaseUrl: process.env.DBOS_DATABASE_URL,
  systemDatabasePoolSize: AT_ONCE + 8,
  logLevel: 'error',
});

const stage = DBOS.registerWorkflow(
  async (order: StagingSubmission): Promise<void> => {
    const attemptId = String(DBOS.workflowID);
    const predictionId = await DBOS.runStep(() => effects.buy(order, attemptId), { name: 'buy' });
    while (!(await DBOS.runStep(() => effects.isOver(predictionId), { name: 'poll' })))
      await DBOS.sleep(effects.pollIntervalMs);
    const collected = await DBOS.runStep(() => effects.collect(predictionId, attemptId), { name: 'collect' });
    await DBOS.runStep(() => effects.record(order, collected), { name: 'record' });
  },
  { name: 'stage' },
);

/** The submission, then the workflow to its end. */
async function run(originalImageId: string, index: number): Promise<string> {
  const order = await effects.submit(originalImageId, index);
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
        jobIds.push(await run(together[index] ?? '', index));
      });
      await medianMs(pool, jobIds);
      const singles: string[] = [];
      for (const [index, original] of alone.entries()) singles.push(await run(original, index));
      return { perSecond: together.length / seconds, aloneMs: await medianMs(pool, singles) };
    },
  },
  async () => {
    await DBOS.shutdown();
    await effects.close();
  },
);
