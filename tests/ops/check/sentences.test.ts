import { expect, test } from 'vitest';
import { allSentences, drawn } from '../../../ops/check/sentences.ts';

test('sentences come from pages, English texts, comments and titles', () => {
  const sentences = allSentences(
    new Map([
      [
        'README.md',
        '# A title of words\n\nOne sentence is here. Another\none follows.\n\n```sh\ngit log not this\n```\n',
      ],
      ['i18n/user/en.json', '{"a.b": "Save this home"}'],
      ['i18n/user/es.json', '{"a.b": "Guardar esta casa"}'],
      ['src/a.ts', "/** A reason for\n * the code. */\nconst text = 'not a comment here';\n"],
      [
        'tests/a.test.ts',
        "test.for(rows)('a table has %s rows', () => {});\ndescribe('a page', () => {});\n",
      ],
    ]),
  );

  expect(Object.fromEntries(sentences)).toEqual({
    README: [
      'README.md: A title of words',
      'README.md: One sentence is here.',
      'README.md: Another one follows.',
    ],
    ARCHITECTURE: [],
    contract: [],
    'English texts': ['i18n/user/en.json: Save this home'],
    comments: ['src/a.ts: A reason for the code.'],
    'test titles': ['tests/a.test.ts: a table has %s rows', 'tests/a.test.ts: a page'],
  });
});

test('a seed repeats its draw, without a sentence twice', () => {
  const sentences = Array.from({ length: 100 }, (_, index) => `sentence ${index}`);
  expect(drawn(sentences, 7)).toEqual(drawn(sentences, 7));
  expect(drawn(sentences, 8)).not.toEqual(drawn(sentences, 7));
  expect(new Set(drawn(sentences, 7)).size).toBe(30);
});
