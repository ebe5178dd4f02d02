import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../support/platform/stack.ts';
import { dependentsOf, readImportGraph } from './import-graph.ts';

/** The graph of a repository with these files. */
function graphOf(texts: Record<string, string>) {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readImportGraph(root, Object.keys(texts));
}

describe('the import graph', () => {
  const graph = graphOf({
    'src/main.ts': [
      "import { a } from './a.ts';",
      "import type { B } from './b.ts';",
      "export { type C, c } from './c.ts';",
      "const later = import('./later.ts');",
      "import 'node:fs';",
      "import { z } from 'zod/v4';",
      "import { S3Client } from '@aws-sdk/client-s3';",
    ].join('\n'),
    'src/a.ts': "const child = new URL('./child.mjs', import.meta.url);",
    'src/b.ts': '',
    'src/c.ts': '',
    'src/later.ts': "for (const name of readdirSync(new URL('../data/', import.meta.url))) read(name);",
    'src/child.mjs': "import '../src/b.ts';",
    'data/one.json': '{}',
    'data/deep/two.json': '{}',
    'README.md': "import './src/main.ts'",
  });

  test('has imports, exports, late imports, and files that are started or read by their path', () => {
    expect([...(graph.get('src/main.ts') ?? [])].toSorted()).toEqual([
      'package:@aws-sdk/client-s3',
      'package:zod',
      'src/a.ts',
      'src/c.ts',
      'src/later.ts',
    ]);
    expect([...(graph.get('src/a.ts') ?? [])]).toEqual(['src/child.mjs']);
  });

  test('has every file of a folder that is named', () => {
    expect([...(graph.get('src/later.ts') ?? [])].toSorted()).toEqual([
      'data/deep/two.json',
      'data/one.json',
    ]);
  });

  test('leaves out imports of types, and texts that are not code', () => {
    expect(graph.get('src/main.ts')).not.toContain('src/b.ts');
    expect(graph.has('README.md')).toBe(false);
  });

  test('follows a change through every file that loads it', () => {
    expect([...dependentsOf(graph, ['data/one.json'])].toSorted()).toEqual([
      'data/one.json',
      'src/later.ts',
      'src/main.ts',
    ]);
    expect([...dependentsOf(graph, ['src/b.ts'])].toSorted()).toEqual([
      'src/a.ts',
      'src/b.ts',
      'src/child.mjs',
      'src/main.ts',
    ]);
    expect([...dependentsOf(graph, ['package:zod'])]).toEqual(['package:zod', 'src/main.ts']);
  });

  test('ends for files that load each other', () => {
    const circle = graphOf({ 'a.ts': "import './b.ts';", 'b.ts': "import './a.ts';" });
    expect([...dependentsOf(circle, ['a.ts'])].toSorted()).toEqual(['a.ts', 'b.ts']);
  });
});
