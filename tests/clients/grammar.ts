import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/** The real grammars of Swift and Kotlin, for texts that cannot be compiled here. */
export async function openGrammar(language: 'swift' | 'kotlin'): Promise<(text: string) => string[]> {
  await Parser.init();
  const require = createRequire(import.meta.url);
  const file = require.resolve(`tree-sitter-wasms/out/tree-sitter-${language}.wasm`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(withNewLinking(await readFile(file))));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) throw new Error('the parser gave up');
    const found = faults(tree.rootNode);
    // The parser can repair a text without leaving a node that marks the place.
    if (tree.rootNode.hasError && found.length === 0) found.push('somewhere: fixed');
    tree.delete();
    return found;
  };
}

/** The places where the text does not follow the grammar, one line each. */
function faults(node: Node): string[] {
  if (!node.hasError && !node.isMissing) return [];
  const own =
    node.isError || node.isMissing
      ? [
          `line ${node.startPosition.row + 1}: ${node.isMissing ? 'missing' : 'error'} ${node.text.slice(0, 60)}`,
        ]
      : [];
  return [...own, ...node.children.flatMap((child) => (child === null ? [] : faults(child)))];
}

/**
 * Renames the module's section `dylink` to `dylink.0`. These grammars were built when the section was called
 * `dylink`; it tells a linker how much memory the module needs. web-tree-sitter reads only `dylink.0`, which holds
 * the same numbers in a subsection.
 */
function withNewLinking(module: Buffer): Buffer {
  const section = readSection(module);
  if (section.name !== 'dylink') return module;
  const info = section.content.subarray(0, endOfNumbers(section.content, 4));
  const body = Buffer.concat([named('dylink.0'), Buffer.from([1, info.length]), info]);
  return Buffer.concat([
    module.subarray(0, 8),
    Buffer.from([0, body.length]),
    body,
    module.subarray(section.end),
  ]);
}

/** The first section, a custom one, whose sizes fit in one byte each. */
function readSection(module: Buffer): { name: string; content: Buffer; end: number } {
  const [kind = -1, size = 0, nameLength = 0] = module.subarray(8, 11);
  if (kind !== 0 || size > 127 || nameLength > 127) throw new Error('the linking section is not the first');
  const name = module.toString('utf8', 11, 11 + nameLength);
  return { name, content: module.subarray(11 + nameLength, 10 + size), end: 10 + size };
}

const named = (name: string): Buffer => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);

/** The offset at which `count` LEB128 numbers end. */
function endOfNumbers(bytes: Buffer, count: number): number {
  let at = 0;
  for (let seen = 0; seen < count; at += 1) if ((bytes[at] ?? 0) < 128) seen += 1;
  return at;
}
