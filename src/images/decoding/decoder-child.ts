import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LossReason } from '../../telemetry/metrics.ts';
import {
  type DecodeAnswer,
  type DecodeRequest,
  type DecoderReady,
  OUT_OF_MEMORY,
} from './decode-messages.ts';

/** The process ended, or was ended, before it answered. */
export class DecoderLost extends Error {
  readonly reason: LossReason;

  constructor(reason: LossReason, message: string) {
    super(message);
    this.name = 'DecoderLost';
    this.reason = reason;
  }
}

/** One process that decodes one picture at a time. While it is idle it does not keep this process alive. */
export interface DecoderChild {
  readonly pid: number | undefined;
  readonly isRunning: boolean;
  /** Pictures it has answered for. */
  readonly answered: number;
  /**
   * @param timeoutMs after that it is killed.
   * @throws DecoderLost; the child is of no more use then.
   */
  ask(request: DecodeRequest, timeoutMs: number): Promise<DecodeAnswer>;
  /** Kills it, if it still runs; resolves when it is gone. */
  end(): Promise<void>;
}

/** A lower priority than the role that started it, which serves all requests. */
const PRIORITY = 5;
const PROGRAM = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
const START_MS = 20_000;
/** The end of its output: enough for a fatal message of the engine or the library. */
const LAST_OUTPUT = 2_000;
/**
 * The limit applies to the process's own memory (RLIMIT_DATA), not to reserved addresses. A stricter existing limit
 * stays.
 */
const LIMITED = '(ulimit -d "$0") 2>/dev/null && ulimit -d "$0"; exec "$@"';
const NODE_ARGUMENTS = ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'];

/**
 * Starts a decoder and waits until it takes work. It gets only the folder for temporary files of this process's
 * environment.
 * @throws Error when it does not start: a fault of this machine, not of a picture.
 */
export async function startDecoderChild({ memoryMb }: { memoryMb: number }): Promise<DecoderChild> {
  const limit = String(memoryMb * 1024);
  const child = spawn('/bin/sh', ['-c', LIMITED, limit, process.execPath, ...NODE_ARGUMENTS, PROGRAM], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // Two arenas: memory that one thread frees must be available to the next picture's threads.
    env: { MALLOC_ARENA_MAX: '2', TMPDIR: tmpdir() },
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  const life = watch(child);
  const first = await life.next<DecoderReady>(START_MS).catch((error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`a decoder of pictures does not start: ${error.message}`);
  });
  if (first.kind !== 'ready') throw new Error('a decoder of pictures spoke before it was ready');
  let answered = 0;
  rest(child);
  return {
    pid: child.pid,
    get isRunning() {
      return life.isRunning();
    },
    get answered() {
      return answered;
    },
    async ask(request, timeoutMs) {
      attend(child);
      const answer = life.next<DecodeAnswer>(timeoutMs);
      child.send(request, () => {});
      try {
        const given = await answer;
        answered += 1;
        return given;
      } finally {
        rest(child);
      }
    },
    async end() {
      attend(child);
      child.kill('SIGKILL');
      await life.gone;
    },
  };
}

/** The messages of a process, each awaited with a limit, and its end. */
function watch(child: ChildProcess) {
  let lastOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-LAST_OUTPUT);
  });
  let fail: ((error: DecoderLost) => void) | null = null;
  let hear: ((message: unknown) => void) | null = null;
  const gone = new Promise<void>((resolve) => {
    const ended = (how: string) => {
      resolve();
      const words = lastOutput.trim();
      const reason = OUT_OF_MEMORY.test(words) ? 'memory' : 'died';
      fail?.(new DecoderLost(reason, words === '' ? how : `${how}: ${words}`));
    };
    // `close` and not `exit`: its output has been read by then.
    child.on('close', (code, signal) => ended(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    child.on('error', (error) => ended(error.message));
  });
  let isRunning = true;
  void gone.then(() => {
    isRunning = false;
  });
  child.on('message', (message) => hear?.(message));
  const next = <T>(timeoutMs: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (!isRunning) return reject(new DecoderLost('died', 'it ended while it was idle'));
      const timer = setTimeout(() => {
        fail?.(new DecoderLost('time', `no answer within ${timeoutMs} ms`));
        child.kill('SIGKILL');
      }, timeoutMs);
      const over = () => {
        clearTimeout(timer);
        hear = null;
        fail = null;
      };
      hear = (message) => {
        over();
        resolve(message as T);
      };
      fail = (error) => {
        over();
        reject(error);
      };
    });
  return { gone, next, isRunning: () => isRunning };
}

type Unrefable = { ref(): void; unref(): void };
const handlesOf = (child: ChildProcess): (Unrefable | null | undefined)[] => [
  child,
  child.channel as Unrefable | null | undefined,
  child.stderr as unknown as Unrefable | null,
];

function rest(child: ChildProcess): void {
  for (const handle of handlesOf(child)) handle?.unref();
}

function attend(child: ChildProcess): void {
  for (const handle of handlesOf(child)) handle?.ref();
}
