import { PublicError } from '../../errors/errors.ts';
import { networkOf } from '../../limits/client-network.ts';
import { createFairQueue, QueueFull } from '../../limits/fair-queue.ts';
import type { RejectionLog } from '../../limits/rejection-log.ts';

/** Who uploads, and from where. */
export interface Uploader {
  readonly userId: string;
  readonly remoteAddress: string;
}

/** Uploaded pictures decoded at a time. */
export const UPLOAD_DECODERS = 2;
/** Of these, for one network: other networks always find a free one. */
const DECODERS_EACH = 1;
/** Each holds its file in memory. */
const MOST_WAITING = 100;
const RETRY_AFTER_SECONDS = 10;

/**
 * The turns of uploads that wait for a decoder: fair between networks, and between the people of one network. The price is
 * the time of decoding, which a file of a few kilobytes can make as long as a file of 25 MiB does.
 */
export function createUploadTurns(rejections: RejectionLog) {
  const turns = createFairQueue({
    lanes: UPLOAD_DECODERS,
    lanesEach: DECODERS_EACH,
    mostWaiting: MOST_WAITING,
  });
  return {
    /**
     * Runs the work in the uploader's turn.
     * @throws PublicError SERVICE_UNAVAILABLE when too many wait, the signal's reason, or the error of the work
     */
    async run<T>(
      { userId, remoteAddress }: Uploader,
      work: () => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      try {
        return await turns.run({ clients: [networkOf(remoteAddress)], subject: userId }, work, signal);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        const retryAfterSeconds = RETRY_AFTER_SECONDS;
        rejections.note('uploads', { userId });
        throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause: error });
      }
    },
  };
}

export type UploadTurns = ReturnType<typeof createUploadTurns>;
