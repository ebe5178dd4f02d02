import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { onLeakCheck } from '../leak-check.ts';

/** A program of this repository that a test runs as a process, with its output so far. */
export interface StartedProgram {
  readonly pid: number;
  /** Both outputs, in the order they arrived. */
  said(): string;
  /** Waits until the output matches `pattern`; fails at once when the program has ended without a match. */
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
  isRunning(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Waits for the end; the exit code, or the signal that ended it. */
  ended(): Promise<number | string>;
}

export interface StartProgramOptions {
  env?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | undefined;
  /** A file that gets both outputs; `said` is then empty. */
  log?: string;
}

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const running = new Map<StartedProgram, string>();

onLeakCheck('programs', async () => {
  const left = [...running];
  for (const [program] of left) program.signal('SIGKILL');
  return left.map(([{ pid }, name]) => `process ${pid} (${name}) still runs`);
});

/** Runs `node <args>` in the repository's root. A file that does not end it fails. */
export function startProgram(args: string[], { env, user, log }: StartProgramOptions = {}): StartedProgram {
  const file = log === undefined ? null : openSync(log, 'a');
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
    ...user,
  });
  if (file !== null) closeSync(file);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // `close` and not `exit`: by then all output has been read.
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const program: StartedProgram = {
    pid: child.pid ?? 0,
    said: () => output,
    isRunning: () => running.has(program),
    async untilSaid(pattern) {
      const found = await eventually(
        () => pattern.exec(output) ?? (child.exitCode === null ? null : 'ended'),
        {
          what: `${args[0]} to say ${pattern}`,
          timeoutMs: 45_000,
        },
      ).catch((error: Error) => {
        throw new Error(`${error.message}\nIt said:\n${output}`);
      });
      if (found === 'ended')
        throw new Error(`${args[0]} ended without saying ${pattern}. It said:\n${output}`);
      return found;
    },
    signal: (name) => void child.kill(name),
    async ended() {
      const [code, signal] = await exited;
      // Orphans of a killed program keep its outputs open, so destroy them.
      if (signal === null) await closed;
      return code ?? signal ?? 'unknown';
    },
  };
  running.set(program, args.join(' '));
  void exited.then(() => running.delete(program));
  return program;
}
