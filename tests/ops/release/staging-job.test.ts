import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { makeRelease } from '../../../ops/release/make-release.ts';
import { ownList } from '../../../ops/release/package-list.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, submit, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform } from '../../support/platform/platform.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** The unpacked release, far from this repository: it serves a whole staging job with what is in its folder. */
const MINUTES = 60_000;
/** Programs of the system only: none of this repository's. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const run = promisify(execFile);
let folder: string;
let sizes: string[];
let database: TestDatabase;

const fromRelease = (args: string[], env: Record<string, string> = {}) =>
  run(join(folder, 'node_modules/.bin/node'), args, { cwd: folder, env: { PATH: SYSTEM_PATH, ...env } });

beforeAll(async () => {
  folder = join(temporaryDirectory(), 'release');
  sizes = await makeRelease({ to: folder, withNode: true });
  database = await createDatabase({ migrated: false });
}, 10 * MINUTES);
afterAll(() => database.drop());

const filesIn = (pattern: string): string[] => globSync(pattern, { cwd: folder });
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

describe('the folder', () => {
  test('its sizes are those of `du`', async () => {
    expect(sizes.join('\n')).toMatch(/^ +\d+\.\d MB {2}the release without Node\.js, of at most 200$/m);
    const { stdout } = await run('du', ['-sm', '--exclude=node_modules/node', folder]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(200);
  });

  test('it has no package that is not on the list, and of the HTTP server one binary', () => {
    const { direct, indirect } = ownList();
    const names = filesIn('node_modules/**/package.json').flatMap(
      (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
    );
    expect(names).toEqual(expect.arrayContaining(['pg', 'sharp', 'uWebSockets.js']));
    expect(names.filter((name) => !(name in direct) && !indirect.includes(name))).toEqual([]);
    expect(filesIn('node_modules/**/*.node').filter((file) => file.includes('uws_'))).toHaveLength(1);
    expect(filesIn('node_modules/**/*.{map,ts,mts,cts}')).toEqual([]);
  });

  test('it has the notices of what is installed and of what the site was built from', () => {
    const notices = textOf('THIRD-PARTY-NOTICES.txt');
    for (const name of ['pg ', 'react ', 'maplibre-gl ', '@img/sharp-libvips-'])
      expect(notices).toContain(`\n${name}`);
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(notices).not.toContain('\nvitest ');
  });

  test('its bill of materials has exactly its packages, each with a digest and a license', () => {
    const bill = JSON.parse(textOf('bom.cdx.json'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'proscenium' } } });
    const references: string[] = bill.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
    const listed = references.map((one) => one.slice(0, one.lastIndexOf('@')));
    expect(listed).toEqual(expect.arrayContaining(['uws-pack', 'pg', 'react', 'maplibre-gl']));
    for (const name of ['vite', 'vitest', 'typescript']) expect(listed).not.toContain(name);
    const installed = filesIn('node_modules/{*,@*/*}/package.json').map(
      (file) => JSON.parse(textOf(file)).name,
    );
    expect(installed.filter((name) => !listed.includes(name))).toEqual([]);
    for (const { name, hashes, licenses } of bill.components)
      expect([name, hashes?.length > 0, licenses?.length > 0]).toEqual([name, true, true]);
    for (const { ref, dependsOn } of bill.dependencies)
      expect([...references, bill.metadata.component['bom-ref']]).toEqual(
        expect.arrayContaining([ref, ...dependsOn]),
      );
  });

  test('it has every runbook that the console opens', () => {
    expect(filesIn('docs/runbooks/**/*.md').length).toBe(
      globSync('docs/runbooks/**/*.md', { cwd: new URL('../../..', import.meta.url).pathname }).length,
    );
    expect(textOf('docs/runbooks/alerts/backup-old.md')).toContain('# ');
  });

  test('it leaves Node.js out for an image', async () => {
    const image = join(temporaryDirectory(), 'image');
    await makeRelease({ to: image, withNode: false });
    expect(existsSync(join(image, 'node_modules/node'))).toBe(false);
    expect(existsSync(join(image, 'node_modules/pg'))).toBe(true);
  });

  test('each of its commands starts', async () => {
    const commands = readdirSync(join(folder, 'ops/cli')).filter(
      (file) => !/^(?:migrate|ready)\./.test(file),
    );
    expect(commands).toContain('operate.ts');
    for (const file of commands) {
      const { stdout } = await fromRelease([`ops/cli/${file}`, '--help']);
      expect([file, stdout]).toEqual([file, expect.stringContaining('npm run')]);
    }
  });
});

test(
  'a photo is uploaded, staged, approved and shown, signed, on a page of the site',
  async () => {
    const migrated = await fromRelease(['ops/cli/migrate.ts'], { DATABASE_URL: database.url });
    expect(migrated.stdout).toContain('0001');
    const platform = await startTestPlatform({
      release: folder,
      databaseUrl: database.url,
      settings: { PATH: SYSTEM_PATH },
      webSettings: testSigning().settings,
    });
    try {
      for (const { pid } of platform.roles)
        expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(folder);
      const agent = await signIn(platform);
      const propertyId = await createListing(agent);
      const originalImageId = await uploadRoom(agent, propertyId);
      const { aiJobId } = await submit(agent, originalImageId);
      await jobReaches(platform, aiJobId, 'SUCCESS', 2 * MINUTES);
      const { data } = await agent.query('ai.listStagedVariants', { originalImageId });
      const [{ imageId }] = data.items;
      const picture = `${platform.urls[0]}/api/images/${imageId}`;
      expect((await request(picture)).statusCode).toBe(404);
      expect((await agent.mutate('ai.approveStagedVariant', { imageId })).status).toBe(200);
      const shown = await request(picture);
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await shown.body.bytes()).includes('c2pa')).toBe(true);

      const page = await eventually(
        async () => {
          const { statusCode, body } = await request(`${platform.urls[0]}/properties/${propertyId}`);
          const text = await body.text();
          return statusCode === 200 && text.includes(imageId) && text;
        },
        { what: 'the page with the staged picture', timeoutMs: MINUTES },
      );
      const scripts = [...new Set(page.match(/\/assets\/[\w.-]+\.js/g))];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) {
        const { statusCode, headers, body } = await request(`${platform.urls[0]}${script}`);
        expect([script, statusCode, headers['content-type']]).toEqual([
          script,
          200,
          'text/javascript; charset=utf-8',
        ]);
        await body.dump();
      }
    } finally {
      await platform.stop();
    }
  },
  5 * MINUTES,
);
