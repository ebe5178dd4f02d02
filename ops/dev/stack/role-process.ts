import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type ChildExit, startChild } from './child.ts';
import { nodeFlags, procfileCommand } from './procfile.ts';
import { eachLine, readyLine } from './ready-line.ts';
import type { Role, RoleVariables } from './role-environment.ts';

/** One running role. */
export interface RoleProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves with the URL it listens on; rejects with its last output when it ends before that. */
  readonly ready: Promise<string>;
  /** How it ended; never rejects. */
  readonly exited: Promise<ChildExit>;
  isRunning(): boolean;
  /**
   * Sends a signal (SIGTERM: drain and exit), kills it after its grace period, and waits for its end. SIGKILL is a
   * crash.
   */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface RoleProcessOptions {
  role: Role;
  env: RoleVariables;
  /** Every line of both outputs. */
  onLine?: (line: string) => void;
  /** Default: the role's command in the Procfile. */
  entry?: string;
  /** Default: the repository's. */
  procfile?: string | URL;
  /** The folder of an unpacked release that runs instead of the repository, with its own Procfile and Node.js. */
  release?: string;
  /** Default: the role. Several processes of one role need different names when they share a data directory. */
  name?: string;
  /** The directory of its record, so that the next launcher finds it after a kill -9 of this one. */
  dataDir?: string;
}

/** The repository's root: where Procfile commands run. */
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
export const PROCFILE = new URL('../../../Procfile', import.meta.url);
const READY_PATIENCE_MS = 60_000;
/** Time between the end of a role's own grace period and the kill. */
const AFTER_GRACE_MS = 5_000;
const DEFAULT_GRACE_MS = 25_000;

/** Starts `web` or `worker` with exactly `env` as its environment. */
export async function spawnRole(options: RoleProcessOptions): Promise<RoleProcess> {
  const { role, env, name = role, dataDir, onLine, release: cwd = REPOSITORY } = options;
  const child = await startChild({ ...commandOf(options), name, dataDir, env, cwd, output: 'pipe' });
  if (onLine) eachLine(child.process.stderr, onLine);
  const ready = readyLine(child, listeningUrl, {
    timeoutMs: READY_PATIENCE_MS,
    ...(onLine ? { onLine } : {}),
  });
  // A test that starts a role to crash it does not wait until it is ready.
  ready.catch(() => undefined);
  return {
    name,
    pid: child.pid,
    ready,
    exited: child.exited,
    isRunning: child.isRunning,
    stop: (signal) => stopWithinGrace(child, env, signal),
  };
}

function commandOf({ role, entry, procfile = PROCFILE, release }: RoleProcessOptions) {
  if (release !== undefined) {
    const { args } = procfileCommand(join(release, 'Procfile'), role);
    return { command: join(release, 'node_modules/.bin/node'), args };
  }
  return entry === undefined
    ? procfileCommand(procfile, role)
    : { command: process.execPath, args: [...nodeFlags(procfile, role), entry] };
}

function stopWithinGrace(
  child: Child,
  env: RoleVariables,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  const grace = Number(env.SHUTDOWN_GRACE_MS ?? DEFAULT_GRACE_MS);
  return child.stop(signal, grace + AFTER_GRACE_MS);
}

function listeningUrl({ msg, url }: Record<string, unknown>): string | undefined {
  return msg === 'listening' && typeof url === 'string' ? url : undefined;
}
