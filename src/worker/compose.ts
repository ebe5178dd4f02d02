import type { Hono } from 'hono';
import type { WorkerConfig } from '../config/config.ts';
import { COST_VARIABLES } from '../config/settings.ts';
import { type ComposedRole, composeRole } from '../role/compose.ts';
import type { RoleContext } from '../role/parts.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { OpsEnv } from '../telemetry/ops-server.ts';
import { openWorkerParts, type WorkerOverrides, type WorkerParts } from './parts.ts';
import { createWorkerTree } from './tree.ts';

/** The worker; `failed` settles when the tree has given up and the process should exit non-zero. */
export async function startWorker(
  config: WorkerConfig,
  context: RoleContext & { overrides?: WorkerOverrides },
): Promise<ComposedRole> {
  const parts = await openWorkerParts(config, context);
  const tree = createWorkerTree(parts);
  const pages = await consolePages(parts);
  return composeRole(config, parts, () => ({
    pages,
    async start() {
      await tree.start();
      warnOfUnusedPrices(config, context.logger);
      return { failed: tree.done() };
    },
    stop: (deadline) => tree.stop(deadline),
  }));
}

/** Without credentials there is no console, and nothing of it is loaded. */
async function consolePages(parts: WorkerParts): Promise<Hono<OpsEnv> | undefined> {
  if (parts.config.queueDashboard === null && parts.config.operatorsFile === null) return;
  const { createConsole } = await import('../console/console.ts');
  return createConsole({ ...parts, ...parts.forConsole });
}

/** A misspelt name would otherwise leave a price unset without notice. Logged once per start, names only. */
function warnOfUnusedPrices({ unusedCostVariables: variables }: WorkerConfig, logger: Logger): void {
  if (variables.length === 0) return;
  const used = COST_VARIABLES.join(', ');
  logger.warn(
    { event: 'prices_not_used', variables },
    `no price rule uses these variables; it reads ${used}`,
  );
}
