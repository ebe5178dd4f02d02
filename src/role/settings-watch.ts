import type { Pool } from 'pg';
import { beatFingerprint, differingSettings } from '../../persistence/database/role-fingerprints.ts';
import type { Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { type CommonConfig, configFingerprint, settingFingerprints } from '../config/config.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** A process is taken for ended after four of them. */
const INTERVAL_MS = 15_000;

/**
 * Says what this process runs with, and names the settings that are not equal in all running processes
 * (docs/contract.md#settings): in the log when that changes, and in a series of each setting. Nothing depends on it.
 */
export function createSettingsWatch({
  config,
  pool,
  node,
  logger,
  metrics,
  timers,
  reporter,
}: {
  config: CommonConfig;
  pool: Pool;
  node: string;
  logger: Logger;
  metrics: Pick<Metrics, 'settingsDiffer'>;
  timers: Timers;
  reporter: Reporter;
}): Sweeper {
  const settings = settingFingerprints(config);
  const own = { role: config.role, nodeId: node, hash: configFingerprint(config), settings };
  const alert = 'settings_differ';
  let before = '';
  for (const setting of Object.keys(settings)) metrics.settingsDiffer.set({ setting }, 0);
  return createSweeper({
    name: 'settings-watch',
    intervalMs: INTERVAL_MS,
    timers,
    reporter,
    async sweep() {
      await beatFingerprint(pool, own);
      const differing = await differingSettings(pool);
      for (const setting of Object.keys(settings))
        metrics.settingsDiffer.set({ setting }, differing.includes(setting) ? 1 : 0);
      const now = differing.join(',');
      if (now !== before && now !== '') logger.error({ alert, settings: differing }, `alert: ${alert}`);
      if (now !== before && now === '') logger.info({ alert }, `alert over: ${alert}`);
      before = now;
    },
  });
}
