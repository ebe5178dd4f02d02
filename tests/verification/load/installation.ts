import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { type Role, type RoleVariables, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { type RoleProcess, spawnRole } from '../../../ops/dev/stack/role-process.ts';
import { type Stack, startStack } from '../../../ops/dev/stack/stack.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { NO_QUOTAS } from '../../support/database/no-quotas.ts';

/**
 * The platform under load: the roles as the Procfile starts them, with their own timings, on a stack that keeps its
 * data on disk as an installation does. Workers are numbered; each may be killed and replaced.
 */
export interface Installation {
  readonly stack: Stack;
  readonly urls: readonly string[];
  readonly mailDir: string;
  /** The running processes by name: `web`, `worker-1`, … */
  processes(): ReadonlyMap<string, RunningRole>;
  /** Kills it with SIGKILL and starts the next one at once. Resolves when that one listens. */
  crashWorker(number: number): Promise<void>;
  /** Lines logged at level error or fatal. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

export interface RunningRole {
  readonly pid: number;
  /** Origin of its operator pages. */
  readonly opsUrl: string;
}

export interface InstallationOptions {
  dataDir: string;
  workers: number;
  announce(line: string): void;
}

/** @throws StackError whose message says what to do */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const { dataDir, workers, announce } = options;
  const stack = await startStack({ dataDir, discard: true, providerSpeed: 'realistic', announce });
  const roles = new Map<string, { process: RoleProcess; opsUrl: string }>();
  const complaints: string[] = [];
  const port = String(await freePort());
  const start = async (role: Role, name: string) => {
    const opsPort = String(await freePort());
    const env = roleEnvironment(stack, role, { ...settings(role), PORT: port, OPS_PORT: opsPort });
    const process = await spawnRole({
      role,
      name,
      env,
      dataDir,
      onLine: complaining(name, complaints),
    });
    roles.set(name, { process, opsUrl: `http://127.0.0.1:${opsPort}` });
    await process.ready;
  };
  const stop = async () => {
    await Promise.all([...roles.values()].map(({ process }) => process.stop()));
    await stack.stop();
  };
  try {
    await migrate(stack.databaseUrl);
    await start('web', 'web');
    for (let number = 1; number <= workers; number += 1) await start('worker', `worker-${number}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    urls: [`http://127.0.0.1:${port}`],
    mailDir: stack.mailDir,
    processes: () =>
      new Map([...roles].map(([name, { process, opsUrl }]) => [name, { pid: process.pid, opsUrl }])),
    async crashWorker(number) {
      const name = `worker-${number}`;
      await roles.get(name)?.process.stop('SIGKILL');
      await start('worker', name);
    },
    complaints,
    stop,
  };
}

function settings(role: Role): RoleVariables {
  const both = { SHUTDOWN_GRACE_MS: '5000' };
  // Each visitor has a different address, as behind a proxy.
  if (role === 'web') return { ...both, TRUSTED_PROXY_HOPS: '1', ...NO_QUOTAS };
  return { ...both, AI_STAGING_RATE_LIMIT_PER_MINUTE: '600', AI_STAGING_CONCURRENCY: '8' };
}

function complaining(name: string, complaints: string[]): (line: string) => void {
  return (line) => {
    if (/"level":"(?:error|fatal)"/.test(line)) complaints.push(`${name}: ${line}`);
  };
}
