/**
 * Finds the certificate that a manifest was signed with, in the manifest store as C2PA's library has read it. The
 * library names a signer only by words that anyone can put into a certificate. What can be read in two ways (a box or a
 * header that is there twice) has no certificate here, so that this reader and the library cannot see different ones.
 */
const BOX_HEAD = 8;
/** In the description of a box: the type's UUID, then flags, then the label. */
const LABEL_AT = 17;
const DEEPEST = 8;
const SIGNATURE = 'c2pa.signature';
/** The header of the certificate chain (RFC 9360). */
const X5CHAIN = 33;

/** CBOR (RFC 8949), as far as a signature uses it. */
type Item = number | Uint8Array | readonly Item[] | Map<Item, Item> | null;

/** @returns the certificate in DER; null when there is none, or more than one */
export function leafCertificate(store: Uint8Array, manifest: string): Uint8Array | null {
  try {
    const manifests = labeled(store, 'c2pa').flatMap((one) => labeled(one, manifest));
    const signatures = manifests.flatMap((one) => labeled(one, SIGNATURE));
    const [signature, ...others] = signatures.flatMap((one) =>
      boxesIn(one).filter(({ type }) => type === 'cbor'),
    );
    if (signature === undefined || others.length > 0 || manifests.length !== 1) return null;
    return leafOf(readItem(signature.content, 0, 0).item);
  } catch (error) {
    // Anyone may have made these bytes.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Box {
  readonly type: string;
  readonly content: Uint8Array;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** @throws RangeError for boxes that do not fit */
function boxesIn(bytes: Uint8Array): Box[] {
  const boxes: Box[] = [];
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at);
    if (length < BOX_HEAD || at + length > bytes.length) throw new RangeError('a box does not fit');
    boxes.push({
      type: textOf(bytes.subarray(at + 4, at + BOX_HEAD)),
      content: bytes.subarray(at + BOX_HEAD, at + length),
    });
    at += length;
  }
  return boxes;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The contents of the boxes with a label. */
const labeled = (bytes: Uint8Array, label: string): Uint8Array[] =>
  boxesIn(bytes).flatMap(({ type, content }) => {
    if (type !== 'jumb') return [];
    const description = boxesIn(content).find((box) => box.type === 'jumd')?.content ?? new Uint8Array();
    const end = description.indexOf(0, LABEL_AT);
    return textOf(description.subarray(LABEL_AT, end < 0 ? undefined : end)) === label ? [content] : [];
  });

/** Of a COSE_Sign1: the first certificate of its signed headers. */
function leafOf(signature: Item): Uint8Array | null {
  const [headers] = Array.isArray(signature) ? signature : [];
  if (!(headers instanceof Uint8Array)) return null;
  const { item } = readItem(headers, 0, 0);
  const chain = item instanceof Map ? item.get(X5CHAIN) : undefined;
  const leaf = Array.isArray(chain) ? chain[0] : chain;
  return leaf instanceof Uint8Array ? leaf : null;
}

/** Lengths in the bytes after the head. */
const WIDTHS: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4 };

/** @throws RangeError for what does not fit, is nested too deeply, or has a key twice */
function readItem(
  bytes: Uint8Array,
  start: number,
  depth: number,
): { readonly item: Item; readonly end: number } {
  if (depth > DEEPEST) throw new RangeError('items are nested too deeply');
  const view = viewOf(bytes);
  const head = view.getUint8(start);
  const low = head & 31;
  const width = low < 24 ? 0 : WIDTHS[low];
  if (width === undefined) throw new RangeError('an item has no such length');
  const at = start + 1 + width;
  let value = low;
  if (width === 1) value = view.getUint8(start + 1);
  else if (width === 2) value = view.getUint16(start + 1);
  else if (width === 4) value = view.getUint32(start + 1);
  const many = (count: number): { items: Item[]; end: number } => {
    if (count > bytes.length) throw new RangeError('there are more items than bytes');
    const items: Item[] = [];
    let end = at;
    while (items.length < count) {
      const next = readItem(bytes, end, depth + 1);
      items.push(next.item);
      end = next.end;
    }
    return { items, end };
  };
  switch (head >> 5) {
    case 0:
      return { item: value, end: at };
    case 1:
      return { item: -1 - value, end: at };
    case 2:
    case 3:
      if (at + value > bytes.length) throw new RangeError('an item is longer than its bytes');
      return { item: bytes.subarray(at, at + value), end: at + value };
    case 4: {
      const { items, end } = many(value);
      return { item: items, end };
    }
    case 5: {
      const { items, end } = many(value * 2);
      const pairs = items.flatMap((key, index) =>
        index % 2 === 0 ? [[key, items[index + 1] ?? null] as const] : [],
      );
      const map = new Map(pairs);
      if (map.size < pairs.length) throw new RangeError('a key is there twice');
      return { item: map, end };
    }
    // The value of a tag.
    case 6:
      return readItem(bytes, at, depth + 1);
    default:
      return { item: null, end: at };
  }
}
