import { expect, test } from 'vitest';
import { codeIn } from '../../../../clients/web/primitives/mailed-code.ts';

test.each([
  ['012345', '012345'],
  [' 012 345 ', '012345'],
  ['012-345', '012345'],
  ['Your code is 012345. It is valid for 5 minutes.', '012345'],
  ['Tu código (válido 5 minutos): 012345', '012345'],
  ['０１２３４５', '012345'],
  ['12345678', '12345678'],
  ['no code', ''],
])('of %j the code is %j', (text, code) => {
  expect(codeIn(text)).toBe(code);
});
