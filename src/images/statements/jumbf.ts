/** Boxes of JUMBF (ISO/IEC 19566-5), in which a C2PA manifest store is written. */
export interface JumbfBox {
  /** Empty for a box without a label. */
  readonly label: string;
  readonly children: readonly JumbfBox[];
  /** What it holds besides boxes with labels: CBOR, JSON, a picture. */
  readonly contents: readonly Buffer[];
}

const DEEPEST = 16;
const HEAD = 8;
/** In the description: the type's UUID, then flags. */
const LABEL_AT = 17;
const HAS_LABEL = 0b10;

/** @throws RangeError for boxes that do not fit into each other */
export function readJumbf(bytes: Buffer): JumbfBox[] {
  return boxesIn(bytes, 0).flatMap(({ type, content }) => (type === 'jumb' ? [superbox(content, 0)] : []));
}

function superbox(bytes: Buffer, depth: number): JumbfBox {
  if (depth > DEEPEST) throw new RangeError('boxes are nested too deeply');
  const boxes = boxesIn(bytes, depth);
  const description = boxes.find(({ type }) => type === 'jumd')?.content;
  return {
    label: description === undefined ? '' : labelOf(description),
    children: boxes.flatMap(({ type, content }) => (type === 'jumb' ? [superbox(content, depth + 1)] : [])),
    contents: boxes.flatMap(({ type, content }) => (type === 'jumb' || type === 'jumd' ? [] : [content])),
  };
}

function boxesIn(bytes: Buffer, depth: number): { type: string; content: Buffer }[] {
  const boxes: { type: string; content: Buffer }[] = [];
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = length === 0 ? bytes.length : at + length;
    if (end < at + HEAD || end > bytes.length) throw new RangeError(`a box at depth ${depth} does not fit`);
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + HEAD, end) });
    at = end;
  }
  return boxes;
}

function labelOf(description: Buffer): string {
  if (((description[LABEL_AT - 1] ?? 0) & HAS_LABEL) === 0) return '';
  const end = description.indexOf(0, LABEL_AT);
  return description.toString('utf8', LABEL_AT, end === -1 ? description.length : end);
}
