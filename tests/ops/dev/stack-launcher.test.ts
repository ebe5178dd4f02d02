import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort, isFreePort } from '../../../ops/dev/stack/free-port.ts';
import { isAlive } from '../../../ops/dev/stack/process-identity.ts';
import type { ProcessRecord } from '../../../ops/dev/stack/process-records.ts';
import { canPass, unprivilegedUser } from '../../../ops/dev/stack/unprivileged-user.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { REPOSITORY, type StartedProgram, startProgram } from '../../support/platform/started-program.ts';

/** `npm start` as a process, with test programs in place of the roles. */

const CHILDREN = ['loopback', 'postgres', 'provider', 'redis', 'web', 'worker'];
const RUNS = /Proscenium runs/;

interface LaunchOptions {
  env?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number } | undefined;
  ports?: { port: number; opsPort: number };
}

async function launch(dataDir: string, options: LaunchOptions = {}): Promise<StartedProgram> {
  const { port, opsPort } = options.ports ?? { port: await freePort(), opsPort: await freeOpsPort() };
  const own = [
    'ops/cli/start.ts',
    '--empty',
    '--data',
    dataDir,
    '--procfile',
    'tests/support/platform/fake-platform.Procfile',
  ];
  return startProgram([...own, '--port', String(port), '--ops-port', String(opsPort)], options);
}

/** A port for the worker; the next port, for the web role, is free as well. */
async function freeOpsPort(): Promise<number> {
  const port = await freePort();
  return (await isFreePort(port + 1)) ? port : freeOpsPort();
}

function records(dataDir: string): ProcessRecord[] {
  return readdirSync(join(dataDir, 'processes'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(dataDir, 'processes', file), 'utf8')) as ProcessRecord);
}

/** A PATH without setpriv, which makes the kernel end the children after a kill -9: here they become orphans. */
async function pathWithoutSetpriv(): Promise<string> {
  const directory = temporaryDirectory();
  await symlink('/usr/bin/redis-server', join(directory, 'redis-server'));
  return directory;
}

describe('the launcher', () => {
  test('starts everything, refuses a second launcher and names the pid of the first, and leaves no process on Ctrl-C', async () => {
    const dataDir = temporaryDirectory();
    const first = await launch(dataDir);
    await first.untilSaid(RUNS);
    const children = records(dataDir);
    expect(children.map(({ name }) => name)).toEqual(CHILDREN);
    expect(children.every(isAlive)).toBe(true);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain('authSecret');

    const second = await launch(dataDir);
    expect(await second.ended()).toBe(1);
    expect(second.said()).toContain(`already runs on ${dataDir}: process ${first.pid} started it`);
    expect(children.every(isAlive)).toBe(true);

    first.signal('SIGINT');
    expect(await first.ended()).toBe(0);
    expect(first.said()).toMatch(/web +\| web drains/);
    expect(children.filter(isAlive)).toEqual([]);
    expect(readdirSync(join(dataDir, 'processes'))).toEqual([]);
  });

  test('no role gets a secret of the other', async () => {
    const dataDir = temporaryDirectory();
    const program = await launch(dataDir, { env: { PROVIDER_API_TOKEN: 'from the shell' } });
    await program.untilSaid(RUNS);
    const [web, worker] = ['web', 'worker'].map((role) => {
      const [, line = ''] = new RegExp(`^${role} +\\| (.*"environment".*)$`, 'm').exec(program.said()) ?? [];
      return (JSON.parse(line) as { names: string[] }).names;
    });
    expect(web).toEqual(expect.arrayContaining(['PROVIDER_WEBHOOK_SIGNING_SECRET', 'AUTH_SECRET']));
    expect(web).not.toContain('PROVIDER_API_TOKEN');
    expect(web).not.toContain('AI_STAGING_USER_HASH_SECRET');
    expect(worker).toEqual(expect.arrayContaining(['PROVIDER_API_TOKEN', 'AI_STAGING_USER_HASH_SECRET']));
    expect(worker).not.toContain('PROVIDER_WEBHOOK_SIGNING_SECRET');
    expect(worker).not.toContain('AUTH_SECRET');
    program.signal('SIGTERM');
    expect(await program.ended()).toBe(0);
  });

  test('after a kill -9 the kernel ends the children, and the next start works on the same data', async () => {
    const dataDir = temporaryDirectory();
    const killed = await launch(dataDir);
    await killed.untilSaid(RUNS);
    const children = records(dataDir);
    killed.signal('SIGKILL');
    expect(await killed.ended()).toBe('SIGKILL');
    if (process.platform === 'linux') {
      await eventually(() => !children.some(isAlive), { what: 'the children to end with their launcher' });
    }
    const next = await launch(dataDir);
    await next.untilSaid(RUNS);
    expect(children.filter(isAlive)).toEqual([]);
    next.signal('SIGINT');
    expect(await next.ended()).toBe(0);
  });

  test('after a kill -9 without help of the kernel the next start finds and stops the orphans', async () => {
    const dataDir = temporaryDirectory();
    const env = { PATH: await pathWithoutSetpriv() };
    const ports = { port: await freePort(), opsPort: await freeOpsPort() };
    const killed = await launch(dataDir, { env, ports });
    await killed.untilSaid(RUNS);
    const orphans = records(dataDir);
    killed.signal('SIGKILL');
    await killed.ended();
    expect(orphans.filter(isAlive).map(({ name }) => name)).toEqual(CHILDREN);

    const next = await launch(dataDir, { env, ports });
    await next.untilSaid(RUNS);
    expect(next.said()).toContain(`Stopped what an earlier run left: ${CHILDREN.join(', ')}.`);
    expect(orphans.filter(isAlive)).toEqual([]);
    next.signal('SIGINT');
    expect(await next.ended()).toBe(0);
  });

  test('when a role exits by itself the launcher reports it, stops everything and fails', async () => {
    const dataDir = temporaryDirectory();
    const program = await launch(dataDir);
    await program.untilSaid(RUNS);
    const children = records(dataDir);
    process.kill(children.find(({ name }) => name === 'worker')?.pid ?? 0, 'SIGKILL');
    expect(await program.ended()).toBe(1);
    expect(program.said()).toContain('worker ended (SIGKILL); stopping everything');
    expect(children.filter(isAlive)).toEqual([]);
  });

  test('a second signal forces the stop', async () => {
    const dataDir = temporaryDirectory();
    const program = await launch(dataDir);
    await program.untilSaid(RUNS);
    const children = records(dataDir);
    // A frozen server cannot stop in order, so only force ends it.
    process.kill(children.find(({ name }) => name === 'postgres')?.pid ?? 0, 'SIGSTOP');
    program.signal('SIGINT');
    await program.untilSaid(/Ctrl-C again stops at once/);
    // npm forwards the Ctrl-C that the terminal delivers as well, so a signal right after the first one does not
    // count as a second.
    program.signal('SIGINT');
    await eventually(
      () => {
        program.signal('SIGINT');
        return !program.isRunning();
      },
      { what: 'the launcher to give in' },
    );
    expect(await program.ended()).toBe(130);
    await eventually(() => !children.some(isAlive), { what: 'the children to be gone' });
  });

  test('a port in use is reported with a clear message before any role starts', async () => {
    const dataDir = temporaryDirectory();
    const first = await launch(dataDir);
    const [, port] = await first.untilSaid(/Site +http:\/\/127\.0\.0\.1:(\d+)/);
    const second = await launch(temporaryDirectory(), {
      ports: { port: Number(port), opsPort: await freeOpsPort() },
    });
    expect(await second.ended()).toBe(1);
    expect(second.said()).toContain(`Port ${port} is taken by another program`);
    first.signal('SIGINT');
    await first.ended();
  });

  const user = unprivilegedUser();
  const obstacle = !user
    ? 'skipped: the tests already run as one'
    : canPass(user, REPOSITORY)
      ? ''
      : `skipped: ${user.name} cannot read ${REPOSITORY}`;
  test.skipIf(obstacle !== '')(`runs as an ordinary user ${obstacle}`.trim(), async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const parent = join(dataDir, '..');
    chownSync(parent, user?.uid ?? 0, user?.gid ?? 0);
    const program = await launch(dataDir, { user, env: { HOME: parent } });
    await program.untilSaid(RUNS);
    program.signal('SIGINT');
    expect(await program.ended()).toBe(0);
  });

  test('--help prints the help, a wrong option is rejected with the help', async () => {
    const help = startProgram(['ops/cli/start.ts', '--help']);
    expect(await help.ended()).toBe(0);
    expect(help.said()).toContain('--data <folder>');
    const wrong = startProgram(['ops/cli/start.ts', '--port', 'x']);
    expect(await wrong.ended()).toBe(2);
    expect(wrong.said()).toContain('"x" is not a port');
  });
});
