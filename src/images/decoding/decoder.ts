/**
 * Decodes pictures in separate processes. Always true: a process handles one picture at a time, so that picture caused
 * its crash; at most `processes` exist; waiting tasks run in order and hold no bytes. A process starts when there is
 * work, is reused, and ends after a while without work (the last one stays), at its memory or time limit, or with this
 * process, however that ends. A crash of this process loses only work of requests that are lost too.
 */
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
}

/** For one picture, from its bytes to the answer. The largest allowed pictures take a few seconds. */
const DECODE_TIMEOUT_MS = 20_000;
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
  const attempt = async (child: DecoderChild, request: DecodeRequest) => {
    let keep = false;
    try {
      const answer = await child.ask(request, timeoutMs);
      if (answer.kind === 'out-of-memory') throw new DecoderLost('memory', answer.message);
      keep = answer.rss <= MOST_KEPT_BYTES;
      return answer;
    } finally {
      if (keep && !closed.signal.aborted) leaveIdle(child);
      else await end(child);
    }
  };

  const decode = async (
    request: DecodeRequest,
    about: Record<string, string>,
  ): Promise<Exclude<DecodeAnswer, { kind: 'out-of-memory' }>> => {
    for (;;) {
      const used = takeIdle();
      const child = used ?? (await start());
      try {
        return await attempt(child, request);
      } catch (error) {
        closed.signal.throwIfAborted();
        if (!(error instanceof DecoderLost)) throw error;
        const { reason, message } = error;
        // Earlier pictures may have weakened the process: only a new one proves that this picture crashed it.
        const isGuilty = used === undefined || reason === 'time';
        const names = { ...about, lane, task: request.task, reason, decoder: child.pid, isGuilty };
        logger.warn(
          { event: 'decoder_lost', ...names, detail: message },
          'a decoder did not live through a picture',
        );
        onLost?.(reason);
        if (isGuilty) throw blame(request.task, error);
      }
    }
  };

  return {
    /**
     * Runs the task when its turn comes, and returns its result.
     * @param order the arguments of the task besides the picture.
     * @param options.load returns the picture's bytes; called when the turn comes.
     * @param options.about ids for the log line of a loss.
     * @throws the error of `load` or of the task, or the signal's reason. For a picture that crashed its decoder:
     *   PublicError PHOTO_TOO_LARGE or PHOTO_BROKEN; OutputRefused for a picture of the provider. PublicError
     *   SERVICE_UNAVAILABLE when no decoder starts or this one is closed.
     */
    async run<N extends TaskName>(
      task: N,
      order: TaskOrder<N>,
      { load, signal, about = {} }: RunOptions,
    ): Promise<TaskResult<N>> {
      const until = linkAbort(closed.signal, ...(signal ? [signal] : []));
      try {
        const giveBack = await turns.take({ signal: until.signal });
        const work = (async () => {
          const bytes = await load();
          until.signal.throwIfAborted();
          const answer = await decode({ task, order, bytes }, about);
          if (answer.kind !== 'done') throw asThrown(answer);
          return answer.result as TaskResult<N>;
        })().finally(giveBack);
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

/** The error for a picture that crashed its decoder. */
function blame(task: TaskName, lost: DecoderLost): Error {
  if (task === 'staged-output') {
    const errorCode = lost.reason === 'memory' ? 'OUTPUT_TOO_LARGE' : 'OUTPUT_INVALID';
    return new OutputRefused(errorCode, `its decoder was lost (${lost.reason})`, lost);
  }
  const isHeavy = lost.reason !== 'died' && task !== 'rendition';
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
