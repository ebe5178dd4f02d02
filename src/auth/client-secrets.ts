import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A secret or token of a client that cannot be guessed; only its hash is stored. 43 characters. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** SHA-256: what is random needs no slow hash. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
