import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type ZipEntry, zipOf } from '../../../src/disclosure/zip-writer.ts';
import { readZip } from '../../support/zip-reader.ts';

async function* given(entries: readonly ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries;
}
const written = (entries: readonly ZipEntry[]): Promise<Buffer> =>
  buffer(zipOf(given(entries), Date.UTC(2026, 10, 23, 21, 30, 7)));

test('what is written is read again, in order', async () => {
  const entries = [
    { name: 'README.txt', bytes: Buffer.from('hello') },
    { name: 'empty', bytes: Buffer.alloc(0) },
    ...Array.from({ length: 40 }, (_, index) => ({ name: `${index}.bin`, bytes: randomBytes(index * 997) })),
  ];
  const read = readZip(await written(entries));
  expect(read.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
  for (const [index, { bytes }] of read.entries())
    expect(bytes.equals(entries[index]?.bytes ?? Buffer.alloc(1))).toBe(true);
});

test('the time is written in the steps of the format', async () => {
  const zip = await written([{ name: 'a', bytes: Buffer.from('a') }]);
  const [time, day] = [zip.readUInt16LE(10), zip.readUInt16LE(12)];
  expect([day >> 9, (day >> 5) & 15, day & 31]).toEqual([46, 11, 23]);
  expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([21, 30, 6]);
});

test('an empty ZIP has an end', async () => {
  expect(readZip(await written([])).length).toBe(0);
});

test('the next entry is asked for only when the one before was taken', async () => {
  let made = 0;
  async function* counted(): AsyncGenerator<ZipEntry> {
    for (;;) {
      made += 1;
      yield { name: `${made}`, bytes: Buffer.from('x') };
    }
  }
  const zip = zipOf(counted(), 0);
  await zip.next();
  await zip.next();
  expect(made).toBe(1);
  await zip.next();
  expect(made).toBe(2);
  await zip.return();
});

test('more than the format can say is refused before it is written', async () => {
  const huge = { length: 0xffff_ff00 } as Uint8Array;
  // Its length alone decides, so no memory is needed for it.
  const zip = zipOf(
    given([
      { name: 'a', bytes: Buffer.alloc(200) },
      { name: 'b', bytes: huge },
    ]),
    0,
  );
  await zip.next();
  await zip.next();
  await expect(zip.next()).rejects.toThrow(new RangeError('the ZIP is too large'));
});

test('a failing entry ends the ZIP with its error', async () => {
  async function* failing(): AsyncGenerator<ZipEntry> {
    yield { name: 'a', bytes: Buffer.from('a') };
    throw new Error('gone');
  }
  await expect(buffer(zipOf(failing(), 0))).rejects.toThrow('gone');
});
