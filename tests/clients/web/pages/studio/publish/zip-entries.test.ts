import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntryCounter } from '../../../../../../clients/web/pages/studio/publish/zip-entries.ts';
import { zipOf } from '../../../../../../src/disclosure/zip-writer.ts';

const files = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 });

/** The bytes of a ZIP, and how long it is when each file is complete. */
async function zipped(contents: readonly Uint8Array[]) {
  async function* entries() {
    for (const [index, bytes] of contents.entries()) yield { name: `${index}.txt`, bytes };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(entries(), 0)) pieces.push(piece);
  let length = 0;
  const ends = contents.map(({ length: size }, index) => (length += 30 + `${index}.txt`.length + size));
  return { bytes: Buffer.concat(pieces), ends };
}

test('the files of a ZIP are counted as they are complete, however it is cut into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      async (contents, cuts) => {
        const { bytes, ends } = await zipped(contents);
        const count = createEntryCounter();
        let at = 0;
        for (let piece = 0; at < bytes.length; piece += 1) {
          const next = at + (cuts[piece % cuts.length] ?? 1);
          const files = count(bytes.subarray(at, next));
          at = Math.min(next, bytes.length);
          expect(files).toBe(ends.filter((end) => end <= at).length);
        }
      },
    ),
  );
});

test('anything but a ZIP has no files', () => {
  const count = createEntryCounter();
  expect(count(Buffer.from('{"error":"this is no ZIP, and longer than a header"}'))).toBe(0);
  expect(count(Buffer.alloc(1000))).toBe(0);
});
