/**
 * Writes a ZIP of stored entries (APPNOTE 4.3, method 0), one after the other. Always true: only the entry that is being
 * written is held in memory. Pictures do not get smaller by deflation, and the size of each is known before it is
 * written, so no entry needs a data descriptor: readers of streams cannot find the end of a stored entry with one.
 */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** A file name of ASCII characters. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** 2.0: the first version with directories and deflation, which every reader knows. */
const VERSION = 20;
/** Sizes, offsets and counts have 32 and 16 bits; ZIP64 is not written. */
const MAX_ZIP_BYTES = 0xffff_ffff;
const MAX_ENTRIES = 0xffff;

/**
 * The bytes of the ZIP. Entries are asked for one at a time, each when the one before was taken by the reader.
 * @param at the time of all entries, in ms since 1970; written as UTC, because a ZIP knows no time zone
 * @throws RangeError when the ZIP would get larger than `MAX_ZIP_BYTES`
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, at: number): AsyncGenerator<Uint8Array, void> {
  const time = dosTime(at);
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of entries) {
    const file = Buffer.from(name, 'ascii');
    const end = offset + LOCAL_BYTES + file.length + bytes.length;
    const directoryBytes = directory.reduce((sum, { length }) => sum + length, CENTRAL_BYTES + file.length);
    if (end + directoryBytes + END_BYTES > MAX_ZIP_BYTES || directory.length / 2 >= MAX_ENTRIES)
      throw new RangeError('the ZIP is too large');
    const fields = entryFields({ file, bytes, time });
    const header = Buffer.alloc(LOCAL_BYTES);
    header.writeUInt32LE(LOCAL_HEADER, 0);
    fields.copy(header, 4);
    directory.push(centralHeader(fields, offset), file);
    yield Buffer.concat([header, file]);
    if (bytes.length > 0) yield bytes;
    offset = end;
  }
  const central = Buffer.concat(directory);
  yield Buffer.concat([
    central,
    endOfDirectory({ count: directory.length / 2, size: central.length, offset }),
  ]);
}

/** The fields that a local header and a central one share, in the same order. */
function entryFields({ file, bytes, time }: { file: Buffer; bytes: Uint8Array; time: number }): Buffer {
  const fields = Buffer.alloc(LOCAL_BYTES - 4);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt32LE(time, 6);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(file.length, 22);
  return fields;
}

function centralHeader(fields: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  fields.copy(header, 6);
  header.writeUInt32LE(offset, 42);
  return header;
}

function endOfDirectory({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** MS-DOS date and time in 32 bits: two seconds are its smallest step, 1980 its first year. */
function dosTime(at: number): number {
  const date = new Date(at);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
