import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';

/** A candidate in a separate process, so that neither side pays for the other's garbage or timers. */
export interface CandidateProcess {
  readonly pid: number;
  /**
   * Sends a command (`serveTurns` of the child answers it) and waits for its value.
   * @throws Error with the child's stack when the command failed, or with its last output when it ended
   */
  ask<T>(command: string, input?: unknown): Promise<T>;
  /** Closes the channel, waits until the child has ended, and kills it when it does not end. */
  stop(): Promise<void>;
}

export interface CandidateOptions {
  /** The program's file; Node strips its types. */
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
}

const GOING_PATIENCE_MS = 15_000;
const LAST_OUTPUT = 4_000;
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

/** Starts the program and waits until it is ready. */
export async function startCandidate(options: CandidateOptions): Promise<CandidateProcess> {
  const { program, env = {}, execArgv = [] } = options;
  const inherited = INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const child = fork(program, [], {
    env: { ...Object.fromEntries(inherited), NODE_ENV: 'production', ...env },
    execArgv: [...execArgv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const channel = openChannel(child, basename(program));
  await channel.ready;
  return {
    pid: child.pid ?? 0,
    ask: channel.ask,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), GOING_PATIENCE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

type Answer = { ready: true } | { id: number; value?: unknown; error?: string };

function openChannel(child: ChildProcess, name: string) {
  const asked = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  const ready = Promise.withResolvers<void>();
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-LAST_OUTPUT);
    });
  child.on('message', (answer: Answer) => {
    if ('ready' in answer) return ready.resolve();
    const waiting = asked.get(answer.id);
    asked.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer.value as never);
    else waiting?.reject(new Error(`${name}: ${answer.error}`));
  });
  child.once('exit', (code, signal) => {
    const error = new Error(`${name} ended (${signal ?? `code ${code}`}). It said:\n${said.trim()}`);
    ready.reject(error);
    for (const { reject } of asked.values()) reject(error);
  });
  let id = 0;
  const ask = <T>(command: string, input?: unknown) =>
    new Promise<T>((resolve, reject) => {
      id += 1;
      asked.set(id, { resolve, reject });
      child.send({ id, command, input }, (error) => error && reject(error));
    });
  return { ready: ready.promise, ask };
}
