/** Of the header of an entry (APPNOTE 4.3.7). */
const HEADER_BYTES = 30;
const SIGNATURE = 0x04034b50;
const SIZE_AT = 18;
const NAME_LENGTH_AT = 26;
const EXTRA_LENGTH_AT = 28;

/**
 * Counts the files of a ZIP while it arrives in pieces of any size. Each header must say how long its file is, as in the
 * exports of the API host.
 * @returns takes the next piece, and says how many files are complete
 */
export function createEntryCounter(): (piece: Uint8Array) => number {
  const header = new Uint8Array(HEADER_BYTES);
  let filled = 0;
  /** Bytes of the current file that have not come; null between files. */
  let left: number | null = null;
  let files = 0;
  let isOver = false;
  return (piece) => {
    let rest = piece;
    while (!isOver && (rest.length > 0 || left === 0)) {
      if (left === null) {
        const taken = rest.subarray(0, HEADER_BYTES - filled);
        header.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
        if (filled < HEADER_BYTES) break;
        filled = 0;
        const view = new DataView(header.buffer);
        // After the last file comes the list of all.
        isOver = view.getUint32(0, true) !== SIGNATURE;
        left =
          view.getUint32(SIZE_AT, true) +
          view.getUint16(NAME_LENGTH_AT, true) +
          view.getUint16(EXTRA_LENGTH_AT, true);
      } else {
        const passed = Math.min(left, rest.length);
        rest = rest.subarray(passed);
        left -= passed;
        if (left > 0) continue;
        left = null;
        files += 1;
      }
    }
    return files;
  };
}
