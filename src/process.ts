import type { CommonConfig } from './config.ts';
import { type CrashReports, startCrashReports } from './telemetry/crash-reports.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import type { Spans } from './telemetry/tracing/spans.ts';
import { startSpans } from './telemetry/tracing/start.ts';

/** What a role hands back once it works. */
export interface RunningRole {
  failed: Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/**
 * The life of a role's process: crash reporting first, then the role, then signals. SIGTERM and SIGINT drain
 * within SHUTDOWN_GRACE_MS, a second one forces. A role that fails to start or gives up ends the process
 * non-zero with one clear line, for the platform to restart it.
 */
export async function runRole(options: {
  config: CommonConfig;
  secrets: string[];
  start(context: { logger: Logger; crashReports: CrashReports; spans: Spans | null }): Promise<RunningRole>;
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
  const die = async (error: unknown, what: string) => {
    logger.fatal({ err: error }, what);
    crashReports.capture(error);
    await Promise.all([crashReports.flush(FLUSH_MS), spans?.close(FLUSH_MS)]);
    process.exit(1);
  };
  process.on('uncaughtException', (error) => void die(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => void die(error, 'unhandled rejection'));
  try {
    spans = await startSpans(config, logger);
    const role = await options.start({ logger, crashReports, spans });
    listenForSignals(
      { ...role, stop: (graceMs) => stopWithin(graceMs, role, spans) },
      config.shutdownGraceMs,
      logger,
    );
    role.failed.catch((error) => die(error, `the ${config.role} role gave up`));
  } catch (error) {
    await die(error, `the ${config.role} role could not start`);
  }
}

const FLUSH_MS = 2_000;
/** Of a role that has used up its grace: the spans of its end say why. */
const LEAST_FLUSH_MS = 250;

/** The role first, so that its last spans are there to be sent in what is left of the grace. */
async function stopWithin(graceMs: number, role: RunningRole, spans: Spans | null): Promise<void> {
  const endsAt = performance.now() + graceMs;
  try {
    await role.stop(graceMs);
  } finally {
    const left = endsAt - performance.now();
    await spans?.close(Math.min(FLUSH_MS, Math.max(left, LEAST_FLUSH_MS)));
  }
}

function listenForSignals(role: RunningRole, graceMs: number, logger: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) {
      logger.warn({ signal }, 'forced to stop');
      process.exit(1);
    }
    stopping = true;
    logger.info({ signal, graceMs }, 'stopping');
    role.stop(graceMs).then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error) => {
        logger.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
