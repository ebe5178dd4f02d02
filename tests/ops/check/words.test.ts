import { expect, test } from 'vitest';
import { wordProblems } from '../../../ops/check/words.ts';

const problems = (path: string, text: string): string[] => wordProblems(new Map([[path, text]]));

test('words of comments, pages and texts are named with their line', () => {
  expect(problems('src/a.ts', 'const a = 1;\n// Nobody waits.\n')).toEqual([
    'src/a.ts:2: write someone, anyone, no one, everyone',
  ]);
  expect(problems('docs/a.md', 'Your e-mail\n\nMIT licence')).toEqual([
    'docs/a.md:1: write email',
    'docs/a.md:3: write license',
  ]);
  expect(problems('i18n/user/en.json', '{\n  "a.b": "A grey wall"\n}\n')).toEqual([
    'i18n/user/en.json:2: write American spelling',
  ]);
  expect(problems('i18n/user/es.json', '{\n  "a.b": "Elija un estilo"\n}\n')).toEqual([
    'i18n/user/es.json:2: write the form for tú',
  ]);
});

test('code, keys and generated pages are free', () => {
  expect(problems('src/a.ts', "export const nobody = 'colour';\n/** Calls `nobody`. */\n")).toEqual([]);
  expect(problems('i18n/user/en.json', '{\n  "furniture.colour.grey": "Gray"\n}\n')).toEqual([]);
  expect(problems('docs/api.md', 'colour')).toEqual([]);
});
