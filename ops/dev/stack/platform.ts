import { type ChildExit, startChild } from './child.ts';
import { isFreePort } from './free-port.ts';
import { once, type Service, StackError } from './lifecycle.ts';
import { procfileCommand } from './procfile.ts';
import { eachLine } from './ready-line.ts';
import {
  DEFAULT_OPS_PORT,
  DEFAULT_PORT,
  forRoles,
  type Role,
  type RoleVariables,
  roleEnvironment,
} from './role-environment.ts';
import { PROCFILE, REPOSITORY, type RoleProcess, spawnRole } from './role-process.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/**
 * The whole platform on this machine: the stack, the Procfile's `release`, then `web` and `worker`. It restarts
 * nothing: when a part ends unexpectedly, `failed` reports the first one and the owner stops the rest.
 */
export interface Platform extends Service {
  readonly stack: Stack;
  readonly web: RoleProcess;
  readonly worker: RoleProcess;
  /** Origin of the API host. */
  readonly url: string;
  /** Origin of the worker's operator pages. */
  readonly opsUrl: string;
  /** Resolves with a sentence when a part ends without having been stopped. */
  readonly failed: Promise<string>;
}

export interface PlatformOptions extends StackOptions {
  /** Default 3000. */
  port?: string;
  /** The worker's operator port, default 3001; the web role's is one higher. */
  opsPort?: string;
  /** Settings of a role in addition to those of the local stack. */
  settings?: (role: Role, stack: Stack) => RoleVariables;
  /** Default: the repository's. */
  procfile?: string | URL;
  /** Called when the database is migrated, before the roles start. */
  prepare?: (stack: Stack) => Promise<void>;
  /** Every line that `release`, `web` and `worker` write. */
  onLine: (source: string, line: string) => void;
}

/**
 * Starts everything and waits until both roles listen; on a failure, the started parts are stopped again.
 * @throws StackError whose message says what to do
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const stack = await startStack(options);
  const roles: RoleProcess[] = [];
  const stop = once(async () => {
    await Promise.all(roles.map((role) => role.stop()));
    await stack.stop();
  });
  try {
    await refuseTakenPorts(options);
    await release(stack, options);
    await options.prepare?.(stack);
    const web = await startRole('web', stack, options);
    roles.push(web);
    const worker = await startRole('worker', stack, options);
    roles.push(worker);
    const [url, opsUrl] = await Promise.all([web.ready, worker.ready]);
    return { name: 'platform', stack, web, worker, url, opsUrl, stop, failed: firstEnd(stack, roles) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reported here, because the message "address in use" in a role's log does not say what to do. */
async function refuseTakenPorts({ port = DEFAULT_PORT, opsPort = DEFAULT_OPS_PORT }: PlatformOptions) {
  for (const wanted of [Number(port), Number(opsPort), Number(opsPort) + 1]) {
    if (await isFreePort(wanted)) continue;
    throw new StackError(
      'PORT_TAKEN',
      `Port ${wanted} is taken by another program. Stop it, or choose others with --port and --ops-port.`,
    );
  }
}

function startRole(role: Role, stack: Stack, options: PlatformOptions): Promise<RoleProcess> {
  const { port = DEFAULT_PORT, opsPort = DEFAULT_OPS_PORT, settings, onLine, procfile = PROCFILE } = options;
  const ownOpsPort = role === 'worker' ? opsPort : String(Number(opsPort) + 1);
  const variables = { ...settings?.(role, stack), PORT: port, OPS_PORT: ownOpsPort };
  const env = roleEnvironment(forRoles(stack), role, variables);
  return spawnRole({ role, env, procfile, dataDir: stack.dataDir, onLine: (line) => onLine(role, line) });
}

async function release(stack: Stack, { onLine, procfile = PROCFILE }: PlatformOptions): Promise<void> {
  const child = await startChild({
    ...procfileCommand(procfile, 'release'),
    name: 'release',
    dataDir: stack.dataDir,
    env: {
      PATH: process.env.PATH,
      DATABASE_OWNER_URL: stack.databaseUrl,
      DATABASE_URL: forRoles(stack).databaseUrl,
    },
    cwd: REPOSITORY,
    output: 'pipe',
  });
  for (const stream of [child.process.stdout, child.process.stderr]) {
    eachLine(stream, (line) => onLine('release', line));
  }
  const { code, signal } = await child.exited;
  if (code === 0) return;
  throw new StackError(
    'START_FAILED',
    `The migrations failed (${signal ?? `code ${code}`}); see the lines above.`,
  );
}

function firstEnd(stack: Stack, roles: RoleProcess[]): Promise<string> {
  const { postgres, redis, loopback, provider } = stack;
  const services = [postgres, redis, loopback, ...(provider ? [provider] : [])];
  return Promise.race([
    ...roles.map((role) => role.exited.then((exit) => `${role.name} ended (${how(exit)})`)),
    ...services.map((service) => service.exited().then((exit) => `${service.name} ended (${how(exit)})`)),
  ]);
}

function how({ code, signal }: ChildExit): string {
  return signal ?? `code ${code}`;
}
