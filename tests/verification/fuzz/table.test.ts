import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as lists from './targets.ts';

const files = (folder: string) => readdirSync(new URL(folder, import.meta.url));

test('every target is listed under the name of its file, and a test file runs each list', () => {
  const named = Object.values(lists).flatMap((targets) => targets.map(({ name }) => `${name}.ts`));
  expect(named.toSorted()).toEqual(files('./targets').toSorted());
  const tests = files('.').filter((file) => file.endsWith('.test.ts'));
  for (const list of Object.keys(lists)) {
    const file = `${list.replace('_TARGETS', '').toLowerCase()}s.test.ts`;
    expect(tests, list).toContain(file);
  }
});
