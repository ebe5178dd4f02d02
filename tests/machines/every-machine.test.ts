import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVERY_MACHINE } from '../support/machines/every-machine.ts';

test('every machine has a table of its transitions in a test next to this one', () => {
  const here = new URL('./', import.meta.url);
  const tables = readdirSync(here).filter(
    (name) => name.endsWith('.test.ts') && /^testRules\(/m.test(readFileSync(new URL(name, here), 'utf8')),
  );
  expect(tables).toHaveLength(EVERY_MACHINE.length);
});
