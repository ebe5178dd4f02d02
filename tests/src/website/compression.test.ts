import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCompression } from '../../../src/website/compression.ts';

const STYLE = `<style>${'p{color:red}'.repeat(1_000)}</style>`;

test.each([
  ['a style that others had', `<title>Casa «Ñ»</title>${STYLE}<p>one</p>`],
  ['the same style elsewhere', `${STYLE}<p>… two</p>`],
  ['another style', `<title>three</title>${STYLE.replaceAll('red', 'tan')}<p>three</p>`],
  ['no style', '<p>four</p>'],
  ['an end of a style alone', '</style><p>five</p>'],
  ['a style without an end', '<p>six</p><style>p{}'],
  ['nothing', ''],
])('a document with %s comes back whole', (_, html) => {
  const compress = createCompression();
  compress(`<title>first</title>${STYLE}<p>first</p>`);
  expect(gunzipSync(compress(html)).toString()).toBe(html);
});
