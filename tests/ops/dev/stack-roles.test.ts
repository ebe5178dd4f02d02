import { describe, expect, test } from 'vitest';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { parseProcfile, procfileCommand } from '../../../ops/dev/stack/procfile.ts';
import { fromShell, type RoleEnvironment, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { spawnRole } from '../../../ops/dev/stack/role-process.ts';
import { loadWebConfig, loadWorkerConfig } from '../../../src/config/config.ts';
import { sharedProvider, sharedStack } from '../../support/platform/stack.ts';

function environment(): RoleEnvironment {
  return { ...sharedStack(), provider: sharedProvider() };
}

describe('the environment of a role', () => {
  test('is complete and passes every check of the role at its start', () => {
    const web = loadWebConfig(roleEnvironment(environment(), 'web', { PORT: '3210' }));
    const worker = loadWorkerConfig(roleEnvironment(environment(), 'worker', { PORT: '3210' }));
    expect([web.port, web.publicBaseUrl]).toEqual([3210, 'http://127.0.0.1:3210']);
    expect([worker.publicBaseUrl, worker.provider.webhookBaseUrl]).toEqual([
      web.publicBaseUrl,
      web.publicBaseUrl,
    ]);
    expect(worker.providerInputs).toEqual(web.providerInputs);
    expect(worker.provider.baseUrl).toBe(sharedProvider().baseUrl);
    expect(worker.ops.port).not.toBe(web.ops.port);
  });

  test('overrides win, even over the addresses of the stack', () => {
    const env = roleEnvironment(environment(), 'worker', {
      DATABASE_URL: 'postgres://other/db',
      QUEUE_SUFFIX: '-t',
    });
    expect([env.DATABASE_URL, env.QUEUE_SUFFIX]).toEqual(['postgres://other/db', '-t']);
  });

  test('takes from the shell the variables that the role reads and the stack does not set', () => {
    const shell = {
      AI_STAGING_QUALITY: 'high',
      QUEUE_DASHBOARD_USER: 'op',
      AI_STAGING_COST_MICROUSD_HIGH: '5',
      DATABASE_URL: 'postgres://elsewhere/db',
      PROVIDER_API_TOKEN: 'real',
      PORT: '1',
      EDITOR: 'ed',
    };
    expect(fromShell('web', shell)).toEqual({
      AI_STAGING_QUALITY: 'high',
      AI_STAGING_COST_MICROUSD_HIGH: '5',
    });
    expect(fromShell('worker', shell)).toEqual({
      AI_STAGING_QUALITY: 'high',
      QUEUE_DASHBOARD_USER: 'op',
      AI_STAGING_COST_MICROUSD_HIGH: '5',
    });
  });

  test('cannot be made without a provider', () => {
    expect(() => roleEnvironment({ ...sharedStack(), provider: undefined }, 'web')).toThrow(
      /provider simulator/,
    );
  });
});

describe('a role as a process', () => {
  const procfile = new URL('../../support/platform/fake-platform.Procfile', import.meta.url);

  test('reports when and where it listens, and stops', async () => {
    const port = String(await freePort());
    const lines: string[] = [];
    const env = roleEnvironment(environment(), 'web', { PORT: port });
    const web = await spawnRole({ role: 'web', env, procfile, onLine: (line) => lines.push(line) });
    expect(await web.ready).toBe(`http://127.0.0.1:${port}`);
    expect(lines.some((line) => line.includes('"environment"'))).toBe(true);
    await web.stop();
    expect(await web.exited).toEqual({ code: 0, signal: null });
    expect(web.isRunning()).toBe(false);
    await web.stop();
  });

  test('a role that exits before it listens rejects with its last output', async () => {
    const env = roleEnvironment(environment(), 'worker', { OPS_PORT: '99999999' });
    const worker = await spawnRole({ role: 'worker', env, procfile });
    await expect(worker.ready).rejects.toThrow(/worker ended at once \(code 1\).*port/is);
  });
});

/** How asynchronous context is carried, and the memory of a role; every file that starts a role has them. */
const FLAGS = ['--experimental-async-context-frame', '--v8-pool-size=1', '--max-semi-space-size=8'];

describe('a Procfile', () => {
  test('defines names and commands; other lines and duplicate names are rejected', () => {
    expect(parseProcfile('# why\n\nweb: node  src/web.ts --x\r\nworker: ./run\n')).toEqual([
      { name: 'web', command: ['node', 'src/web.ts', '--x'] },
      { name: 'worker', command: ['./run'] },
    ]);
    expect(() => parseProcfile('web: a\nnonsense')).toThrow('Procfile line 2');
    expect(() => parseProcfile('web: a\nweb: b')).toThrow('names web twice');
  });

  test("the repository's Procfile names the processes of the platform", () => {
    const file = new URL('../../../Procfile', import.meta.url);
    expect(procfileCommand(file, 'web')).toEqual({
      command: process.execPath,
      args: [...FLAGS, 'src/web.ts'],
    });
    expect(procfileCommand(file, 'worker').args).toEqual([...FLAGS, 'src/worker.ts']);
    expect(procfileCommand(file, 'release').args).toEqual(['ops/cli/migrate.ts']);
    expect(() => procfileCommand(file, 'none')).toThrow('has no none');
  });
});
