import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { VERSION } from '../../../src/version.ts';
import { createDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { sharedStack, temporaryDirectory } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

type Variables = Record<string, string>;

describe.each(['web', 'worker'] as const)('the program of the %s role', (role) => {
  const environment = (databaseUrl: string, settings: Variables = {}) =>
    roleEnvironment(
      {
        ...sharedStack(),
        databaseUrl,
        provider: { baseUrl: 'http://127.0.0.1:9', token: 'unused', webhookSecret: WEBHOOK_SECRET },
      },
      role,
      { PORT: '0', OPS_PORT: '0', QUEUE_SUFFIX: `-${randomUUID()}`, SHUTDOWN_GRACE_MS: '2000', ...settings },
    );

  const missing = role === 'web' ? 'PROVIDER_WEBHOOK_SIGNING_SECRET' : 'PROVIDER_API_TOKEN';

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['::1', '[::1]'],
  ])('on %s prints where it listens, serves, and exits on SIGTERM', async (host, inAddress) => {
    const database = await createDatabase();
    const program = startProgram([`src/${role}.ts`], {
      env: environment(database.url, { HOST: host, OPS_HOST: host }),
    });
    try {
      const [, line = '{}'] = await program.untilSaid(/^(\{.*"listening".*\})$/m);
      const { url, opsUrl } = JSON.parse(line);
      expect(JSON.parse(program.said().split('\n')[0] ?? '')).toMatchObject({
        msg: 'starting',
        version: VERSION,
      });
      for (const base of new Set([url, opsUrl])) {
        expect(base).toMatch(/^http:/);
        expect(base).toContain(`//${inAddress}:`);
        expect((await fetch(new URL('/healthz', base))).status).toBe(200);
        const ready = await fetch(new URL('/readyz', base));
        expect(ready.status).toBe(200);
        // These tests give the role the owner's address.
        expect(await ready.json()).toMatchObject({
          checks: { database: { detail: { canChangeTables: true } } },
        });
      }
      expect(program.said().match(/"event":"database\.owner"/g)).toHaveLength(1);
      program.signal('SIGTERM');
      expect(await program.ended()).toBe(0);
      expect(program.said()).toMatch(/"stopped"/);
    } finally {
      program.signal('SIGKILL');
      await database.drop();
    }
  });

  test('says once when its key-value store evicts keys', async () => {
    const [database, store] = [
      await createDatabase(),
      await startRedis({ dataDir: temporaryDirectory(), durable: false }),
    ];
    const admin = new Redis(store.url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const program = startProgram([`src/${role}.ts`], {
      env: environment(database.url, { KV_URL: store.url }),
    });
    try {
      await program.untilSaid(/^\{.*"listening".*\}$/m);
      await program.untilSaid(/"policy":"allkeys-lru"/);
      program.signal('SIGTERM');
      expect(await program.ended()).toBe(0);
      expect(program.said().match(/"policy":/g)).toHaveLength(1);
    } finally {
      program.signal('SIGKILL');
      admin.disconnect();
      await store.stop();
      await database.drop();
    }
  });

  test('whose log cannot be written serves on, and ends once on SIGTERM', async () => {
    const database = await createDatabase();
    const [port, opsPort] = [String(await freePort()), String(await freePort())];
    const program = startProgram([`src/${role}.ts`], {
      env: environment(database.url, { PORT: port, OPS_PORT: opsPort }),
      log: '/dev/full',
    });
    const get = async (at: string, path: string) => (await fetch(`http://127.0.0.1:${at}${path}`)).text();
    try {
      // By then the role is up, and so are its ears for signals.
      if (role === 'web')
        await eventually(() => get(port, '/healthz'), { what: 'the role to serve', timeoutMs: 20_000 });
      else
        await eventually(
          async () => /alerts_evaluated\w*{[^}]*} [1-9]/.test(await get(opsPort, '/metrics')),
          {
            what: 'the role to work',
            timeoutMs: 20_000,
          },
        );
      program.signal('SIGTERM');
      expect(await program.ended()).toBe(0);
    } finally {
      program.signal('SIGKILL');
      await database.drop();
    }
  });

  test('whose log cannot be written ends once where it cannot start', async () => {
    const program = startProgram([`src/${role}.ts`], {
      env: environment('postgres://nobody:secret-word@127.0.0.1:9/none'),
      log: '/dev/full',
    });
    expect(await program.ended()).toBe(1);
    const unset = startProgram([`src/${role}.ts`], {
      env: environment('postgres://nobody:secret-word@127.0.0.1:9/none', { [missing]: '' }),
      log: '/dev/full',
    });
    expect(await unset.ended()).toBe(78);
  });

  test.each<[string, Variables, number, RegExp]>([
    [
      'without a database',
      { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:9/none' },
      1,
      /ECONNREFUSED.*could not start/,
    ],
    ['on a schema that is not migrated', {}, 1, /the database lacks .*run the release command/],
    ['without a secret of its own', { [missing]: '' }, 78, new RegExp(missing)],
  ])('exits with one clear error %s', async (_, settings, code, said) => {
    const database = await createDatabase({ migrated: false });
    const program = startProgram([`src/${role}.ts`], { env: environment(database.url, settings) });
    try {
      expect(await program.ended()).toBe(code);
      expect(program.said()).toMatch(said);
      expect(program.said()).not.toMatch(/secret-word/);
    } finally {
      program.signal('SIGKILL');
      await database.drop();
    }
  });

  test('exits and leaves nothing open when the port of the operators’ server is in use', async () => {
    const database = await createDatabase();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const taken = String((other.address() as { port: number }).port);
    const program = startProgram([`src/${role}.ts`], {
      env: environment(database.url, { OPS_PORT: taken }),
    });
    try {
      expect(await program.ended()).toBe(1);
      expect(program.said()).toMatch(/EADDRINUSE.*could not start/);
    } finally {
      program.signal('SIGKILL');
      other.close();
      await database.drop();
    }
  });
});
