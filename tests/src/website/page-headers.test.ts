import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createInlineHashes } from '../../../src/website/page-headers.ts';

const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('each document has the hashes of its own style and scripts, whatever came before', () => {
  const hashes = createInlineHashes();
  for (const [style, script] of [
    ['p{}', 'a()'],
    ['p{}', 'b()'],
    ['q{}', 'b()'],
    ['p{}', 'a()'],
  ] as const)
    expect(
      hashes(
        `<style nonce="">${style}</style><script>${script}</script><script src="/c.js"></script><script type="application/json">{}</script>`,
      ),
    ).toEqual({ styles: [source(style)], scripts: [source(script)] });
});
