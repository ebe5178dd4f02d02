import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../../../ops/release/lock-file.ts';

const { overrides } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));

test('npm 9, which Debian has, can read the lock file: overrides are plain versions', () => {
  for (const [name, version] of Object.entries(overrides)) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
});
