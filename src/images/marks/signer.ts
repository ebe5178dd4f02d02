/**
 * Signs pictures in a thread (signing-thread.ts). Always true: the thread has one picture at a time; after a failure
 * it is ended, since the state of its memory is unknown, and for a minute nothing is signed. A picture that cannot be
 * signed is shown with its other marks.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import type { Clock } from '../../../supervisors/ports.ts';
import type { SigningConfig } from '../../config/signing.ts';
import type { ManifestFacts } from './manifest.ts';
import type { SigningAnswer, SigningOrder, SigningThreadData } from './signing-thread.ts';

/** A signature takes milliseconds; loading the library about half a second, more on a busy machine. */
const SIGN_MS = 10_000;
const START_MS = 30_000;
/** So that a library that keeps failing does not cost each request the start of a thread. */
const PAUSE_MS = 60_000;
const PROGRAM = fileURLToPath(new URL('./signing-thread.ts', import.meta.url));

/** The picture was not signed; the caller shows it without a signature. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

type Signed = Extract<SigningAnswer, { kind: 'done' }>;
type Thread = Awaited<ReturnType<typeof startThread>>;

/** @throws NotSigned when the thread cannot sign with this key and chain. */
async function startThread({ key, hash, coseId, chain, algorithm, timeStampUrl }: SigningConfig) {
  const workerData: SigningThreadData = { key, hash, coseId, chain, algorithm, timeStampUrl };
  // Nothing of the environment, which holds the role's secrets.
  const worker = new Worker(PROGRAM, { workerData, env: {} });
  const ended = new AbortController();
  const end = (error: unknown) => ended.abort(error);
  worker.once('error', end);
  worker.once('exit', (code) => end(new Error(`the thread that signs has ended with code ${code}`)));
  const next = async (timeoutMs: number): Promise<Signed> => {
    worker.ref();
    const timer = setTimeout(() => end(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      const [answer]: SigningAnswer[] = await once(worker, 'message', { signal: ended.signal });
      if (answer?.kind === 'done') return answer;
      throw new Error(answer?.message);
    } catch (error) {
      const cause = ended.signal.reason ?? error;
      end(cause);
      await worker.terminate();
      throw new NotSigned('a picture could not be signed', { cause });
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  };
  const { unstamped } = await next(START_MS);
  return {
    /** Why its first signature has no time stamp; null when it has one, or none was wanted. */
    unstamped,
    get isRunning() {
      return !ended.signal.aborted;
    },
    sign(order: SigningOrder): Promise<Signed> {
      const bytes = new Uint8Array(order.bytes);
      worker.postMessage({ ...order, bytes }, [bytes.buffer]);
      return next(SIGN_MS);
    },
    end: () => worker.terminate(),
  };
}

/**
 * Starts the thread and signs once to try it.
 * @param onUnstamped is given the reason when a time stamp is missing that was wanted; for a minute none is asked for then
 * @throws NotSigned when that fails, with the reason as its cause.
 */
export async function startSigner(
  config: SigningConfig,
  { clock, onUnstamped }: { clock: Clock; onUnstamped: (reason: string) => void },
) {
  const turns = new Semaphore(1);
  let thread: Thread = await startThread(config);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let unstampedUntil = Number.NEGATIVE_INFINITY;
  const noteStamp = ({ unstamped }: { unstamped: string | null }): void => {
    if (unstamped === null) return;
    unstampedUntil = clock.now() + PAUSE_MS;
    onUnstamped(unstamped);
  };
  noteStamp(thread);
  return {
    /** Names the leaf certificate: SHA-256, hex. */
    fingerprint: config.fingerprint,
    /** False outside the time of the certificates, and for a minute after a failure. */
    get canSign() {
      const now = clock.now();
      return now >= Math.max(config.validFrom, pausedUntil) && now < config.validUntil;
    },
    /**
     * The picture with a manifest in it.
     * @throws NotSigned
     */
    async sign(facts: ManifestFacts, bytes: Buffer): Promise<Buffer> {
      const giveBack = await turns.take();
      try {
        if (!thread.isRunning) thread = await startThread(config);
        const isStamped = clock.now() >= unstampedUntil;
        const { bytes: signed, unstamped } = await thread.sign({ facts, bytes, isStamped });
        noteStamp({ unstamped });
        return Buffer.from(signed.buffer, signed.byteOffset, signed.length);
      } catch (error) {
        pausedUntil = clock.now() + PAUSE_MS;
        throw error;
      } finally {
        giveBack();
      }
    },
    close: async (): Promise<void> => void (await thread.end()),
  };
}

export type Signer = Awaited<ReturnType<typeof startSigner>>;
