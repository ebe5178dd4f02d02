import { crc32 } from 'node:zlib';

/** One file of a ZIP. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/**
 * The files of a ZIP in order, read by the format's own description (APPNOTE 4.3) and not by the code under test: from
 * its start, as a reader of a stream does, and compared with its directory.
 * @throws Error for anything that is not a whole ZIP of stored files
 */
export function readZip(zip: Buffer): ZipFile[] {
  const files: ZipFile[] = [];
  let at = 0;
  while (zip.readUInt32LE(at) === LOCAL) {
    const [flags, method] = [zip.readUInt16LE(at + 6), zip.readUInt16LE(at + 8)];
    if (flags !== 0 || method !== 0) throw new Error(`flags ${flags}, method ${method}`);
    const [crc, size, full] = [14, 18, 22].map((field) => zip.readUInt32LE(at + field));
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const bytes = zip.subarray(start, start + (size ?? 0));
    const name = zip.toString('latin1', at + 30, at + 30 + zip.readUInt16LE(at + 26));
    if (size !== full || bytes.length !== size) throw new Error(`${name} is cut off`);
    if (crc32(bytes) !== crc) throw new Error(`${name} is broken`);
    files.push({ name, bytes });
    at = start + bytes.length;
  }
  const names = directoryOf(zip, at);
  if (names.join() !== files.map(({ name }) => name).join()) throw new Error('the directory differs');
  return files;
}

function directoryOf(zip: Buffer, start: number): string[] {
  const names: string[] = [];
  let at = start;
  while (zip.readUInt32LE(at) === CENTRAL) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString('latin1', at + 46, at + 46 + length));
    if (zip.readUInt32LE(zip.readUInt32LE(at + 42)) !== LOCAL) throw new Error('an offset is wrong');
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  if (zip.readUInt32LE(at) !== END) throw new Error('the ZIP has no end');
  const [count, size, offset] = [
    zip.readUInt16LE(at + 10),
    zip.readUInt32LE(at + 12),
    zip.readUInt32LE(at + 16),
  ];
  if (count !== names.length || size !== at - start || offset !== start) throw new Error('the end is wrong');
  if (at + 22 !== zip.length) throw new Error('something follows the end');
  return names;
}
