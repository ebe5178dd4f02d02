import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forRoles, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import { createSettingsWatch } from '../../../src/role/settings-watch.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import type { Service } from '../../../supervisors/supervision/service.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** Workers of one database that compare their settings, as their log and their metrics say it. */
const INTERVAL_MS = 15_000;
const database = useStoreDatabase();
const time = createManualTime();
const watches: Service[] = [];
beforeEach(() => database.pool.query('delete from role_fingerprints'));
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop(AbortSignal.timeout(1_000));
});

async function startWatch(settings: Record<string, string>) {
  const environment = forRoles({
    ...sharedStack(),
    databaseUrl: database.url,
    provider: { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: 'unused' },
  });
  const lines: string[] = [];
  const metrics = createMetrics({ role: 'worker' });
  const watch = createSettingsWatch({
    config: loadWorkerConfig(roleEnvironment(environment, 'worker', settings)),
    pool: database.pool,
    node: randomUUID(),
    logger: createLogger({
      role: 'worker',
      level: 'info',
      destination: { write: (line: string) => void lines.push(line) },
    }),
    metrics,
    timers: time,
    reporter: createRecordingReporter(),
  });
  watches.push(watch);
  const looked = () =>
    eventually(() => time.sleeping().length === watches.length, { what: 'a look at the settings' });
  await watch.start();
  await looked();
  return {
    lines,
    async look() {
      time.advance(INTERVAL_MS);
      await looked();
    },
    /** The settings whose series says that they differ. */
    async differing() {
      const text = await metrics.registry.getSingleMetricAsString('proscenium_settings_differ');
      return [...text.matchAll(/setting="(\w+)"\S* 1$/gm)].map(([, setting]) => setting);
    },
  };
}

test('settings that differ are named in the log, once, and in the metrics, without their values; and that it is over', async () => {
  const one = await startWatch({ AI_STAGING_QUALITY: 'medium', QUEUE_SUFFIX: '-blue' });
  expect([await one.differing(), one.lines]).toEqual([[], []]);
  const other = await startWatch({ AI_STAGING_QUALITY: 'high', QUEUE_SUFFIX: '-green' });
  await one.look();
  await one.look();
  for (const { lines, differing } of [one, other]) {
    expect(await differing()).toEqual(['AI_STAGING_QUALITY', 'QUEUE_SUFFIX']);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', alert: 'settings_differ', settings: ['AI_STAGING_QUALITY', 'QUEUE_SUFFIX'] },
    ]);
    expect(lines.join()).not.toMatch(/medium|high|blue|green/);
  }

  await watches.pop()?.stop(AbortSignal.timeout(1_000));
  await database.pool.query(`update role_fingerprints set "beatAt" = now() - interval '61 seconds'`);
  await one.look();
  expect(await one.differing()).toEqual([]);
  expect(JSON.parse(one.lines.at(-1) ?? '')).toMatchObject({
    level: 'info',
    msg: 'alert over: settings_differ',
  });
});
