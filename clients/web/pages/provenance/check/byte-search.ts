/** The place of `wanted` in `bytes`, at or after `from`; -1 without one. A file is too large to be made a text first. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}

/** The places of `wanted`, at most `limit`. */
export function placesOf(bytes: Uint8Array, wanted: Uint8Array, limit: number): number[] {
  const places: number[] = [];
  for (
    let at = indexOfBytes(bytes, wanted);
    at >= 0 && places.length < limit;
    at = indexOfBytes(bytes, wanted, at + wanted.length)
  )
    places.push(at);
  return places;
}
