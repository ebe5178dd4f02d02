/**
 * Who may import whom, checked by `npm run check` with dependency-cruiser:
 *
 *   i18n <- machines <- persistence <- supervisors <- src <- { ops, clients, tests }      ("<-" = is imported by)
 *
 * Imports of types count like any other. Each rule says why it is there.
 */

const { bundled } = require('../release/packages.json');

const LAYERS = ['i18n', 'machines', 'persistence', 'supervisors', 'src'];
const OUTER = ['ops', 'clients', 'tests'];

const REASONS = {
  i18n: 'i18n holds words and is read by everything, so it can need nothing.',
  machines: 'machines are the rules alone: what they need arrives on events, never through an import.',
  persistence: 'persistence maps rows to machine states; a decision made above it would be made twice.',
  supervisors: 'supervisors know ports, not edges: what they use is handed in by src.',
  src: 'ops, clients and tests are for people who run, use and check the platform; it must run without them.',
};

/** A layer may import itself and what stands before it; everything after it is forbidden. */
const upwardRules = LAYERS.map((layer, index) => {
  const above = [...LAYERS.slice(index + 1), ...OUTER];
  return {
    name: `${layer}-imports-nothing-above-it`,
    severity: 'error',
    comment: REASONS[layer],
    from: { path: `^${layer}/` },
    to: { path: `^(?:${above.join('|')})/` },
  };
});

const packages = (names) => `(?:^|/)node_modules/(?:${names.join('|')})/`;

const COSTS_FOR_PEOPLE = '^(?:persistence/console/cost-|src/worker/cost-recorder\\.ts$|src/console/)';

const DECODES_PICTURES =
  '^src/images/decoding/(?:avatar-picture|decode-tasks|decoder-process|drift-comparison|heic|photo-intake|provider-copy|render|sharp-settings|site-icon|small-raster|staged-fingerprints|staged-output)\\.ts$';

module.exports = {
  forbidden: [
    ...upwardRules,
    {
      name: 'ops-does-not-need-tests',
      severity: 'error',
      comment: 'what operators run must not change with a test.',
      from: { path: '^ops/' },
      to: { path: '^tests/' },
    },
    {
      name: 'clients-know-the-contract-only',
      severity: 'error',
      comment: 'a client is shipped without the platform: of src it may know types, of the rest nothing.',
      from: { path: '^clients/', pathNot: '^clients/web/' },
      to: {
        path: '^(?:i18n|machines|persistence|supervisors|ops|tests)/',
        pathNot:
          '^i18n/(?:user|agent)/|^i18n/(?:translator|languages|areas|countries|site-words|address-line|home-types)\\.ts$',
      },
    },
    {
      name: 'the-site-shares-limits-and-words',
      severity: 'error',
      comment:
        'the site is of the same release as the platform, so limits and ways to write are in one place; of the rest it knows no more than other clients.',
      from: { path: '^clients/web/' },
      to: {
        path: '^(?:i18n|machines|persistence|supervisors|ops|tests)/',
        pathNot:
          '^i18n/(?:user|agent)/|^i18n/(?:translator|languages|areas|countries|site-words|address-line|home-types)\\.ts$|^machines/(?:disclosure/photo-subject|limits|vocabulary)\\.ts$',
      },
    },
    {
      name: 'clients-import-types-of-src',
      severity: 'error',
      comment: 'a client is shipped without the platform: what it needs when it runs must be its own.',
      from: { path: '^clients/' },
      to: {
        path: '^src/',
        // Reports of the site's errors pass the same filter as those of the roles.
        pathNot: '^src/telemetry/(?:report-filter|scrub)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-reach-the-machine-through-ports',
      severity: 'error',
      comment: 'the rules of a client hold on every platform; only a transport of Node may need Node.',
      from: { path: '^clients/', pathNot: '^clients/typescript/node-transport\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'files that import each other can only be understood, tested and loaded together.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment:
        'folders that import each other are one folder with a wall through it: neither is understood, tested or moved alone.',
      scope: 'folder',
      from: { path: '^(?:persistence|supervisors|src|ops|clients/web)/' },
      to: { circular: true },
    },
    {
      name: 'machines-are-pure',
      severity: 'error',
      comment:
        'a machine that can reach a clock, a random number or the disk cannot be replayed: only xstate and i18n.',
      from: { path: '^machines/' },
      to: { pathNot: ['^machines/', '^i18n/', packages(['xstate'])] },
    },
    {
      name: 'i18n-needs-one-package',
      severity: 'error',
      comment:
        'the catalogs are copied into native apps: only i18next, which reads them here, may be needed.',
      from: { path: '^i18n/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: packages(['i18next']),
      },
    },
    {
      name: 'supervisors-know-no-vendor',
      severity: 'error',
      comment: 'queues, HTTP and storage are handed in, so that every crash can be tested without them.',
      from: { path: '^supervisors/' },
      to: {
        path: packages([
          'bullmq',
          'undici',
          'uWebSockets\\.js',
          'uws-pack',
          '@aws-sdk',
          '@smithy',
          'ioredis',
        ]),
      },
    },
    {
      name: 'only-the-edges-know-the-web',
      severity: 'error',
      comment: 'rows and rules outlive the transport: tRPC, sign-in and the HTTP server belong to src.',
      from: { path: '^(?:persistence|supervisors)/' },
      to: {
        path: packages(['@trpc', 'better-auth', 'uWebSockets\\.js', 'uws-pack', 'nodemailer', '@sentry']),
      },
    },
    {
      name: 'roles-load-no-picture-library',
      severity: 'error',
      comment:
        'what decodes pictures runs in processes whose memory is limited, and whose end harms no other request.',
      from: { path: '^src/', pathNot: DECODES_PICTURES },
      to: {
        path: [DECODES_PICTURES, packages(['sharp', 'libheif-js'])],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'decoders-load-no-machines-and-no-database',
      severity: 'error',
      comment:
        'a decoder starts with every worker and after each loss; what it does not use would cost it a third of its start, and memory.',
      from: { path: '^src/images/decoding/decode-tasks\\.ts$' },
      to: { path: ['^persistence/', '^supervisors/', packages(['xstate', 'pg', 'zod'])], reachable: true },
    },
    {
      name: 'one-file-knows-the-tracing-system',
      severity: 'error',
      comment:
        'what a span may hold is looked through in one place, and off means that nothing of it is loaded.',
      from: {
        path: '^(?:i18n|machines|persistence|supervisors|src|clients)/',
        pathNot: '^src/telemetry/tracing/opentelemetry\\.ts$',
      },
      to: { path: packages(['@opentelemetry']) },
    },
    {
      name: 'the-tracing-system-is-loaded-when-wanted',
      severity: 'error',
      comment: 'an ordinary import would load the SDK into every process, traced or not.',
      from: { path: '^(?:src|ops)/' },
      to: { path: '^src/telemetry/tracing/opentelemetry\\.ts$', dynamic: false },
    },
    {
      name: 'costs-decide-nothing',
      severity: 'error',
      comment:
        'estimates are for people: the code that starts, sends or ends a purchase must not be able to read one.',
      from: { path: '^(?:machines|persistence|supervisors|src)/', pathNot: COSTS_FOR_PEOPLE },
      to: { path: '^persistence/console/cost-' },
    },
    {
      name: 'production-code-needs-no-development-package',
      severity: 'error',
      comment: 'it would fail to start where only dependencies are installed.',
      from: {
        path: '^(?:i18n|machines|persistence|supervisors|src|clients)/',
        pathNot: '^clients/web/',
      },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'type-only'],
        pathNot: packages(['@types']),
      },
    },
    {
      name: 'the-site-bundles-listed-packages',
      severity: 'error',
      comment:
        'the site needs its packages only when it is built, but their code is deployed: each is on the list of what is.',
      from: { path: '^clients/web/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'type-only'],
        pathNot: packages(['@types', ...Object.keys(bundled)]),
      },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      comment: 'an import that is not found is a typing error or a package that is not installed.',
      from: {},
      // Vitest and Node make these at run time; Vite finds the others by the exports of their package, or fails to build.
      to: { couldNotResolve: true, pathNot: '^(?:virtual:|node:)|\\.wasm\\?url$' },
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      comment: 'a package that package.json does not name may be gone, or another version, after any update.',
      from: { path: '^(?:i18n|machines|persistence|supervisors|src|ops|clients)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The programs of the benchmarks' peers run where those packages are installed.
    exclude: { path: '^ops/(?:check|bench/peers)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // The benches are a package by themselves that uses the product's packages too.
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
