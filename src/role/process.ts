import type { CommonConfig } from '../config/config.ts';
import { type CrashReports, startCrashReports } from '../telemetry/crash-reports.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { joinSpans } from '../telemetry/tracing/joined-spans.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { startSpans } from '../telemetry/tracing/start.ts';
import { VERSION } from '../version.ts';
import type { RoleContext } from './parts.ts';

/** A running role. */
export interface RunningRole {
  failed: Promise<void>;
  /** Starts nothing new after the call, lets running work finish until the deadline, and closes the rest. */
  stop(deadline: AbortSignal): Promise<void>;
}

/**
 * The life cycle of a role's process: crash reporting first, then the role, then signals. SIGTERM and SIGINT drain
 * within SHUTDOWN_GRACE_MS; two seconds later the process ends even if something hangs. A second signal ends it at
 * once. When a role fails to start or gives up, the process exits non-zero with one clear line, and the platform
 * restarts it.
 */
export async function runRole(options: {
  config: CommonConfig;
  secrets: string[];
  start(context: RoleContext): Promise<RunningRole>;
}): Promise<void> {
  const { config, secrets } = options;
  const crashReports = await startCrashReports({ dsn: config.sentryDsn, ...config, secrets });
  const logger = createLogger({
    role: config.role,
    level: config.logLevel,
    secrets,
    nodeEnv: config.nodeEnv,
  });
  let spans: Spans | null = null;
  let isDying = false;
  const die = async (error: unknown, what: string) => {
    // What fails while the process ends must not keep it from ending.
    if (isDying) return;
    isDying = true;
    setTimeout(endNow, FLUSH_MS + AFTER_GRACE_MS);
    try {
      logger.fatal({ err: error }, what);
      crashReports.capture(error);
      await Promise.all([crashReports.close(FLUSH_MS), spans?.close(FLUSH_MS)]);
    } finally {
      process.exit(1);
    }
  };
  process.on('uncaughtException', (error) => void die(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => void die(error, 'unhandled rejection'));
  logger.info({ version: VERSION, node: process.version }, 'starting');
  try {
    spans = joinSpans(await startSpans(config, logger), crashReports.spans);
    const role = await options.start({ logger, crashReports, spans });
    listenForSignals({ role, spans, crashReports, logger, graceMs: config.shutdownGraceMs });
    role.failed.catch((error) => die(error, `the ${config.role} role gave up`));
  } catch (error) {
    await die(error, `the ${config.role} role could not start`);
  }
}

const FLUSH_MS = 2_000;
/** Time to send spans when a role has used up its grace period: those spans show why. */
const LEAST_FLUSH_MS = 250;
/** After the grace period: aborted work writes its last rows and connections close. Then the process ends. */
const AFTER_GRACE_MS = 1_500;

interface Leaving {
  role: RunningRole;
  spans: Spans | null;
  crashReports: CrashReports;
  logger: Logger;
  graceMs: number;
}

function listenForSignals(leaving: Leaving): void {
  const { logger, graceMs } = leaving;
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) {
      logger.warn({ signal }, 'forced to stop');
      process.exit(1);
    }
    stopping = true;
    logger.info({ signal, graceMs }, 'stopping');
    void leave(leaving);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Stops the role first, so that its last spans and reports are sent within the rest of the grace period. */
async function leave({ role, spans, crashReports, logger, graceMs }: Leaving): Promise<void> {
  const endsAt = performance.now() + graceMs;
  const deadline = AbortSignal.timeout(graceMs);
  setTimeout(() => {
    logger.error('could not stop in time');
    endNow();
  }, graceMs + AFTER_GRACE_MS);
  let workIsLeft = false;
  try {
    await role.stop(deadline);
    // Asked before the spans are sent: a slow collector may use up the grace period, and is no work left.
    workIsLeft = deadline.aborted;
    const flushMs = Math.min(FLUSH_MS, Math.max(endsAt - performance.now(), LEAST_FLUSH_MS));
    await Promise.all([spans?.close(flushMs), crashReports.close(flushMs)]);
  } catch (error) {
    logger.error({ err: error }, 'could not stop cleanly');
    process.exit(1);
  }
  if (!workIsLeft) {
    logger.info('stopped');
    process.exit(0);
  }
  logger.warn('stopped, with work left under way');
  endNow();
}

/** `process.exit` waits for threads that decode a picture or resolve a name, however long they take. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}
