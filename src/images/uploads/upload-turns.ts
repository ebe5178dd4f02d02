import { PublicError } from '../../errors/errors.ts';
import { networkOf } from '../../limits/client-network.ts';
import { createFairQueue, QueueFull } from '../../limits/fair-queue.ts';
import type { RejectionLog } from '../../limits/rejection-log.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { sniffImageKind } from '../decoding/image-kind.ts';
import { asHeicError, heicNotTaken } from './heic-errors.ts';

/** A file, who uploads it, and from where. */
export interface UploadedFile {
  readonly userId: string;
  readonly remoteAddress: string;
  readonly file: Buffer;
}

/** Uploaded pictures decoded at a time. */
export const UPLOAD_DECODERS = 2;
/** HEIC pictures decoded at a time: one needs up to half a gigabyte. */
export const HEIC_DECODERS = 1;
/** Of each, for one network: other networks always find a free one for pictures that are no HEIC. */
const DECODERS_EACH = 1;
/** Each holds its file in memory. */
const MOST_WAITING = 100;
/** At some seconds for each, the last one is decoded before its uploader gives up. */
const MOST_WAITING_HEIC = 25;
const RETRY_AFTER_SECONDS = 10;

export interface UploadTurnsOptions {
  rejections: RejectionLog;
  /** For HEIC, and for all other pictures: a HEIC that uses up its time delays only others of its kind. */
  decoders: { heic: Decoder; uploads: Decoder };
  isHeicTaken: boolean;
}

/**
 * The turns of uploads that wait for a decoder: fair between networks, and between the people of one network. The price is
 * the time of decoding, which a file of a few kilobytes can make as long as a file of 25 MiB does.
 */
export function createUploadTurns({ rejections, decoders, isHeicTaken }: UploadTurnsOptions) {
  const queue = (lanes: number, mostWaiting: number) =>
    createFairQueue({ lanes, lanesEach: DECODERS_EACH, mostWaiting });
  const heic = { turns: queue(HEIC_DECODERS, MOST_WAITING_HEIC), decoder: decoders.heic };
  const others = { turns: queue(UPLOAD_DECODERS, MOST_WAITING), decoder: decoders.uploads };
  return {
    /**
     * Runs the work in the uploader's turn, with the decoder for the file.
     * @throws PublicError PHOTO_TYPE_UNSUPPORTED for a HEIC that is not taken here, SERVICE_UNAVAILABLE when too many
     *   wait, the signal's reason, or the error of the work
     */
    async run<T>(
      { userId, remoteAddress, file }: UploadedFile,
      work: (decoder: Decoder) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      const isHeic = sniffImageKind(file) === 'heic';
      if (isHeic && !isHeicTaken) throw heicNotTaken();
      const { turns, decoder } = isHeic ? heic : others;
      try {
        const turn = { clients: [networkOf(remoteAddress)], subject: userId };
        return await turns.run(turn, () => work(decoder), signal);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw isHeic ? asHeicError(error) : error;
        const retryAfterSeconds = RETRY_AFTER_SECONDS;
        rejections.note('uploads', { userId });
        throw new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause: error });
      }
    },
  };
}

export type UploadTurns = ReturnType<typeof createUploadTurns>;
