import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { procfileCommand } from '../../../ops/dev/stack/procfile.ts';
import { type Role, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { PROCFILE, REPOSITORY } from '../../../ops/dev/stack/role-process.ts';
import { canReach, unprivilegedUser } from '../../../ops/dev/stack/unprivileged-user.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { sharedProvider, sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';

/**
 * The units of ops/deploy/systemd: systemd accepts them, and their commands run with their environment files, as an
 * unprivileged user. A container has no systemd that could start them.
 */
const FOLDER = join(REPOSITORY, 'ops/deploy/systemd');
const INSTALLED = '/srv/proscenium/current';
const UNITS = readdirSync(FOLDER).filter((name) => /\.(?:service|timer)$/.test(name));
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** Every assignment of a unit, in order. */
function assignments(unit: string): [string, string][] {
  return textOf(unit)
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}
const settingOf = (unit: string, key: string): string | undefined => new Map(assignments(unit)).get(key);
/** The words of its command, with the folder of this repository for the installed one. */
const commandOf = (unit: string): string[] =>
  (settingOf(unit, 'ExecStart') ?? '').replaceAll(`${INSTALLED}/`, REPOSITORY).split(' ');

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyzer)('systemd accepts every unit without a remark', () => {
  const folder = temporaryDirectory();
  for (const unit of UNITS)
    writeFileSync(join(folder, unit), textOf(unit).replaceAll(`${INSTALLED}/`, REPOSITORY));
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...UNITS.map((unit) => join(folder, unit))],
    { encoding: 'utf8' },
  );
  const own = `${stdout}${stderr}`.split('\n').filter((line) => /proscenium/.test(line));
  expect(own).toEqual([]);
  expect(status).toBe(0);
});

test('every service has the same protection, and runs without rights', () => {
  const services = UNITS.filter((unit) => unit.endsWith('.service'));
  expect(services).toHaveLength(4);
  const protection = (unit: string) =>
    assignments(unit).filter(([key]) =>
      /^(?:NoNew|Capab|Protect|Private|Restrict(?!art)|Lock|SystemCall|UMask|User)/.test(key),
    );
  for (const unit of services) {
    expect([unit, protection(unit)]).toEqual([unit, protection('proscenium-web.service')]);
    expect(textOf(unit)).toContain('\nUser=proscenium\n');
    expect(textOf(unit)).toContain('\nProtectSystem=strict\n');
  }
});

describe('the roles', () => {
  test.each(['release', 'web', 'worker'])('%s runs the command of the Procfile', (role) => {
    const { args } = procfileCommand(PROCFILE, role);
    const [program, ...words] = commandOf(`proscenium-${role}.service`);
    expect([program, ...words]).toEqual([join(REPOSITORY, 'node_modules/.bin/node'), ...args]);
  });

  test.each(['web', 'worker'])(
    '%s is ended after its grace period, and not restarted for its settings',
    (role) => {
      const unit = `proscenium-${role}.service`;
      expect(Number(settingOf(unit, 'TimeoutStopSec'))).toBeGreaterThan(25 + 2);
      expect([settingOf(unit, 'Restart'), settingOf(unit, 'RestartPreventExitStatus')]).toEqual([
        'always',
        '78',
      ]);
      expect(settingOf(unit, 'KillMode')).toBe('mixed');
    },
  );
});

describe('started as the units say', () => {
  const user = unprivilegedUser();
  const running: ChildProcess[] = [];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
  });
  afterAll(async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGTERM');
          await once(child, 'exit');
        }
      }),
    );
    await database.drop();
  });

  /** The login of web and worker on this file's database. */
  function rolesUrl(): string {
    const url = new URL(database.url);
    url.username = 'proscenium_roles';
    url.password = sharedStack().secrets.rolesPassword;
    return url.href;
  }

  /** The environment file with the values of this machine: no setting is added but the simulator's and free ports. */
  async function environmentOf(role: Role): Promise<Record<string, string>> {
    const stack = { ...sharedStack(), databaseUrl: rolesUrl(), provider: sharedProvider() };
    const [port, opsPort] = [String(await freePort()), String(await freePort())];
    const local = roleEnvironment(stack, role, { PORT: port, OPS_PORT: opsPort, ...queue });
    const file = parseEnv(textOf(`${role}.env`)) as Record<string, string>;
    const filled = Object.entries(file).map(([name, value]) => [name, local[name] ?? value]);
    const added = ['PORT', 'OPS_PORT', 'QUEUE_SUFFIX', 'PROVIDER_BASE_URL', 'PROVIDER_OUTPUT_HOSTS'];
    return {
      ...Object.fromEntries(filled),
      ...Object.fromEntries(
        added.flatMap((name) => (local[name] === undefined ? [] : [[name, local[name]]])),
      ),
      ...(role === 'worker' ? { QUEUE_DASHBOARD_PASSWORD: 'a-password' } : {}),
      NODE_ENV: 'production',
    };
  }
  const queue = { QUEUE_SUFFIX: `-systemd-${process.pid}` };

  /** As systemd starts it: no shell, no other variable, the unit's user. */
  function start(unit: string, env: Record<string, string>): { child: ChildProcess; said: () => string } {
    const [program = '', ...args] = commandOf(unit);
    const child = spawn(program, args, {
      cwd: REPOSITORY,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user !== undefined && canReach(user, REPOSITORY) ? { uid: user.uid, gid: user.gid } : {}),
    });
    running.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    return { child, said: () => said };
  }

  test('the migrations run, then both roles become ready with the login that owns nothing', async () => {
    const file = parseEnv(textOf('release.env')) as Record<string, string>;
    expect(Object.keys(file).toSorted()).toEqual(['DATABASE_OWNER_URL', 'DATABASE_URL']);
    const release = start('proscenium-release.service', {
      DATABASE_OWNER_URL: database.url,
      DATABASE_URL: rolesUrl(),
    });
    const [code] = (await once(release.child, 'close')) as [number];
    expect(code, release.said()).toBe(0);
    expect(release.said()).toContain('0001_auth_tables');

    for (const role of ['web', 'worker'] as const) {
      const env = await environmentOf(role);
      const { child, said } = start(`proscenium-${role}.service`, env);
      const ready = async () => {
        if (child.exitCode !== null) throw new Error(`${role} ended: ${said()}`);
        const answer = await fetch(`http://127.0.0.1:${env.OPS_PORT}/readyz`).catch(() => null);
        return answer?.ok === true && (await answer.json());
      };
      const report = await eventually(ready, { what: `${role} to be ready`, timeoutMs: 60_000 });
      expect(JSON.stringify(report)).toContain('"canChangeTables":false');
      child.kill('SIGTERM');
      expect(await once(child, 'exit'), said()).toEqual([0, null]);
    }
  }, 180_000);
});
