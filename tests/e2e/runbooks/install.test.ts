import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import { archiveRelease } from '../../../ops/release/archive.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { sharedProvider, sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';
import { commandOf, commandsOf, run } from './commands.ts';

/**
 * The commands of the pages for install, upgrade and backup. What needs a separate machine (packages, users, systemd,
 * Docker) is compared with the files that it names; the rest runs.
 */
const PAGES = [
  '../install.md',
  'upgrade.md',
  'backup.md',
  'bucket-lost.md',
  'mail-down.md',
  'role-not-ready.md',
  'rollout-order.md',
];
const UNITS = readdirSync('ops/deploy/systemd');
const VERSION = '9.9.9';

/** Commands that another test runs, or that this one runs below. */
const RUN = [
  /^(?:sha256sum|mkdir|tar|ln|install|printf) /,
  /^sudo -u postgres psql -c "CREATE /,
  /^env \$\(grep .*fetch-webhook-secret$/,
  /^set -a; /,
  /^node_modules\/\.bin\/node ops\/deploy\/make-bucket\.ts$/,
  /^sh ops\/deploy\/backup\.sh$/,
  /^(?:createdb|pg_restore|dropdb|DATABASE_URL=\S+ npm run invariants) ?/,
  // tests/e2e/runbooks/pages.test.ts and drills.test.ts, tests/ops/documented-commands.test.ts, .ci/run
  /^(?:psql|npm run ops --|npm run (?:migrate|release|invariants)|npm ci$|curl -s http:\/\/\$OPS_HOST:\$OPS_PORT\/readyz)/,
];

test('every command runs, or names what there is', () => {
  const services = Object.keys(
    (parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: object }).services,
  );
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const isUnit = (name: string) =>
    [name, `${name}.service`].some((one) => UNITS.includes(one)) || name === 'caddy';
  const compared: [RegExp, (words: string[]) => boolean][] = [
    [/^systemctl daemon-reload$/, () => true],
    [
      /^systemctl (?:start|restart|status|enable --now) /,
      (words) =>
        words
          .slice(2)
          .filter((word) => word !== '--now')
          .every(isUnit),
    ],
    [/^journalctl -u /, ([, , unit = '']) => isUnit(unit)],
    [/^docker compose build$|^docker compose up -d$/, () => true],
    [
      /^docker compose run --rm --no-deps /,
      (words) => services.includes(words[5] ?? '') && existsSync(words[7] ?? ''),
    ],
    [/^curl -s http:\/\/127\.0\.0\.1:300[12]\/readyz$/, () => true],
    [/^apt-get install --yes [\w -]+$/, () => true],
    [
      /^useradd --system --no-create-home --shell \/usr\/sbin\/nologin proscenium$/,
      () => readFileSync('ops/deploy/systemd/proscenium-web.service', 'utf8').includes('\nUser=proscenium\n'),
    ],
    [/^sudo -u postgres psql -c "ALTER SYSTEM SET listen_addresses = /, () => true],
    [/^cd \/srv\/proscenium\/current$/, () => true],
    [/^npm run upgrade:check(?: -- \S+)?$/, () => scripts['upgrade:check'] !== undefined],
  ];
  const unknown = PAGES.flatMap((page) =>
    commandsOf(page)
      .filter((line) => {
        if (RUN.some((kind) => kind.test(line))) return false;
        return !compared.some(([kind, holds]) => kind.test(line) && holds(line.split(/\s+/)));
      })
      .map((line) => `${page}: ${line}`),
  );
  expect(unknown).toEqual([]);
});

/** A machine's folders, in a temporary one: the page's paths begin there. */
function machine(): { root: string; typed(line: string): void } {
  const root = temporaryDirectory();
  for (const folder of ['srv', 'etc/systemd/system', 'etc/caddy'])
    mkdirSync(join(root, folder), { recursive: true });
  return {
    root,
    typed(line) {
      const here = line
        .replaceAll(/(^|\s|>)\/(srv|etc)\//g, `$1${root}/$2/`)
        .replaceAll('VERSION', VERSION)
        .replaceAll('OLDER', '9.9.8');
      execFileSync('sh', ['-c', here], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    },
  };
}

test('a packed release is checked, unpacked, and its units, settings and proxy are put in their places; and the next one', async () => {
  const { root, typed } = machine();
  const release = join(temporaryDirectory(), 'release');
  cpSync('ops/deploy', join(release, 'ops/deploy'), { recursive: true });
  const path = await archiveRelease({ from: release, to: root, version: VERSION });
  expect(path).toBe(join(root, `proscenium-${VERSION}-linux-x64.tar.gz`));
  const again = await archiveRelease({ from: release, to: temporaryDirectory(), version: VERSION });
  expect(readFileSync(`${again}.sha256`, 'utf8')).toBe(readFileSync(`${path}.sha256`, 'utf8'));

  const files = /^(?:sha256sum|mkdir|tar|ln|install|printf) /;
  for (const line of commandsOf('../install.md').filter((one) => files.test(one))) typed(line);
  expect(readdirSync(join(root, 'etc/proscenium')).toSorted()).toEqual([
    'backup.env',
    'release.env',
    'web.env',
    'worker.env',
  ]);
  expect(readdirSync(join(root, 'etc/systemd/system'))).toEqual(
    expect.arrayContaining(['proscenium-web.service', 'proscenium-backup.timer']),
  );
  expect(readFileSync(join(root, 'etc/systemd/system/caddy.service.d/proscenium.conf'), 'utf8')).toContain(
    'WEB_PORT=3000',
  );
  expect(existsSync(join(root, 'etc/caddy/Caddyfile'))).toBe(true);

  for (const line of commandsOf('upgrade.md').filter((one) => files.test(one))) typed(line);
  writeFileSync(path, 'another archive');
  expect(() => typed(commandOf('upgrade.md', 'sha256sum'))).toThrow(/did NOT match/);
});

test('the owner that the page makes may migrate, and makes the login of the roles', async () => {
  const stack = sharedStack();
  const names = { owner: `install_${process.pid}`, database: `install_${process.pid}` };
  const administrator = new pg.Client({ connectionString: stack.databaseUrl });
  await administrator.connect();
  const roles = `${names.owner}_roles`;
  onTestFinished(async () => {
    await administrator.query(`drop database if exists ${names.database} with (force)`);
    await administrator.query(`drop role if exists ${roles}`);
    await administrator.query(`drop role if exists ${names.owner}`);
    await administrator.end();
  });
  const statements = commandsOf('../install.md').flatMap(
    (line) => /^sudo -u postgres psql -c "(CREATE .*)"$/.exec(line)?.[1] ?? [],
  );
  expect(statements).toHaveLength(2);
  for (const statement of statements)
    await administrator.query(statement.replaceAll(/\bproscenium\b/g, names.owner));
  const address = (user: string) => {
    const url = new URL(stack.databaseUrl);
    Object.assign(url, { username: user, password: 'change-me', pathname: `/${names.database}` });
    return url.href;
  };
  const applied = await migrate(address(names.owner), { rolesUrl: address(roles) });
  expect(applied.length).toBeGreaterThan(80);
}, 120_000);

test('the webhook secret comes with the settings of the worker alone, which a shell can read', async () => {
  const { baseUrl, token, webhookSecret } = sharedProvider();
  const file = join(temporaryDirectory(), 'worker.env');
  const example = readFileSync('ops/deploy/systemd/worker.env', 'utf8').replace(
    'PROVIDER_API_TOKEN=',
    `PROVIDER_API_TOKEN=${token}`,
  );
  writeFileSync(file, `${example}PROVIDER_BASE_URL=${baseUrl}\n`);
  const secret = commandOf('../install.md', 'env $(grep').replace('/etc/proscenium/worker.env', file);
  expect(await run(secret, {})).toEqual({ code: 0, text: expect.stringContaining(webhookSecret) });
  for (const name of ['worker', 'web']) {
    const read = commandOf('../install.md', 'set -a').replace(
      '/etc/proscenium/worker.env',
      join(process.cwd(), `ops/deploy/systemd/${name}.env`),
    );
    expect(await run(`${read}; echo "$S3_BUCKET"`, {})).toEqual({ code: 0, text: 'proscenium\n' });
  }
});

test('the bucket is made, and one that exists stays', async () => {
  const { s3 } = sharedStack();
  const env = {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_BUCKET: s3.bucket,
  };
  for (const _ of [1, 2])
    expect(await run(commandOf('bucket-lost.md', 'make-bucket'), env)).toEqual({
      code: 0,
      text: `Bucket ${s3.bucket} is there\n`,
    });
});

/** The system's own server has the version of its `pg_dump`; those of npm come without one. */
const dumper = /(\d+)\./.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
const server = `/usr/lib/postgresql/${dumper}`;
test.skipIf(dumper === undefined || !existsSync(`${server}/bin/postgres`))(
  'the backup can be restored, keeps what it should, and leaves no half of one',
  async () => {
    const dataDir = temporaryDirectory();
    const backups = temporaryDirectory();
    const postgres = await startPostgres({ dataDir, durable: false, native: server });
    onTestFinished(async () => {
      await postgres.stop();
      discardCluster(dataDir);
    });
    const env = {
      DATABASE_OWNER_URL: postgres.url,
      BACKUP_DIRECTORY: backups,
      BACKUP_DAYS: '14',
      LAST_BACKUP_FILE: join(backups, 'done'),
    };
    const query = async (url: string, sql: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    };
    await query(postgres.url, `create extension pg_trgm; create table kept as select 'a home' as what`);
    writeFileSync(join(backups, 'proscenium-20200101T000000Z.dump'), 'old');
    spawnSync('touch', ['-d', '2020-01-01', join(backups, 'proscenium-20200101T000000Z.dump')]);
    writeFileSync(join(backups, 'proscenium-20200102T000000Z.dump.part'), 'half');
    const backup = commandOf('backup.md', 'backup.sh');
    const made = await run(backup, env);
    expect(made, made.text).toMatchObject({ code: 0 });
    expect(readdirSync(backups).toSorted()).toEqual([
      'done',
      expect.stringMatching(/^proscenium-\d{8}T\d{6}Z\.dump$/),
    ]);

    const restored = postgres.url.replace(/[^/]*$/, 'restored');
    for (const words of ['createdb', 'pg_restore']) {
      const done = await run(commandOf('backup.md', words), env);
      expect(done, done.text).toMatchObject({ code: 0 });
    }
    expect(await query(restored, 'select what from kept')).toEqual([{ what: 'a home' }]);
    await query(restored, 'drop table kept; drop extension pg_trgm');
    const page = await run(commandOf('database-restore.md', 'pg_restore'), {
      DATABASE_OWNER_URL: restored,
      DUMP: made.text.trim(),
    });
    expect(page, page.text).toMatchObject({ code: 0 });
    expect(await query(restored, 'select what from kept')).toEqual([{ what: 'a home' }]);
    expect(await run(commandOf('backup.md', 'dropdb'), env)).toMatchObject({ code: 0 });

    // A dump that fails leaves the mark of the last good one alone.
    spawnSync('touch', ['-d', '2020-01-01', env.LAST_BACKUP_FILE]);
    const failed = await run(backup, { ...env, DATABASE_OWNER_URL: restored });
    expect(failed.code).not.toBe(0);
    const { stdout } = spawnSync('date', ['-r', env.LAST_BACKUP_FILE, '+%Y'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('2020');
  },
  60_000,
);
