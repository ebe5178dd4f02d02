import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binaryProblem, HTTP_SERVER_BINARY } from '../../../ops/release/http-server-binary.ts';
import { isAllowed, licenseProblems } from '../../../ops/release/licenses.ts';
import { lockedPackages, ownPackages, withDependencies } from '../../../ops/release/lock-file.ts';
import {
  deployedPackages,
  listProblems,
  ownList,
  ownManifest,
  productionPackages,
} from '../../../ops/release/package-list.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { REPOSITORY } from '../../support/platform/started-program.ts';

/** What is deployed: its packages are listed, their licenses allowed, and the HTTP server's binary is pinned. */
const { dependencies, devDependencies } = ownManifest();

function lockWith(more: Record<string, unknown>) {
  return lockedPackages(JSON.stringify({ packages: { '': {}, ...more } }));
}

describe('the list of production packages', () => {
  test('names every package that the lock file brings, and no other', () => {
    expect(listProblems(ownList(), ownManifest(), ownPackages())).toEqual([]);
  });

  test('a package that an update brings is named', () => {
    const brought = lockWith({
      'node_modules/stowaway': { version: '1.0.0' },
      'node_modules/tool': { version: '1.0.0', dev: true },
    });
    expect(listProblems(ownList(), ownManifest(), [...ownPackages(), ...brought])).toEqual([
      'indirect: stowaway is not on the list',
    ]);
  });

  test('a new dependency needs a reason, and a removed one leaves the list', () => {
    const { pg: _, ...others } = dependencies;
    const manifest = { dependencies: { ...others, newcomer: '1.0.0' }, devDependencies };
    expect(listProblems(ownList(), manifest, ownPackages())).toEqual(
      expect.arrayContaining([
        'direct: newcomer is not on the list',
        'direct: pg is on the list, but not in the lock file',
      ]),
    );
  });

  test('production has every package that another one requires at run time, except typings', () => {
    // npm does not install these itself (.npmrc).
    const all = ownPackages();
    const production = new Set(productionPackages(all).map(({ name }) => name));
    const absent = productionPackages(all).flatMap(({ name, peers }) =>
      peers.filter((peer) => !production.has(peer)).map((peer) => `${name} ${peer}`),
    );
    expect(absent).toEqual(['@trpc/server typescript']);
  });

  test('tools of development and the site are not in production', () => {
    const production = productionPackages(ownPackages()).map(({ name }) => name);
    for (const name of ['typescript', 'vite', 'vitest', 'react', 'maplibre-gl', 'sentry'])
      expect(production).not.toContain(name);
  });
});

test('the nearest package is the one that another one needs', () => {
  const all = lockWith({
    'node_modules/outer': { version: '1.0.0', dependencies: { inner: '2', shared: '1' } },
    'node_modules/outer/node_modules/inner': { version: '2.0.0', dependencies: { shared: '1' } },
    'node_modules/inner': { version: '1.0.0' },
    'node_modules/shared': { version: '1.0.0' },
    'node_modules/unrelated': { version: '1.0.0' },
  });
  expect(withDependencies(all, ['outer']).map(({ path }) => path)).toEqual([
    'node_modules/outer',
    'node_modules/outer/node_modules/inner',
    'node_modules/shared',
  ]);
});

describe('licenses', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['Apache-2.0 AND LGPL-3.0-or-later AND MIT', true],
    ['LGPL-3.0', true],
    ['GPL-3.0', false],
    ['MIT AND (GPL-3.0-only OR ISC)', true],
    ['MIT AND GPL-3.0-only', false],
    ['FSL-1.1-Apache-2.0', false],
    ['', false],
  ])('the expression %j is allowed: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });

  test('a package with another license is named', () => {
    const planted = lockWith({ 'node_modules/planted': { version: '1.0.0', license: 'FSL-1.1-Apache-2.0' } });
    expect(licenseProblems([...deployedPackages(), ...planted])).toEqual([
      'node_modules/planted 1.0.0: the license FSL-1.1-Apache-2.0 is not allowed',
    ]);
  });
});

describe("the HTTP server's binary", () => {
  test('another byte is found', () => {
    const root = temporaryDirectory();
    const folder = 'node_modules/uWebSockets.js/dist/bin';
    mkdirSync(join(root, folder), { recursive: true });
    const path = join(root, folder, HTTP_SERVER_BINARY);
    cpSync(join(REPOSITORY, folder, HTTP_SERVER_BINARY), path);
    expect(binaryProblem(root)).toBeUndefined();
    appendFileSync(path, '\0');
    expect(binaryProblem(root)).toContain('its SHA-256 is');
  });

  test('a missing one and one without a pin are found', () => {
    expect(binaryProblem(temporaryDirectory())).toBe(`${HTTP_SERVER_BINARY}: is missing`);
    expect(binaryProblem(REPOSITORY, 'uws_plan9_x64_127.node')).toContain('no SHA-256 is pinned');
  });
});

test('the command reports that all is well', () => {
  const output = execFileSync(process.execPath, ['ops/check/packages.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(output).toMatch(
    /^The licenses of \d+ packages are allowed, and the HTTP server is the pinned one\n$/,
  );
});
