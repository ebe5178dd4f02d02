import { expect, test } from 'vitest';
import { safeReturn } from '../../../../clients/web/session/pending-action.ts';

test.each([
  ['/search?q=a', '/search?q=a'],
  ['/es/menu', '/es/menu'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [undefined, '/'],
  [['/a', '/b'], '/'],
])('after signing in, %j leads to %s', (path, expected) => {
  expect(safeReturn(path)).toBe(expected);
});
