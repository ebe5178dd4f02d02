/**
 * Decodes pictures in separate processes. A process that dies, hangs, or exceeds its memory or time is this host's fault
 * first: the same bytes are decoded again, twice, alone and in a new process, and only a picture that loses each of its
 * decoders is refused. Always true: a process handles one picture at a time; at most `processes` exist; waiting tasks run
 * in order and hold no bytes. A process starts when there is work, is reused, and ends after a while without work (the
 * last one stays), at its memory or time limit, or with this process, however that ends. A crash of this process loses
 * only work of requests that are lost too.
 */
import { availableParallelism, loadavg } from 'node:os';
import { linkAbort } from '../../../supervisors/concurrency/linked-abort.ts';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import { PublicError } from '../../errors/errors.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { LossReason } from '../../telemetry/metrics.ts';
import { asThrown, type DecodeAnswer, type DecodeRequest } from './decode-messages.ts';
import type { TaskName, TaskOrder, TaskResult } from './decode-tasks.ts';
import { type DecoderChild, DecoderLost, startDecoderChild } from './decoder-child.ts';
import { OutputRefused } from './output-refused.ts';

export interface DecoderOptions {
  /** For log lines and metrics: the purpose of the pictures. */
  lane: string;
  /** The maximum number of pictures at a time. */
  processes: number;
  /** Memory limit of each process; `IMAGE_WORKER_MEMORY_MB`. */
  memoryMb: number;
  logger: Pick<Logger, 'warn' | 'error'>;
  onLost?: (reason: LossReason) => void;
  timeoutMs?: number;
  idleMs?: number;
  /** Whether more wants to run on this host than can. */
  isBusy?: () => boolean;
}

/** For one picture, from its bytes to the answer. The largest allowed pictures take a few seconds. */
const DECODE_TIMEOUT_MS = 20_000;
/** The tries of one picture: the second and third alone, the last with more time. */
const TRIES = [
  { alone: false, times: 1 },
  { alone: true, times: 1 },
  { alone: true, times: 3 },
] as const;
const isHostBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism();
const IDLE_MS = 30_000;
/** A process that still holds more memory than this after its picture is ended, to free the memory. */
const MOST_KEPT_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

export function createDecoder(options: DecoderOptions) {
  const {
    lane,
    processes,
    memoryMb,
    logger,
    onLost,
    timeoutMs = DECODE_TIMEOUT_MS,
    idleMs = IDLE_MS,
    isBusy = isHostBusy,
  } = options;
  const closed = new AbortController();
  const turns = new Semaphore(processes);
  /** Idle processes with the timers that end them; the most recently used is last. */
  const idle = new Map<DecoderChild, NodeJS.Timeout>();
  const children = new Set<DecoderChild>();

  const start = async (): Promise<DecoderChild> => {
    closed.signal.throwIfAborted();
    const child = await startDecoderChild({ memoryMb }).catch((error: unknown) => {
      logger.error({ err: error, lane }, 'no decoder of pictures starts');
      throw unavailable(error);
    });
    children.add(child);
    if (closed.signal.aborted) await end(child);
    return child;
  };
  const end = async (child: DecoderChild): Promise<void> => {
    await child.end();
    children.delete(child);
  };
  const takeIdle = (): DecoderChild | undefined => {
    for (const [child, leaves] of [...idle].reverse()) {
      idle.delete(child);
      clearTimeout(leaves);
      if (child.isRunning) return child;
      children.delete(child);
    }
    return undefined;
  };
  const leaveIdle = (child: DecoderChild): void => {
    const leaves = setTimeout(() => {
      if (idle.size === 1) return;
      idle.delete(child);
      void end(child);
    }, idleMs).unref();
    idle.set(child, leaves);
  };

  /** Runs the request in one process; throws DecoderLost when the process did not survive. */
  const ask = async (child: DecoderChild, request: DecodeRequest, within: number) => {
    let keep = false;
    try {
      const answer = await child.ask(request, within);
      if (answer.kind === 'out-of-memory') throw new DecoderLost('memory', answer.message);
      keep = answer.rss <= MOST_KEPT_BYTES;
      return answer;
    } finally {
      if (keep && !closed.signal.aborted) leaveIdle(child);
      else await end(child);
    }
  };
  /** A process for the try. While one works alone, there is no other. */
  const childFor = async (alone: boolean): Promise<DecoderChild> => {
    for (let used = takeIdle(); used !== undefined; used = takeIdle()) {
      if (!alone) return used;
      await end(used);
    }
    return start();
  };

  /** One try, in its turn; the loss of its process when that did not survive. */
  const attempt = async (
    { task, order, load, about = {} }: RunOptions & Pick<DecodeRequest, 'task' | 'order'>,
    { alone, times, isLast }: { alone: boolean; times: number; isLast: boolean },
    signal: AbortSignal,
  ): Promise<Exclude<DecodeAnswer, { kind: 'out-of-memory' }> | DecoderLost> => {
    const giveBack = await turns.take({ signal, alone, first: alone });
    try {
      const bytes = await load();
      signal.throwIfAborted();
      const child = await childFor(alone);
      try {
        return await ask(child, { task, order, bytes }, timeoutMs * times);
      } catch (error) {
        closed.signal.throwIfAborted();
        if (!(error instanceof DecoderLost)) throw error;
        const { reason, message } = error;
        const names = { ...about, lane, task, reason, decoder: child.pid, isGuilty: isLast };
        logger.warn(
          { event: 'decoder_lost', ...names, detail: message },
          'a decoder did not live through a picture',
        );
        onLost?.(reason);
        if (isLast) throw blame(task, error, isBusy);
        return error;
      }
    } finally {
      giveBack();
    }
  };

  return {
    /**
     * Runs the task when its turn comes, and returns its result.
     * @param order the arguments of the task besides the picture.
     * @param options.load returns the picture's bytes; called when a turn comes, so perhaps again.
     * @param options.about ids for the log line of a loss.
     * @throws the error of `load` or of the task, or the signal's reason. For a picture that crashed its decoder:
     *   PublicError PHOTO_TOO_LARGE or PHOTO_BROKEN; OutputRefused for a picture of the provider. PublicError
     *   SERVICE_UNAVAILABLE when no decoder starts or this one is closed.
     */
    async run<N extends TaskName>(task: N, order: TaskOrder<N>, options: RunOptions): Promise<TaskResult<N>> {
      const until = linkAbort(closed.signal, ...(options.signal ? [options.signal] : []));
      const work = (async () => {
        for (const [index, { alone, times }] of TRIES.entries()) {
          const isLast = index === TRIES.length - 1;
          const answer = await attempt({ task, order, ...options }, { alone, times, isLast }, until.signal);
          if (answer instanceof DecoderLost) continue;
          if (answer.kind !== 'done') throw asThrown(answer);
          return answer.result as TaskResult<N>;
        }
        throw new Error('the last try throws');
      })();
      try {
        // The caller's abort does not free the process, which is busy until it answers.
        return await orAborted(work, until.signal);
      } finally {
        until.release();
      }
    },
    /** Pictures in progress, and waiting pictures. */
    get load() {
      return turns.load;
    },
    /** Accepts no more pictures, aborts waiting and running ones, and ends the processes. */
    async close(): Promise<void> {
      closed.abort(unavailable(new Error('the decoder is closed')));
      await Promise.all([...children].map(end));
    },
  };
}

export type Decoder = ReturnType<typeof createDecoder>;

interface RunOptions {
  load: () => Buffer | Promise<Buffer>;
  signal?: AbortSignal;
  about?: Record<string, string>;
}

/** The error for a picture whose last decoder was lost. */
function blame(task: TaskName, lost: DecoderLost, isBusy: () => boolean): Error {
  if (task === 'staged-output')
    return new OutputRefused('OUTPUT_INVALID', `its decoder was lost (${lost.reason})`, lost);
  if (lost.reason === 'time' && isBusy()) return unavailable(lost);
  const isHeavy = lost.reason === 'memory' && task !== 'rendition';
  return new PublicError(isHeavy ? 'PHOTO_TOO_LARGE' : 'PHOTO_BROKEN', { cause: lost });
}

function unavailable(cause: unknown): PublicError {
  return new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
