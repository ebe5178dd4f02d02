import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LossReason } from '../../telemetry/metrics.ts';
import { type DecodeAnswer, type DecodeRequest, OUT_OF_MEMORY } from './decode-messages.ts';

/** The process ended before it answered. */
export class DecoderLost extends Error {
  readonly reason: LossReason;

  constructor(reason: LossReason, message: string) {
    super(message);
    this.name = 'DecoderLost';
    this.reason = reason;
  }
}

/** A lower priority than the role that started it, which serves all requests. */
const PRIORITY = 5;
const PROGRAM = fileURLToPath(new URL('./decoder-process.ts', import.meta.url));
const START_MS = 20_000;
/** Keeps the end of its output: enough for a fatal message of the engine or the library. */
const LAST_OUTPUT = 2_000;
/**
 * The limit applies to the process's own memory (RLIMIT_DATA), not to reserved addresses. A stricter existing limit
 * stays.
 */
const LIMITED = '(ulimit -d "$0") 2>/dev/null && ulimit -d "$0"; exec "$@"';
const NODE_ARGUMENTS = ['--max-old-space-size=128', '--disable-warning=ExperimentalWarning'];

/**
 * Starts a decoder and waits until it is ready for work: one picture at a time. Of this process's environment it
 * gets only the folder for temporary files. While it is idle it does not keep this process alive.
 * @throws Error when it does not start: a fault of this machine, not of a picture.
 */
export async function startDecoderChild({ memoryMb }: { memoryMb: number }) {
  const limit = String(memoryMb * 1024);
  const child = spawn('/bin/sh', ['-c', LIMITED, limit, process.execPath, ...NODE_ARGUMENTS, PROGRAM], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // Two arenas: memory that one thread frees must be available to the next picture's threads.
    env: { MALLOC_ARENA_MAX: '2', TMPDIR: tmpdir() },
  });
  if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  const life = watch(child);
  // The first message reports readiness.
  await life.next(START_MS).catch((error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`a decoder of pictures does not start: ${error.message}`);
  });
  unref(child);
  return {
    pid: child.pid,
    get isRunning() {
      return !life.lost.aborted;
    },
    /**
     * @param timeoutMs after that it is killed.
     * @throws DecoderLost; the child cannot be used then.
     */
    async ask(request: DecodeRequest, timeoutMs: number): Promise<DecodeAnswer> {
      ref(child);
      const answer = life.next(timeoutMs);
      child.send(request, () => {});
      return answer.finally(() => unref(child));
    },
    /** Kills it, if it still runs; resolves when it is gone. */
    async end(): Promise<void> {
      ref(child);
      child.kill('SIGKILL');
      await life.gone;
    },
  };
}
export type DecoderChild = Awaited<ReturnType<typeof startDecoderChild>>;

/** The messages of a process, each awaited with a timeout, and its end. */
function watch(child: ChildProcess) {
  let lastOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-LAST_OUTPUT);
  });
  const lost = new AbortController();
  const gone = new Promise<void>((resolve) => {
    const ended = (how: string) => {
      resolve();
      const words = lastOutput.trim();
      const reason = OUT_OF_MEMORY.test(words) ? 'memory' : 'died';
      lost.abort(new DecoderLost(reason, words === '' ? how : `${how}: ${words}`));
    };
    // `close` instead of `exit`: all output has been read by then.
    child.on('close', (code, signal) => ended(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    child.on('error', (error) => ended(error.message));
  });
  const next = async (timeoutMs: number): Promise<DecodeAnswer> => {
    const timer = setTimeout(() => {
      lost.abort(new DecoderLost('time', `no answer within ${timeoutMs} ms`));
      child.kill('SIGKILL');
    }, timeoutMs);
    try {
      const [message] = await once(child, 'message', { signal: lost.signal });
      return message;
    } catch {
      throw lost.signal.reason;
    } finally {
      clearTimeout(timer);
    }
  };
  return { gone, lost: lost.signal, next };
}

/** The handles that keep this process alive while the child runs. */
const handlesOf = (child: ChildProcess) => [
  child,
  child.channel,
  child.stderr instanceof Socket ? child.stderr : null,
];

function unref(child: ChildProcess): void {
  for (const handle of handlesOf(child)) handle?.unref();
}

function ref(child: ChildProcess): void {
  for (const handle of handlesOf(child)) handle?.ref();
}
