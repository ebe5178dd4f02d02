import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inlineTexts } from '../../../ops/dev/site/inline-texts.ts';
import { createInlineSources } from '../../../src/website/page-headers.ts';

const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const documentOf = (style: string, ...scripts: string[]) =>
  `<style nonce="">${style}</style>${scripts.map((one) => `<script>${one}</script>`).join('')}<script src="/c.js"></script><script type="application/json">{}</script>`;

test('the scripts and styles of a document are found, and no data or files', () => {
  expect(inlineTexts(documentOf('p{}', 'a()', 'b()'))).toEqual({ styles: ['p{}'], scripts: ['a()', 'b()'] });
});

test('a document has the hashes of what was known when the site was built, and of nothing else in it', () => {
  const sources = createInlineSources({ styles: ['p{}'], scripts: ['a()', 'b()'] });
  expect(sources(documentOf('p{}', 'a()', 'evil()', 'b()'))).toEqual({
    styles: [source('p{}')],
    scripts: [source('a()'), source('b()')],
  });
  expect(sources(documentOf('q{}', 'b()', 'a();evil()'))).toEqual({ styles: [], scripts: [source('b()')] });
});
