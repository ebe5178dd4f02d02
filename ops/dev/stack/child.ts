import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from './lifecycle.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import { end, forgetProcess, ownIdentity, recordProcess, stopLeftovers } from './process-records.ts';

/**
 * One recorded child process. While it runs, its record is on disk. When the launcher dies by kill -9, the kernel
 * ends the child on Linux (`setpriv --pdeathsig`); on other systems the next start does.
 */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** How it ended; resolves once, never rejects. */
  readonly exited: Promise<ChildExit>;
  isRunning(): boolean;
  /** Sends `asked` (default: its own stop signal), kills it after `patienceMs`, and waits until it has ended. */
  stop(asked?: NodeJS.Signals, patienceMs?: number): Promise<void>;
}

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  /** The directory of its record and log. Without it there are none, and only the launcher can end the child. */
  dataDir?: string | undefined;
  /** Unique within the data directory; also the name of its log file and record. */
  name: string;
  command: string;
  args: string[];
  stopSignal?: NodeJS.Signals;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Run as this user; only root may. */
  user?: { uid: number; gid: number } | undefined;
  /**
   * `log` (default): both outputs go to `<dataDir>/logs/<name>.log`, so that the death of the launcher breaks no
   * pipe.
   */
  output?: 'log' | 'pipe';
  /** False leaves it running after a kill -9 of the launcher; the next start finds it. */
  diesWithLauncher?: boolean;
}

/**
 * Starts a child process, after stopping the one of the same name that a dead launcher may have left.
 * @throws StackError ALREADY_RUNNING, or START_FAILED when the program cannot be executed
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { dataDir, name, stopSignal = 'SIGTERM' } = options;
  if (dataDir !== undefined) await stopLeftovers(dataDir, name);
  const child = spawnIt(options);
  const { pid } = child;
  if (pid === undefined) throw await spawnFailure(child, options);
  const identity = identify(pid) ?? { pid, startedAt: 'gone' };
  if (dataDir !== undefined)
    recordProcess(dataDir, { ...identity, name, launcher: ownIdentity(), stopSignal });
  return superviseChild(child, identity, options);
}

/** The end of a child's log file, for error messages. */
export function logTail(dataDir: string, name: string, lines = 15): string {
  try {
    return readFileSync(logFile(dataDir, name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}

function superviseChild(child: ChildProcess, identity: ProcessIdentity, options: ChildOptions): Child {
  const { dataDir, name, stopSignal = 'SIGTERM' } = options;
  let running = true;
  // A launcher that exits by process.exit ends its children too; only a kill -9 skips this.
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false;
      process.off('exit', killNow);
      if (dataDir !== undefined) forgetProcess(dataDir, name, identity);
      resolve({ code, signal });
    });
  });
  return {
    name,
    pid: identity.pid,
    process: child,
    exited,
    isRunning: () => running,
    async stop(asked = stopSignal, patienceMs) {
      if (!running) return;
      await end(identity, asked, patienceMs);
      await exited;
    },
  };
}

function spawnIt(options: ChildOptions): ChildProcess {
  const { dataDir, name, env, cwd, user, output = 'log', stopSignal = 'SIGTERM' } = options;
  const bound = options.diesWithLauncher !== false && hasDeathSignal();
  const command = bound ? 'setpriv' : options.command;
  const args = bound
    ? ['--pdeathsig', stopSignal.slice(3), '--', options.command, ...options.args]
    : options.args;
  const log = output === 'log' && dataDir !== undefined ? openLog(dataDir, name) : undefined;
  try {
    return spawn(command, args, {
      env: env ?? process.env,
      stdio: log === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', log, log],
      // A separate process group: Ctrl-C reaches only the launcher, which then stops its children in order.
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
      ...(user ?? {}),
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

function spawnFailure(child: ChildProcess, { name, command }: ChildOptions): Promise<StackError> {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      resolve(new StackError('START_FAILED', `${name}: cannot run ${command}: ${cause.message}`, { cause }));
    });
  });
}

function openLog(dataDir: string, name: string): number {
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  return openSync(logFile(dataDir, name), 'a', 0o600);
}

function logFile(dataDir: string, name: string): string {
  return join(dataDir, 'logs', `${name}.log`);
}

let deathSignalKnown: boolean | undefined;

function hasDeathSignal(): boolean {
  deathSignalKnown ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--pdeathsig', 'TERM', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return deathSignalKnown;
}
