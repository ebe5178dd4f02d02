/** The check of every purchased picture before it is stored. The bytes themselves are never changed. */
import { createHash } from 'node:crypto';
import type { Metadata } from 'sharp';
import { hasShape } from '../../../machines/framing.ts';
import type { StagingAspectRatio, StagingOutputFormat } from '../../../machines/vocabulary.ts';
import { isAnimatedPng, sniffImageKind } from './image-kind.ts';
import { OutputRefused } from './output-refused.ts';
import { isWithinBounds, MAX_OUTPUT_BYTES } from './picture-bounds.ts';
import { sharp } from './sharp-settings.ts';

const MAX_OUTPUT_PIXELS = 50_000_000;
const MIN_OUTPUT_SIDE = 512;

/** The recorded properties of the stored file: upright size in pixels, size in bytes, sha256 in hex. */
export interface StagedOutput {
  width: number;
  height: number;
  format: StagingOutputFormat;
  bytes: number;
  checksum: string;
}

export interface ExpectedOutput {
  format: StagingOutputFormat;
  aspectRatio: StagingAspectRatio;
}

/**
 * Decodes the picture fully and compares it with the order: one frame, the requested format, within 1 % of the
 * aspect ratio, at least 512 px on the short side, at most 50 megapixels and 20 MiB
 * (docs/contract.md#output-checks).
 * @throws OutputRefused OUTPUT_TOO_LARGE (permanent) or OUTPUT_INVALID (retryable). Any other error is ours.
 */
export async function inspectStagedOutput(bytes: Buffer, expected: ExpectedOutput): Promise<StagedOutput> {
  if (bytes.length > MAX_OUTPUT_BYTES) throw new OutputRefused('OUTPUT_TOO_LARGE', 'more than 20 MiB');
  const kind = sniffImageKind(bytes);
  if (kind !== expected.format)
    throw invalid(`expected ${expected.format}, got ${kind ?? 'no known picture'}`);
  // Reads the header only; sharp's own limit would report an oversized picture as undecodable.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(undecodable);
  if (header.format !== expected.format) throw invalid(`decoder sees ${header.format}`);
  if (!isWithinBounds(header) || header.width * header.height > MAX_OUTPUT_PIXELS) {
    throw new OutputRefused('OUTPUT_TOO_LARGE', `${header.width}x${header.height} pixels`);
  }
  if ((header.pages ?? 1) > 1 || (kind === 'png' && isAnimatedPng(bytes)))
    throw invalid('more than one frame');
  const { width, height } = header.autoOrient;
  checkShape({ width, height }, expected.aspectRatio);
  await decodeAll(bytes, header);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return { width, height, format: expected.format, bytes: bytes.length, checksum };
}

function checkShape(size: { width: number; height: number }, aspectRatio: StagingAspectRatio): void {
  const { width, height } = size;
  if (Math.min(width, height) < MIN_OUTPUT_SIDE) throw invalid(`${width}x${height} is too small`);
  if (!hasShape(size, aspectRatio)) throw invalid(`${width}x${height} is not ${aspectRatio}`);
}

/** Keeps one channel: the decoder has to read every row, and the result has one byte per pixel instead of three. */
async function decodeAll(bytes: Buffer, header: Metadata): Promise<void> {
  const pixels = await sharp(bytes, {
    failOn: 'warning',
    limitInputPixels: MAX_OUTPUT_PIXELS,
    sequentialRead: true,
  })
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer()
    .catch(undecodable);
  if (pixels.length !== header.width * header.height) throw invalid('pixels are missing');
}

function invalid(message: string): OutputRefused {
  return new OutputRefused('OUTPUT_INVALID', message);
}

function undecodable(cause: Error): never {
  throw new OutputRefused('OUTPUT_INVALID', 'does not decode', cause);
}
