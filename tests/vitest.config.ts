import { defineConfig } from 'vitest/config';
import { nodeFlags } from '../ops/dev/stack/procfile.ts';
import SlowestFirst from './selection/slowest-first.ts';

/**
 * What `npm test` leaves out, with the reason. `npm run test:all` runs everything. A new test file is in both, unless it
 * is put into one of these folders.
 */
const LONG: Readonly<Record<string, string>> = {
  'tests/verification/{crash,fuzz,intake,load,model,simulation,upgrade}/**':
    'simulation, crash runs, models, fuzzing, hundreds of uploads: thousands of cases',
  'tests/clients/**': 'builds the client packages',
  'tests/e2e/{browser,conformance,deployment,runbooks,site,studio}/**':
    'browsers, every procedure, proxies, restored databases',
  'tests/e2e/platform/{!(submissions),old-installation/*}.test.ts': 'whole platforms; one file remains',
  'tests/ops/dev/**': 'whole stacks and demonstrations, imports of listings',
  'tests/ops/invariants/**': 'a breach of every invariant in databases of their own',
  'tests/ops/{bench,charts,documented-commands,generate,legacy-status,operate,search-schema}.test.ts':
    'a process for every command',
  'tests/ops/sample.test.ts': 'draws and loads a whole town',
  'tests/ops/release/**': 'makes a release, and runs a whole platform from it',
  'tests/ops/simulator/**': 'the provider simulator itself, fault by fault',
  'tests/persistence/migrations/**': 'databases of old releases',
  'tests/persistence/actors/{heartbeat-updates,rows,tour-rows,sweep-costs}.test.ts':
    'every combination of columns; costs over many rows',
  'tests/persistence/standbys/{claim-confirmation,standbys}.test.ts': 'two database servers',
  'tests/persistence/search/{location-suggestions,search-{cells,index,map}}.test.ts':
    'searches over thousands of listings',
  'tests/persistence/{images/public-gate,jobs/staging-submissions}.test.ts':
    'every picture state; a hundred submissions at once',
  'tests/src/api/routers/tour-paths.test.ts': 'every path of a tour',
  'tests/src/console/console-sign-in.test.ts': 'password hashes, many times',
  'tests/src/console/lists.test.ts': 'lists of thousands of rows',
  'tests/src/feeds/reading/ways-and-faults.test.ts': 'every way of reading a feed against every fault of one',
  'tests/ops/feed-simulator.test.ts': 'the feed simulator as a program',
  'tests/src/feeds/media/pictures.test.ts': 'the pictures of feeds, decoded one after the other',
  'tests/src/images/decoding/**': 'decoder processes with large and broken pictures',
  'tests/src/disclosure/export-bounds.test.ts': 'exports of many pictures',
  'tests/src/images/fingerprints/tournament.test.ts': 'thirty ways to pass a staged picture off as a photo',
  'tests/src/http/request-body.test.ts': 'waits until slow bodies are cut off',
  'tests/src/images/{drift/compare,marks/signing,uploads/{avatar,photo}-routes}.test.ts':
    'many pictures, decoded and encoded',
  'tests/src/images/renditions/{becomes-private,kept-renditions,stored-source,tricky-pictures}.test.ts':
    'many pictures, decoded and encoded',
  'tests/src/images/renditions/render-memory.test.ts': 'whole API hosts with large pictures',
  'tests/src/operations/{bulk,operations}.test.ts': 'every operation, and on thousands of rows',
  'tests/src/repeats/repeat-rules.test.ts': 'every call twice, with a crash in between',
  'tests/src/role/role.test.ts': 'whole roles, started and stopped',
  'tests/src/search/rebuilder.test.ts': 'waits for a store that refuses',
  'tests/src/telemetry/{costs,exposition,tracing,tracing-off,trouble}.test.ts':
    'whole roles with a collector of metrics, traces or errors, and at several prices',
  'tests/src/telemetry/rules.test.ts': "Prometheus's own tool",
  'tests/src/web/bodies-together.test.ts': 'waits until bodies that stand still are cut off',
  'tests/src/web/standby-reads.test.ts': 'two database servers',
  'tests/src/images/{fingerprints/fingerprints,uploads/intake}.test.ts':
    'many photos, decoded one after the other',
  'tests/src/{worker-drift,worker-photo-checks}.test.ts': 'compares pictures, one after the other',
  'tests/supervisors/actors/hot-path.test.ts': 'both ways of a delivery, compared in every state',
  'tests/supervisors/runner/dead-connections.test.ts': 'waits for time-outs of connections',
};
const long = Object.keys(LONG).map((path) => path.replace(/\*\*$/, '**/*.test.ts'));
/**
 * Files that run one after the other on one platform a worker (tests/support/platform/shared-platform.ts). Each opens
 * its own world there and ends every job it started.
 */
const SHARED =
  'tests/e2e/platform/{bad-outputs,descriptions,fair-starts,flag,framing,original-deletion,pause-switch,purchases,room-groups,worker-lifecycle}.test.ts';
/** Files whose own processes compute all the time. */
const COMPUTING = ['tests/verification/**/*.test.ts', 'tests/e2e/studio/whole-way.test.ts'];
/** An installation under attack, and one that loses its database server: nothing else runs at that time. */
const ALONE = 'tests/verification/{hostile/**/*,crash/outages/failover}.test.ts';

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

// Groups run one after the other. Most files wait for half of their time, so three workers keep two cores busy. With more
// than two files that compute, the waits of all of them end before their time.
const WORKERS = { waiting: 3, computing: 2 };
const projects = [
  {
    name: 'short',
    include: ['tests/**/*.test.ts'],
    exclude: [...long, ALONE],
    // The files of a worker share its modules: loading them again for each file is a quarter of the time.
    isolate: false,
    maxWorkers: WORKERS.waiting,
    sequence: { groupOrder: 0 },
  },
  {
    name: 'long',
    include: long,
    exclude: [...COMPUTING, SHARED, ALONE],
    maxWorkers: WORKERS.waiting,
    sequence: { groupOrder: 1 },
  },
  {
    name: 'computing',
    include: COMPUTING,
    exclude: [ALONE],
    maxWorkers: WORKERS.computing,
    sequence: { groupOrder: 2 },
  },
  {
    name: 'shared',
    include: [SHARED],
    isolate: false,
    maxWorkers: WORKERS.computing,
    sequence: { groupOrder: 3 },
  },
  { name: 'alone', include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 4 } },
];

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', './tests/support/run-report.ts'],
    sequence: { sequencer: SlowestFirst },
    // The run's own stack is stopped after the platforms that workers share.
    teardownTimeout: 120_000,
    projects: projects.map((project) => ({ test: { ...common, ...project } })),
  },
});
