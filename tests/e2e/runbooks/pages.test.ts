import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createRuntimeMetrics } from '../../../src/telemetry/runtime-metrics.ts';
import { createWorkerMetrics } from '../../../src/telemetry/worker-metrics.ts';
import {
  seedOriginal,
  seedProperty,
  seedStagingJob,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { kvUrl } from '../../support/platform/stack.ts';

/** The commands in the runbooks exist, are valid and run. */
const ROOT = 'docs/runbooks';
/** Its commands change a database server; `primary-died.test.ts` runs them on servers of its own. */
const CHANGES_SERVERS = join(ROOT, 'primary-died.md');
const PAGES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(ROOT, name));

/** Every line of the shell blocks of every page that fits, each once, with the first page it stands on. */
function commands(fits: RegExp): [page: string, line: string][] {
  const found = new Map<string, string>();
  for (const page of PAGES.filter((one) => one !== CHANGES_SERVERS))
    for (const [, block = ''] of readFileSync(page, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g))
      for (const line of block.split('\n').map((one) => one.trim()))
        if (fits.test(line) && !found.has(line)) found.set(line, page);
  return [...found].map(([line, page]) => [page, line]);
}

const database = useStoreDatabase();
let jobId: string;
let imageId: string;
let personId: string;
let listingId: string;
beforeAll(async () => {
  ({ jobId } = await seedStagingJob(database.pool));
  personId = await seedUser(database.pool);
  listingId = await seedProperty(database.pool, { ownerAgentId: personId });
  imageId = await seedVariant(database.pool, await seedOriginal(database.pool), { reviewStatus: 'APPROVED' });
});

describe('queries', () => {
  test.for(commands(/^psql /))('%s: %s', async ([, line]) => {
    const [, sql] = /^psql \$DATABASE_URL -c "(.*)"$/.exec(line) ?? [];
    expect(sql, line).toBeDefined();
    await database.pool.query((sql ?? '').replaceAll('\\"', '"'));
  });
});

describe('operations', () => {
  test.for(commands(/^npm run ops -- /))('%s: %s', async ([, line]) => {
    const words = line.replace(/ #.*$/, '').match(/"[^"]*"|\S+/g) ?? [];
    const args = words.slice(4).map((word) =>
      word
        .replace(/^"(.*)"$/, '$1')
        .replace('JOB_ID', jobId)
        .replace('IMAGE_ID', imageId)
        .replace('PERSON_ID', personId)
        .replace('LISTING_ID', listingId),
    );
    // These two call the provider and the API host.
    if (/webhook/.test(args[0] ?? '')) args.push('--help');
    const said: string[] = [];
    const code = await operate({
      args,
      environment: { DATABASE_URL: database.url, KV_URL: kvUrl(), QUEUE_SUFFIX: '-runbooks', USER: 'tester' },
      screen: { out: (text) => said.push(text), err: (text) => said.push(text) },
      signal: AbortSignal.timeout(30_000),
    });
    // Exit code 1: nothing to do; 2: invalid command.
    expect([0, 1], said.join('\n')).toContain(code);
  });
});

test('the index names every page', () => {
  const index = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const named = PAGES.map((page) => page.slice(ROOT.length + 1)).filter((page) => !page.includes('/'));
  expect(named.length).toBeGreaterThan(7);
  for (const page of named.filter((one) => one !== 'README.md')) expect(index).toContain(`](${page})`);
});

test('every npm script and every linked page exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');
    for (const [, script = ''] of text.matchAll(/npm run ([a-z:-]+)/g))
      expect(Object.keys(scripts), page).toContain(script);
    for (const [, target = ''] of text.matchAll(/\]\(((?!https?:)[^)#]+)\)/g))
      expect(existsSync(normalize(join(dirname(page), target))), `${page} -> ${target}`).toBe(true);
  }
});

test('every metric that a page names is one of ours', () => {
  const { registry } = createMetrics({ role: 'worker' });
  createRuntimeMetrics(registry);
  createWorkerMetrics(registry, { enabled: true, perMinute: 6 });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  for (const page of PAGES)
    for (const [name] of readFileSync(page, 'utf8').matchAll(/\bproscenium_[a-z_]+/g))
      expect(names, page).toContain(name);
});
