/**
 * Draws sentences at random so that a person can read them: thirty from each of README, ARCHITECTURE, the contract,
 * the English texts, the comments, and the titles of tests. `npm run sentences -- --seed 7` repeats a draw.
 */
import { parseArgs } from 'node:util';
import { type Files, onlyComments, ownFiles } from './citations.ts';

const EACH = 30;
const CODE = /\.(?:[cm]?[jt]sx?)$/;
/** A page, the English catalogs, or what code contains. */
const SOURCES: readonly [name: string, paths: RegExp, sentences: (text: string) => string[]][] = [
  ['README', /^README\.md$/, ofPage],
  ['ARCHITECTURE', /^ARCHITECTURE\.md$/, ofPage],
  ['contract', /^docs\/contract\.md$/, ofPage],
  ['English texts', /^i18n\/(?:user|agent)\/en\.json$/, ofCatalog],
  ['comments', CODE, ofComments],
  ['test titles', /^tests\/.*\.test\.tsx?$/, testTitles],
];

/** Every source with its sentences, each with the file that contains it. */
export function allSentences(files: Files): Map<string, string[]> {
  return new Map(
    SOURCES.map(([name, paths, sentences]) => [
      name,
      [...files].flatMap(([path, text]) =>
        text !== null && paths.test(path) ? sentences(text).map((one) => `${path}: ${one}`) : [],
      ),
    ]),
  );
}

/** The same sentences for the same seed. */
export function drawn(sentences: readonly string[], seed: number, count = EACH): string[] {
  const random = randomOf(seed);
  const left = [...new Set(sentences)];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function ofPage(text: string): string[] {
  const blocks = text.replace(/^```[\s\S]*?^```/gm, '').replace(/^(?:\s*\d+\.|\s*-|#+) /gm, '\n\n');
  return blocks.split(/\n\s*\n|\n(?=\|)/).flatMap(sentencesOf);
}

function ofCatalog(text: string): string[] {
  return Object.values(JSON.parse(text));
}

function ofComments(text: string): string[] {
  return onlyComments(text)
    .split(/\n\s*\n|\*\/|\/\*\*?|^\s*\*\s*$/m)
    .map((comment) => comment.replace(/^\s*(?:\/\/|\*)/gm, ''))
    .filter((comment) => !/biome-ignore|@ts-/.test(comment))
    .flatMap(sentencesOf);
}

/** Titles in quotes, also after a table: `test.for(rows)('title', ...)`. */
function testTitles(text: string): string[] {
  const titles = text.matchAll(/(?:\b(?:test|describe)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s/g);
  return [...titles].map(([, , title = '']) => title);
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]) (?=[A-Z`*“])/)
    .map((one) => one.trim())
    .filter((one) => one.split(' ').length > 2);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
  for (const [name, sentences] of allSentences(ownFiles())) {
    console.log(`\n${name}\n`);
    for (const one of drawn(sentences, Number(values.seed))) console.log(`- ${one}`);
  }
}
