import { expect, test } from 'vitest';
import { blocksOf } from '../../../../../clients/web/pages/legal/legal-data.ts';

test('a text of the operator has a title, headings, lists and paragraphs', () => {
  expect(blocksOf('# Title\r\n\r\n## Part\n\n- one\n- two\n\nWords\nand more.\n')).toEqual([
    { kind: 'title', text: 'Title' },
    { kind: 'heading', text: 'Part' },
    { kind: 'list', items: ['one', 'two'] },
    { kind: 'paragraph', text: 'Words\nand more.' },
  ]);
});
