import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inlineTexts } from '../../../ops/dev/site/inline-texts.ts';
import { createInlineSources, pageHeaders } from '../../../src/website/page-headers.ts';

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

test("a map's origin is named where it is needed, and nowhere without a setting", () => {
  const directives = (styleOrigin: string | null, tilesOrigin: string | null) => {
    const policy = { isSecure: true, styleOrigin, tilesOrigin, reportOrigin: null };
    const headers = new Map(pageHeaders(policy, { scripts: [], styles: [] }));
    return (headers.get('content-security-policy') ?? '')
      .split('; ')
      .filter((directive) => directive.includes('maps.example'));
  };
  expect(directives(null, null)).toEqual([]);
  expect(directives(null, 'https://maps.example.com')).toEqual([
    "connect-src 'self' https://maps.example.com",
  ]);
  expect(directives('https://maps.example.com', null)).toEqual([
    "img-src 'self' data: blob: https://maps.example.com",
    "connect-src 'self' https://maps.example.com",
    "font-src 'self' https://maps.example.com",
  ]);
});
