import { expect, test } from 'vitest';
import { blocksOf, piecesOf } from '../../../../../clients/web/pages/legal/text-parts.ts';

test('a text of the operator has a title, headings, lists and paragraphs', () => {
  expect(blocksOf('# Title\r\n\r\n## Part\n\n- one\n- two\n\nWords\nand more.\n')).toEqual([
    { kind: 'title', text: 'Title' },
    { kind: 'heading', text: 'Part' },
    { kind: 'list', items: ['one', 'two'] },
    { kind: 'paragraph', text: 'Words\nand more.' },
  ]);
});

test('a line has bold words and links, and nothing else', () => {
  expect(
    piecesOf('Write to [us](mailto:a@b.example) **today**, or <b>not</b> [x](javascript:alert(1))'),
  ).toEqual([
    { text: 'Write to ' },
    { text: 'us', href: 'mailto:a@b.example' },
    { text: ' ' },
    { text: 'today', isBold: true },
    { text: ', or <b>not</b> [x](javascript:alert(1))' },
  ]);
});
