import { describe, expect, test } from 'vitest';
import { changedPackages } from './changed-packages.ts';

const lock = (versions: Record<string, string>): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { name: 'proscenium', dependencies: { web: '1.0.0', tool: '1.0.0' } },
      'node_modules/web': { version: versions.web, dependencies: { parser: '^1' } },
      'node_modules/parser': { version: versions.parser, peerDependencies: { core: '*' } },
      'node_modules/core': { version: versions.core },
      'node_modules/tool': { version: '1.0.0', dependencies: { core: '^9' } },
      'node_modules/tool/node_modules/core': { version: versions.inner },
    },
  });
const before = { web: '1.0.0', parser: '1.0.0', core: '1.0.0', inner: '9.0.0' };

describe('the packages that a change of the lock file concerns', () => {
  test('are none when both texts are the same', () => {
    expect(changedPackages(lock(before), lock(before))).toEqual(new Set());
  });

  test('are the package with another version, and all that need it', () => {
    const after = lock({ ...before, core: '1.0.1' });
    expect(changedPackages(lock(before), after)).toEqual(new Set(['core', 'parser', 'web', 'tool']));
    expect(changedPackages(lock(before), lock({ ...before, parser: '1.1.0' }))).toEqual(
      new Set(['parser', 'web']),
    );
  });

  test('include one below another package', () => {
    expect(changedPackages(lock(before), lock({ ...before, inner: '9.0.1' }))).toContain('tool');
  });

  test('include one that was removed', () => {
    const gone = JSON.parse(lock(before)) as { packages: Record<string, unknown> };
    delete gone.packages['node_modules/parser'];
    expect(changedPackages(lock(before), JSON.stringify(gone))).toEqual(new Set(['parser', 'web']));
  });
});
