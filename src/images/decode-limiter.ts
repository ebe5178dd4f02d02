/**
 * Owns the number of pictures that are decoded at one time in this process. Decoded pixels are the largest memory
 * the process ever holds, and they live outside the JavaScript heap, so nothing but this bounds them. Always true: the
 * slots in use never exceed the limit, and waiters are served in order (a heavy one is not overtaken for ever).
 * A crash loses only waiters, whose callers are gone too.
 */
export interface DecodeLimiter {
  /** Runs the task when `weight` slots (at most all of them) are free; rejects with the signal's reason if it aborts first. */
  run<T>(task: () => Promise<T>, options?: { weight?: number; signal?: AbortSignal }): Promise<T>;
  /** Slots taken now, for metrics and tests. */
  readonly busy: number;
}

interface Waiter {
  weight: number;
  admit: () => void;
}

/** @param slots how many ordinary pictures may be decoded at once; a heavy one asks for more than one slot. */
export function createDecodeLimiter(slots: number): DecodeLimiter {
  if (!Number.isInteger(slots) || slots < 1) throw new RangeError('slots must be a positive whole number');
  const waiting: Waiter[] = [];
  let busy = 0;

  const admitNext = (): void => {
    for (let next = waiting[0]; next && busy + next.weight <= slots; next = waiting[0]) {
      waiting.shift();
      busy += next.weight;
      next.admit();
    }
  };

  const acquire = (weight: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason);
        admitNext();
      };
      const waiter: Waiter = {
        weight,
        admit: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(waiter);
      admitNext();
    });

  return {
    async run(task, options = {}) {
      const weight = Math.min(Math.max(1, options.weight ?? 1), slots);
      await acquire(weight, options.signal);
      try {
        return await task();
      } finally {
        busy -= weight;
        admitNext();
      }
    },
    get busy() {
      return busy;
    },
  };
}

/** Memory belongs to the process, so the process has one limiter unless a test brings its own. */
const DECODE_SLOTS = 2;
export const processDecodeLimiter = createDecodeLimiter(DECODE_SLOTS);

/**
 * Above so many pixels a picture is decoded alone. Measured peaks are up to 12 bytes a pixel, 20 for AVIF; two
 * pictures at these sizes, or one of 60 megapixels that is not AVIF, keep the process near or under 600 MB.
 * A 60-megapixel AVIF, which no camera writes, takes 1.0 to 1.3 GB for a moment, alone.
 */
const HEAVY_PIXELS = 16_000_000;
const HEAVY_AVIF_PIXELS = 8_000_000;

/** The slots that decoding a picture of this size takes. */
export function decodeWeight(picture: { pixels: number; avif?: boolean }): number {
  return picture.pixels > (picture.avif ? HEAVY_AVIF_PIXELS : HEAVY_PIXELS) ? DECODE_SLOTS : 1;
}
