import { defineConfig } from 'vitest/config';
import { nodeFlags } from '../ops/dev/stack/procfile.ts';
import SlowestFirst from './selection/slowest-first.ts';

/**
 * What `npm test` leaves out, by what it mostly does, with the reason. `npm run test:all` runs everything. A new test
 * file is in both, unless it is put into one of these folders.
 */
const COMPUTES: Readonly<Record<string, string>> = {
  'tests/verification/{fuzz,load,model,simulation}/**': 'simulation, models, fuzzing: thousands of cases',
  'tests/clients/**': 'builds the client packages',
  'tests/e2e/{browser,conformance,site,studio}/**': 'browsers, every procedure',
  'tests/ops/dev/**': 'whole stacks and demonstrations, imports of listings',
  'tests/ops/invariants/**': 'a breach of every invariant in databases of their own',
  'tests/persistence/migrations/**': 'databases of old releases',
  'tests/persistence/actors/{rows,tour-rows,sweep-costs}.test.ts':
    'every combination of columns; costs over many rows',
  'tests/src/console/lists.test.ts': 'lists of thousands of rows',
  'tests/src/images/decoding/**': 'decoder processes with large and broken pictures',
  'tests/src/images/renditions/render-memory.test.ts': 'whole API hosts with large pictures',
  'tests/supervisors/actors/hot-path.test.ts': 'both ways of a delivery, compared in every state',
};
/** These wait for processes that start, stop, are killed, or do not answer, so more of them run at once. */
const WAITS: Readonly<Record<string, string>> = {
  'tests/verification/crash/**': 'whole processes, killed at every point',
  'tests/e2e/{deployment,runbooks}/**': 'proxies, restored databases',
  'tests/e2e/platform/{!(submissions|review|cancellation),old-installation/*}.test.ts':
    'whole platforms; three files remain',
  'tests/ops/{documented-commands,legacy-status,operate,search-schema}.test.ts':
    'a process for every command',
  'tests/ops/release/**': 'makes a release, and runs a whole platform from it',
  'tests/ops/simulator/**': 'the provider simulator itself, fault by fault',
  'tests/src/role/role.test.ts': 'whole roles, started and stopped',
  'tests/src/telemetry/{tracing,tracing-off,trouble}.test.ts':
    'whole roles with a collector of traces or errors',
  'tests/src/web/bodies-together.test.ts': 'waits until bodies that stand still are cut off',
  'tests/supervisors/runner/dead-connections.test.ts': 'waits for time-outs of connections',
};
/**
 * Files that run one after the other on one platform a worker (tests/support/platform/shared-platform.ts): each opens
 * a world of its own there, and leaves nothing under way.
 */
const SHARED =
  'tests/e2e/platform/{bad-outputs,descriptions,fair-starts,flag,framing,original-deletion,pause-switch,purchases,room-groups,worker-lifecycle}.test.ts';
/** Measures how a whole installation bears an attack: nothing else runs at that time. */
const ALONE: Readonly<Record<string, string>> = {
  'tests/verification/hostile/**': 'attacks on an API host with 1 GB',
};

const filesOf = (list: Readonly<Record<string, string>>): string[] =>
  Object.keys(list).map((path) => path.replace(/\*\*$/, '**/*.test.ts'));
const [computes, waits, alone] = [COMPUTES, WAITS, ALONE].map(filesOf) as [string[], string[], string[]];

/** What every test file runs with. */
export const common = {
  globals: false,
  pool: 'forks' as const,
  execArgv: nodeFlags(new URL('../Procfile', import.meta.url), 'web'),
  // A shared CI machine can starve a dozen processes for seconds: there a failure must show twice. The run lists every
  // test that needed its second try; on a developer's machine there is none.
  retry: process.env.CI === 'true' ? 1 : 0,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  setupFiles: ['tests/support/leak-check-setup.ts'],
};

// Workers for two cores. Groups run one after the other.
const short = {
  name: 'short',
  include: ['tests/**/*.test.ts'],
  exclude: [...computes, ...waits, ...alone],
  maxWorkers: 3,
  sequence: { groupOrder: 0 },
};
const long = [
  { name: 'computes', include: computes, maxWorkers: 3, sequence: { groupOrder: 0 } },
  { name: 'shared', include: [SHARED], isolate: false, maxWorkers: 3, sequence: { groupOrder: 1 } },
  { name: 'waits', include: waits, exclude: [SHARED], maxWorkers: 5, sequence: { groupOrder: 2 } },
  { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 3 } },
];

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', './tests/support/run-report.ts'],
    sequence: { sequencer: SlowestFirst },
    // The run's own stack is stopped after the platforms that workers share.
    teardownTimeout: 120_000,
    projects: [short, ...long].map((project) => ({ test: { ...common, ...project } })),
  },
});
