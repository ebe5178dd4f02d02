import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, isFreePort } from '../stack/free-port.ts';
import { once, StackError } from '../stack/lifecycle.ts';
import { type Platform, startPlatform } from '../stack/platform.ts';
import { forRoles, type Role, type RoleVariables, roleEnvironment } from '../stack/role-environment.ts';
import { type RoleProcess, spawnRole } from '../stack/role-process.ts';
import type { Stack } from '../stack/stack.ts';
import { DEFAULT_DATA } from './arguments.ts';

/**
 * The platform of one demo: real processes on free ports, in a separate data folder, so that `npm start` may run at
 * the same time. The worker can be killed and started again; everything that survives this is on disk.
 */
export interface DemoPlatform {
  readonly stack: Stack;
  readonly url: string;
  /** Resolves with a sentence when a part ends unexpectedly. */
  readonly failed: Promise<string>;
  workerPid(): number;
  /** kill -9. */
  crashWorker(): Promise<void>;
  startWorkerAgain(): Promise<void>;
  stop(): Promise<void>;
}

export interface DemoPlatformOptions {
  /** Undefined: a temporary one, removed at the end. */
  data: string | undefined;
  /** The file for the log lines of both roles. */
  logFile: string;
  announce(line: string): void;
}

const CONCURRENCY = 8;
const PORT_TRIES = 3;

/** @throws StackError whose message says what to do */
export async function startDemoPlatform(options: DemoPlatformOptions): Promise<DemoPlatform> {
  const log = createWriteStream(options.logFile, { mode: 0o600 });
  const onLine = (source: string, line: string) => void log.write(`${source.padEnd(7)} | ${line}\n`);
  const { platform, opsPort } = await startOnFreePorts(options, onLine);
  return supervise({ platform, opsPort, onLine, closeLog: () => log.end() });
}

/** The settings of a role in the demo: no limiting start rate. */
function demoSettings(role: Role): RoleVariables {
  const both = {
    AI_ROOM_STAGING_ENABLED: 'true',
    SHUTDOWN_GRACE_MS: '5000',
    LOG_LEVEL: 'info',
  };
  if (role === 'web') return both;
  return {
    ...both,
    AI_STAGING_RATE_LIMIT_PER_MINUTE: '600',
    AI_STAGING_CONCURRENCY: String(CONCURRENCY),
    PROVIDER_POLL_INTERVAL_MS: '1000',
  };
}

type OnLine = (source: string, line: string) => void;

async function startOnFreePorts({ data, announce }: DemoPlatformOptions, onLine: OnLine) {
  for (let attempt = 1; ; attempt += 1) {
    const port = String(await freePort());
    const opsPort = String(await twoFreePorts());
    try {
      const platform = await startPlatform({
        port,
        opsPort,
        announce,
        onLine,
        dataDir: resolve(data ?? DEFAULT_DATA),
        discard: data === undefined,
        durable: data !== undefined,
        providerSpeed: 'fast',
        settings: demoSettings,
      });
      return { platform, opsPort };
    } catch (error) {
      const taken = error instanceof StackError && error.code === 'PORT_TAKEN';
      if (!taken || attempt === PORT_TRIES) throw error;
    }
  }
}

/** One for the worker's operator pages, the next for the web role's. */
async function twoFreePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFreePort(port + 1)) return port;
  }
}

interface Supervised {
  platform: Platform;
  opsPort: string;
  onLine: OnLine;
  closeLog(): void;
}

function supervise({ platform, opsPort, onLine, closeLog }: Supervised): DemoPlatform {
  const { stack, web } = platform;
  const url = new URL(platform.url).origin;
  const { promise: failed, resolve: fail } = Promise.withResolvers<string>();
  let worker: RoleProcess = platform.worker;
  let crashing = false;
  void platform.failed.then((reason) => {
    if (!crashing) fail(reason);
  });
  void web.exited.then(() => fail('web ended'));
  return {
    stack,
    url,
    failed,
    workerPid: () => worker.pid,
    async crashWorker() {
      crashing = true;
      await worker.stop('SIGKILL');
    },
    async startWorkerAgain() {
      const ports = { PORT: new URL(url).port, OPS_PORT: opsPort };
      const env = roleEnvironment(forRoles(stack), 'worker', { ...demoSettings('worker'), ...ports });
      const say = (line: string) => onLine('worker', line);
      worker = await spawnRole({ role: 'worker', env, dataDir: stack.dataDir, onLine: say });
      await worker.ready;
      void worker.exited.then(() => fail('the second worker ended'));
    },
    stop: once(async () => {
      await worker.stop();
      await platform.stop();
      closeLog();
    }),
  };
}

/** The log file of a run's roles. */
export function logFileIn(out: string): string {
  return join(out, 'roles.log');
}
