import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unknownPurchases } from '../../../persistence/jobs/purchase-standings.ts';
import type { ListedPurchase } from '../../../supervisors/ports.ts';
import { AUDITED_MS, createPurchaseAudit } from '../../../supervisors/sweepers/purchase-audit.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { foundAs, predictionOf, unfinished } from '../../support/worlds/fake-provider.ts';
import { closeWorlds, openWorld, submit } from '../../support/worlds/runner-world.ts';

/** The hourly comparison of the provider's purchases with the rows (I41). */
const HOUR = 3_600_000;
const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const listed = (attemptId: string, more: Partial<ListedPurchase> = {}): ListedPurchase => ({
  predictionId: predictionOf(attemptId),
  providerStatus: 'processing',
  isOver: false,
  isOurs: true,
  attemptId,
  originalImageId: null,
  prompt: null,
  textJobId: null,
  ...more,
});

test('a purchase of ours that no attempt knows raises an alarm, and no other does', async () => {
  const world = openWorld(database);
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  const [known, sent] = [await submit(database), await submit(database)];
  void world.start(known);
  await world.reaches(known, 'PROCESSING.ATTEMPT', 'RUNNING');
  world.provider.answerCreate = () => ({ kind: 'unknown', cause: 'transport' });
  void world.start(sent);
  await world.reaches(sent, 'PROCESSING.ATTEMPT', 'UNCONFIRMED');
  const attemptOf = async (jobId: string) => (await world.read(jobId)).attempts[0]!.id;
  const asked: { createdAfter: number; createdBefore: number }[] = [];
  const list: ListedPurchase[] = [
    listed(await attemptOf(known)),
    listed(await attemptOf(sent)),
    listed(randomUUID(), { predictionId: 'p-theirs', isOurs: false }),
    listed(randomUUID(), { predictionId: 'p-unknown' }),
    listed(await attemptOf(known), { predictionId: 'p-twice' }),
  ];
  const audit = createPurchaseAudit({
    purchases: {
      async list(range) {
        asked.push(range);
        return list;
      },
    },
    unknown: (purchases) => unknownPurchases(database.pool, purchases),
    async takeTurn(_turn, work) {
      await work();
      return true;
    },
    clock: world.time,
    timers: world.time,
    reporter: world.reporter,
    intervalMs: HOUR,
  });
  await audit.start();
  await eventually(() => world.time.sleeping().includes(HOUR), { what: 'one turn' });
  await audit.stop(AbortSignal.timeout(0));
  const now = world.time.now();
  expect(asked).toMatchObject([{ createdAfter: now - AUDITED_MS, createdBefore: now }]);
  expect(world.reporter.alerts.map(({ alert, fields }) => [alert, fields.predictionId])).toEqual([
    ['purchase_unknown', 'p-unknown'],
    ['purchase_unknown', 'p-twice'],
  ]);
});
