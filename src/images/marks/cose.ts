import { type KeyObject, sign } from 'node:crypto';
import { MOST_STAMP_BYTES } from './time-stamp.ts';

/** What a claim is signed with: the key, its algorithm, and the certificates in DER, the leaf first. */
export interface SigningKey {
  key: KeyObject;
  hash: string;
  /** The algorithm's number in COSE (RFC 9053). */
  coseId: number;
  chain: readonly Buffer[];
}

const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;
/** The header of the certificate chain (RFC 9360). */
const X5CHAIN = 33;
const ALGORITHM = 1;
const COSE_SIGN1 = 18;
const NULL = Buffer.from([0xf6]);
/** More than an ECDSA signature and the envelope need. */
const ENVELOPE_BYTES = 512;

/** The first bytes of a CBOR item (RFC 8949). The second of each length's forms has its own number of bytes. */
function head(type: number, value: number): Buffer {
  const first = type << 5;
  if (value < 24) return Buffer.from([first | value]);
  if (value < 0x100) return Buffer.from([first | 24, value]);
  if (value < 0x10000) return Buffer.from([first | 25, value >> 8, value & 0xff]);
  const long = Buffer.alloc(5, first | 26);
  long.writeUInt32BE(value, 1);
  return long;
}

const number = (value: number): Buffer => (value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value));
const bytes = (value: Uint8Array): Buffer => Buffer.concat([head(BYTES, value.length), value]);
const text = (value: string): Buffer => {
  const encoded = Buffer.from(value);
  return Buffer.concat([head(TEXT, encoded.length), encoded]);
};
const array = (...items: Buffer[]): Buffer => Buffer.concat([head(ARRAY, items.length), ...items]);
const map = (...pairs: [name: Buffer, value: Buffer][]): Buffer =>
  Buffer.concat([head(MAP, pairs.length), ...pairs.flat()]);

/** How many bytes a signature with these certificates takes; the manifest leaves this room before it is signed. */
export function signatureBytes({ chain }: SigningKey, isStamped: boolean): number {
  const envelope = ENVELOPE_BYTES + (isStamped ? MOST_STAMP_BYTES : 0);
  return chain.reduce((sum, { length }) => sum + length, envelope);
}

/**
 * A COSE_Sign1 with the claim detached, as C2PA asks for it, padded to `signatureBytes`. The time of signing is in the
 * stamp of an authority (RFC 3161), over the signature.
 * @param stamp null: without a stamp; of at most `MOST_STAMP_BYTES`
 */
export async function coseSign1(
  claim: Uint8Array,
  signing: SigningKey,
  stamp: ((bytes: Buffer) => Promise<Buffer | null>) | null,
): Promise<Buffer> {
  const { key, hash, coseId, chain } = signing;
  const certificates = chain.length === 1 ? chain.map(bytes) : [array(...chain.map(bytes))];
  const headers = bytes(
    map([number(ALGORITHM), number(coseId)], [number(X5CHAIN), Buffer.concat(certificates)]),
  );
  const structure = (context: string, payload: Uint8Array): Buffer =>
    array(text(context), headers, bytes(Buffer.alloc(0)), bytes(payload));
  const signed = structure('Signature1', claim);
  const signature = bytes(sign(hash, signed, { key, dsaEncoding: 'ieee-p1363' }));
  const stamped = (await stamp?.(structure('CounterSignature', signature))) ?? null;
  const tokens = (token: Buffer): Buffer => map([text('tstTokens'), array(map([text('val'), bytes(token)]))]);
  const stamps: [name: Buffer, value: Buffer][] =
    stamped === null ? [] : [[text('sigTst2'), tokens(stamped)]];
  const envelope = (pad: number): Buffer =>
    Buffer.concat([
      head(TAG, COSE_SIGN1),
      array(headers, map(...stamps, [text('pad'), bytes(Buffer.alloc(pad))]), NULL, signature),
    ]);
  const size = signatureBytes(signing, stamp !== null);
  // The pad's own length takes three bytes from 256 on; an empty one takes one.
  return envelope(size - envelope(0).length - 2);
}
