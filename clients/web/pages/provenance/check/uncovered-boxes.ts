/**
 * In a file of boxes (AVIF), a signature does not cover boxes for free space and some others, so anything can be added in
 * them. Pictures signed here have none of them.
 */
const UNCOVERED = new Set(['free', 'skip', 'mfra']);
const BOX_TYPES = new Set(['image/avif', 'image/heic']);
const HEAD = 16;
/** Pictures have a handful. */
const MOST_BOXES = 1_000;

/** Whether a file holds bytes that its signature says nothing about. */
export async function hasUncoveredBoxes(file: Blob, type: string): Promise<boolean> {
  if (!BOX_TYPES.has(type)) return false;
  let boxes = 0;
  for (let at = 0; at < file.size; boxes += 1) {
    const view = new DataView(await file.slice(at, at + HEAD).arrayBuffer());
    if (boxes >= MOST_BOXES || view.byteLength < 8) return true;
    const kind = String.fromCharCode(...new Uint8Array(view.buffer, 4, 4));
    if (UNCOVERED.has(kind) || (kind === 'ftyp' && at > 0)) return true;
    const short = view.getUint32(0);
    const length = short === 1 && view.byteLength === HEAD ? Number(view.getBigUint64(8)) : short;
    if (length === 0) return false;
    if (length < 8) return true;
    at += length;
  }
  return false;
}
