/**
 * Reads CBOR (RFC 8949), as far as C2PA uses it. Maps become `Map`, because their keys may be numbers. Untrusted input:
 * the depth is limited, and a length beyond the end is an error before anything is reserved for it.
 */
export type Cbor = number | string | boolean | null | Uint8Array | readonly Cbor[] | Map<Cbor, Cbor> | Tagged;

/** The value of a tag, which says nothing that is needed here. */
interface Tagged {
  readonly tag: number;
  readonly value: Cbor;
}

const DEEPEST = 32;
/** Lengths and numbers in the bytes after the head. */
const WIDTHS: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 };
const INDEFINITE = 31;
const BREAK = 0xff;

/** @throws RangeError for anything that is not a whole item */
export function readCbor(bytes: Buffer): Cbor {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('an item is longer than its bytes');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const numberOf = (low: number): number => {
    if (low < 24) return low;
    const width = WIDTHS[low];
    if (width === undefined) throw new RangeError('an item has no such length');
    const raw = take(width);
    return width === 8 ? Number(raw.readBigUInt64BE()) : raw.readUIntBE(0, width);
  };
  /** The items of an array or map, of a known number or up to a break. */
  const items = (low: number, times: number, depth: number): Cbor[] => {
    const all: Cbor[] = [];
    if (low === INDEFINITE) {
      while (bytes[at] !== BREAK) all.push(item(depth + 1));
      take(1);
      return all;
    }
    const count = numberOf(low) * times;
    if (count > bytes.length - at) throw new RangeError('there are more items than bytes');
    while (all.length < count) all.push(item(depth + 1));
    return all;
  };
  const simple = (low: number): Cbor => {
    if (low === 20 || low === 21) return low === 21;
    // Numbers with a fraction are skipped: no one asks for them.
    if (low in WIDTHS) numberOf(low);
    return null;
  };
  const item = (depth: number): Cbor => {
    if (depth > DEEPEST) throw new RangeError('items are nested too deeply');
    const head = take(1)[0] ?? 0;
    const low = head & 31;
    switch (head >> 5) {
      case 0:
        return numberOf(low);
      case 1:
        return -1 - numberOf(low);
      case 2:
        return take(numberOf(low));
      case 3:
        return take(numberOf(low)).toString('utf8');
      case 4:
        return items(low, 1, depth);
      case 5: {
        const flat = items(low, 2, depth);
        const pairs = flat.flatMap((key, index) =>
          index % 2 === 0 ? [[key, flat[index + 1] ?? null] as const] : [],
        );
        return new Map(pairs);
      }
      case 6:
        return { tag: numberOf(low), value: item(depth + 1) };
      default:
        return simple(low);
    }
  };
  return item(0);
}

/** The value under a key of a map; undefined for anything else. */
export const fieldOf = (value: Cbor | undefined, key: string | number): Cbor | undefined =>
  value instanceof Map ? value.get(key) : undefined;
