import { createHash } from 'node:crypto';

/** The id of a feed's listing follows from its key (RFC 9562, version 5): a page that is written again makes no second one. */
export function uuidv5(feedId: string, key: string): string {
  const space = Buffer.from(feedId.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(space).update(key, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
