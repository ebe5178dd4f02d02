import { expect, test } from 'vitest';

let tries = 0;

test('a test that passes in its second try', () => {
  tries += 1;
  expect(tries).toBe(2);
});
