import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleEnvironment } from '../../ops/dev/stack/role-environment.ts';
import { loadWorkerConfig } from '../../src/config/config.ts';
import type { ComposedRole } from '../../src/role/compose.ts';
import { NO_CRASH_REPORTS } from '../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startWorker } from '../../src/worker/compose.ts';
import { journalOf, openStoreDatabase, type StoreDatabase } from '../support/database/store-database.ts';
import { eventually } from '../support/eventually.ts';
import { createBucket, sharedStack } from '../support/platform/stack.ts';
import { openTestRuntime } from '../support/worlds/job-driver.ts';
import { TourDriver, tourScene } from '../support/worlds/tour-world.ts';

/** The worker's whole tree in this process: expired tours are found as long as it runs. */
const PROVIDER = { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: 'unused' };
let database: StoreDatabase;
let bucket: Awaited<ReturnType<typeof createBucket>>;
let worker: ComposedRole;
beforeAll(async () => {
  [database, bucket] = await Promise.all([openStoreDatabase(), createBucket()]);
  const environment = { ...sharedStack(), databaseUrl: database.url, s3: bucket, provider: PROVIDER };
  const config = loadWorkerConfig(
    roleEnvironment(environment, 'worker', { OPS_PORT: '0', QUEUE_SUFFIX: `-${randomUUID()}` }),
  );
  worker = await startWorker(config, {
    logger: createLogger({ role: 'worker', level: 'error', destination: { write: () => {} } }),
    crashReports: NO_CRASH_REPORTS,
    overrides: { timings: { toursMs: 50 } },
  });
});
afterAll(async () => {
  await worker.stop(AbortSignal.timeout(1_000));
  await bucket.remove();
  await database.close();
});

test('tours without an answer expire while the worker runs, not only when it starts', async () => {
  for (const _ of ['the first', 'and one after it']) {
    const driver = new TourDriver(openTestRuntime(database), await tourScene(database));
    // The slots of the catalogue are in the past of the real clock.
    await driver.request();
    await eventually(async () => (await driver.row()).state === 'EXPIRED', { what: 'the tour to expire' });
    const journal = await journalOf(database.pool, 'tour', driver.id);
    expect(journal.at(-1)).toMatchObject({ eventType: 'TIME_PASSED', toState: 'EXPIRED' });
    expect(journal.at(-1)?.actedBy).toMatch(/^worker:/);
  }
});
