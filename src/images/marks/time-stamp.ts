import { createHash, randomBytes } from 'node:crypto';

/** Time stamps of an authority (RFC 3161): someone else says that a signature was there at a time. */

/** The first bytes of a request: version 1, and a SHA-256 of what is stamped. */
const REQUEST = Buffer.from('30430201013031300d060960864801650304020105000420', 'hex');
const NONCE = Buffer.from('0208', 'hex');
const WITH_CERTIFICATES = Buffer.from('0101ff', 'hex');
/** An authority answers in less than a second; a request waits for the picture meanwhile. */
const ANSWER_MS = 3_000;
/** The room for it in a manifest. Stamps with their certificates take 3 to 6 KB. */
export const MOST_STAMP_BYTES = 8_192;

/**
 * Asks an authority for the time of these bytes.
 * @returns its answer, in DER, whole
 * @throws Error when it gives no stamp of these bytes
 */
export async function requestTimeStamp(bytes: Uint8Array, url: string): Promise<Buffer> {
  const digest = createHash('sha256').update(bytes).digest();
  const nonce = randomBytes(8);
  // Positive, and no shorter in DER.
  nonce[0] = (nonce[0]! & 0x7f) | 0x40;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: Buffer.concat([REQUEST, digest, NONCE, nonce, WITH_CERTIFICATES]),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const stamp = await atMost(answer, MOST_STAMP_BYTES);
  if (!answer.ok) throw new Error(`the time-stamp authority answered ${answer.status}`);
  if (!isGranted(stamp) || !stamp.includes(digest) || !stamp.includes(nonce))
    throw new Error('the time-stamp authority gave no stamp of this signature');
  return stamp;
}

async function atMost(answer: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > most) throw new Error(`the time-stamp authority answered more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Granted, or granted with changes: the first number of the answer. */
function isGranted(stamp: Buffer): boolean {
  const outer = headOf(stamp);
  const inner = headOf(stamp.subarray(outer));
  const [tag, length, status] = stamp.subarray(outer + inner);
  return tag === 0x02 && length === 1 && (status === 0 || status === 1);
}

/** The bytes of a DER tag with its length. */
function headOf(bytes: Buffer): number {
  const length = bytes[1] ?? 0;
  return length < 0x80 ? 2 : 2 + (length & 0x7f);
}
