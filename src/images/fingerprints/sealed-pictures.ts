import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The pictures of fingerprints at rest: AES-256-GCM with a key that is derived from the worker's secret, and bound to the
 * staged picture's id. Layout: version, nonce, tag, data.
 */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const START = 1 + NONCE_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

export function createPictureSeal({ userHashSecret }: { userHashSecret: string }) {
  const secret = Buffer.from(userHashSecret, 'hex');
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'proscenium staged fingerprints v1', 32));
  return {
    seal(pictures: Uint8Array, stagedImageId: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(stagedImageId));
      const data = Buffer.concat([cipher.update(pictures), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), data]);
    },
    /** @throws Error for bytes of another key, of another picture, or changed ones */
    open(sealed: Buffer, stagedImageId: string): Buffer {
      if (sealed[0] !== VERSION || sealed.length < START)
        throw new Error(`the fingerprint of picture ${stagedImageId} has an unknown form`);
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, 1 + NONCE_BYTES))
        .setAAD(Buffer.from(stagedImageId))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, START));
      return Buffer.concat([decipher.update(sealed.subarray(START)), decipher.final()]);
    },
  };
}

export type PictureSeal = ReturnType<typeof createPictureSeal>;
