import { existsSync, lstatSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { localSecrets } from '../../../ops/dev/stack/local-secrets.ts';
import { startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import { identify, isAlive } from '../../../ops/dev/stack/process-identity.ts';
import { ownIdentity, recordProcess, stopLeftovers } from '../../../ops/dev/stack/process-records.ts';
import { startRedis } from '../../../ops/dev/stack/redis.ts';
import { canReach, readableFor, unprivilegedUser } from '../../../ops/dev/stack/unprivileged-user.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

describe('PostgreSQL', () => {
  test('keeps committed data over a crash, a restart and a stop; stop is idempotent', async () => {
    const dataDir = temporaryDirectory();
    const server = await startPostgres({ dataDir });
    await query(server.url, 'create table kept as select 1 as id');
    for (const mode of ['fast', 'immediate', 'kill'] as const) {
      const before = server.pid();
      await server.restart(mode);
      expect(server.pid()).not.toBe(before);
      expect(await query(server.url, 'select id from kept')).toEqual([1]);
    }
    await Promise.all([server.stop(), server.stop()]);
    const again = await startPostgres({ dataDir });
    expect(await query(again.url, 'select id from kept')).toEqual([1]);
    await again.stop();
  });

  test('is durable by default, listens on loopback only and requires the password', async () => {
    const durable = await startPostgres({ dataDir: temporaryDirectory() });
    const settings = `select current_setting(name) from unnest('{fsync,listen_addresses,max_connections,
      unix_socket_directories,server_encoding,TimeZone}'::text[]) as name`;
    expect(await query(durable.url, settings)).toEqual(['on', '127.0.0.1', '600', '', 'UTF8', 'UTC']);
    const otherUser = new URL(durable.url);
    otherUser.password = 'wrong';
    await expect(query(otherUser.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    await durable.stop();
    const fast = await startPostgres({ dataDir: temporaryDirectory(), durable: false });
    expect(await query(fast.url, 'show fsync')).toEqual(['off']);
    await fast.stop();
  });

  test('a database that rejects the password of a new secrets.json is reported', async () => {
    const dataDir = temporaryDirectory();
    await (await startPostgres({ dataDir, durable: false })).stop();
    await rm(join(dataDir, 'secrets.json'));
    await expect(startPostgres({ dataDir, durable: false })).rejects.toThrow(
      /refuses the password in secrets/,
    );
    // The server that rejected the password is stopped.
    expect(await stopLeftovers(dataDir)).toEqual([]);
  });

  test('a stale pid file that names another process is removed, and no process is signalled', async () => {
    const dataDir = temporaryDirectory();
    const server = await startPostgres({ dataDir, durable: false });
    await server.stop();
    const bystander = startProgram(['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await bystander.untilSaid(/up/);
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${bystander.pid}\n${dataDir}/postgres\n0\n0\n`,
    );
    const again = await startPostgres({ dataDir, durable: false });
    expect(await query(again.url, 'select 1')).toEqual([1]);
    expect(bystander.isRunning()).toBe(true);
    bystander.signal('SIGKILL');
    await bystander.ended();
    await again.stop();
  });

  const user = unprivilegedUser();
  test.skipIf(!user)(
    `lives outside a directory that its user cannot enter ${user ? '' : '(skipped: only root needs another user)'}`.trim(),
    async () => {
      const closed = mkdtempSync(join(tmpdir(), 'proscenium-closed-'));
      const dataDir = join(closed, 'data');
      const server = await startPostgres({ dataDir, durable: false });
      expect(await query(server.url, 'select 1')).toEqual([1]);
      await server.stop();
      expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
      expect(statSync(closed).mode & 0o777).toBe(0o700);
      discardCluster(dataDir);
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
      await rm(closed, { recursive: true });
    },
  );

  test.skipIf(!user)(
    `takes its binaries from a copy when its user cannot read them ${user ? '' : '(skipped: not root)'}`.trim(),
    async () => {
      if (!user) return;
      const closed = temporaryDirectory();
      await chmod(closed, 0o700);
      writeFileSync(join(closed, 'binary'), 'bytes', { mode: 0o700 });
      expect(canReach(user, closed)).toBe(false);
      const copy = readableFor(user, closed, 'v1');
      expect(canReach(user, join(copy, 'binary'))).toBe(true);
      expect(readableFor(user, closed, 'v1')).toBe(copy);
      expect(readFileSync(join(copy, 'binary'), 'utf8')).toBe('bytes');
      await rm(copy, { recursive: true });
    },
  );
});

describe('Redis', () => {
  test('flushes, freezes, crashes and comes back on the same port; in durable mode it keeps its keys', async () => {
    const server = await startRedis({ dataDir: temporaryDirectory() });
    const redis = new Redis(server.url);
    const impatient = new Redis(server.url, { commandTimeout: 200 });
    // The connection breaks below on purpose.
    for (const client of [redis, impatient]) client.on('error', () => undefined);
    await redis.set('kept', 'yes');
    await server.crash();
    await server.start();
    expect(await redis.get('kept')).toBe('yes');
    server.pause();
    await expect(impatient.get('kept')).rejects.toThrow(/timed out/);
    server.resume();
    expect(await redis.get('kept')).toBe('yes');
    await server.flush();
    expect(await redis.get('kept')).toBeNull();
    for (const client of [redis, impatient]) client.disconnect();
    await Promise.all([server.stop(), server.stop()]);
  });

  test('is empty after a crash in non-durable mode, and requires the password', async () => {
    const server = await startRedis({ dataDir: temporaryDirectory(), durable: false });
    const redis = new Redis(server.url, { lazyConnect: true });
    redis.on('error', () => undefined);
    await redis.set('gone', 'yes');
    await server.crash();
    await server.start();
    expect(await redis.get('gone')).toBeNull();
    redis.disconnect();
    const otherUser = new Redis({ port: server.port, lazyConnect: true });
    otherUser.on('error', () => undefined);
    await expect(otherUser.get('gone')).rejects.toThrow(/NOAUTH/);
    otherUser.disconnect();
    await server.stop();
  });

  const ask = `import('./ops/dev/stack/redis-binary.ts')
    .then(({ redisBinary }) => console.log('found', redisBinary((line) => console.log('announced', line))))
    .catch((error) => console.log(error.code, error.message))`;

  test('when it is missing and no package manager exists, one clear instruction is printed', async () => {
    const program = startProgram(['-e', ask], { env: { PATH: temporaryDirectory() } });
    await program.ended();
    expect(program.said()).toMatch(/^BINARY_MISSING Redis is missing: .*sudo apt-get install redis-server/m);
    expect(program.said()).not.toContain('announced');
  });

  const nobody = unprivilegedUser();
  test.skipIf(!nobody)(
    `missing, without permission to install: one clear instruction ${nobody ? '' : '(skipped: not root)'}`.trim(),
    async () => {
      // Its index cannot be updated.
      const bin = await binWith({ 'apt-get': '[ "$1" = --version ]' });
      const program = startProgram(['-e', ask], { env: { PATH: bin }, user: nobody });
      await program.ended();
      expect(program.said()).toMatch(/^BINARY_MISSING Redis is missing/m);
    },
  );

  test.skipIf(!nobody)(
    `missing, as root: installs it and says so ${nobody ? '' : '(skipped: not root)'}`.trim(),
    async () => {
      const bin = await binWith({});
      const server = join(bin, 'redis-server');
      const place = `case "$*" in *install*) echo '#!/bin/sh' > ${server}; /bin/chmod +x ${server};; esac`;
      writeScripts(bin, { 'apt-get': place });
      const program = startProgram(['-e', ask], { env: { PATH: bin } });
      await program.ended();
      expect(program.said()).toContain('announced redis-server is missing; running: apt-get update');
      expect(program.said()).toMatch(/running: apt-get .*install -y --no-install-recommends redis-server/);
      expect(program.said()).toContain('found redis-server');
    },
  );
});

describe('processes that a killed launcher left', () => {
  test('are stopped when the recorded process still runs, and left alone when the pid belongs to another process', async () => {
    const dataDir = temporaryDirectory();
    const orphan = startProgram(['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    const bystander = startProgram(['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await Promise.all([orphan.untilSaid(/up/), bystander.untilSaid(/up/)]);
    const dead = { pid: process.pid, startedAt: 'long ago' };
    const common = { launcher: dead, stopSignal: 'SIGTERM' as const };
    recordProcess(dataDir, { ...identityOf(orphan.pid), ...common, name: 'orphan' });
    recordProcess(dataDir, { pid: bystander.pid, startedAt: 'before', ...common, name: 'recycled' });
    expect(await stopLeftovers(dataDir)).toEqual(['orphan']);
    expect(await orphan.ended()).toBe('SIGTERM');
    expect(bystander.isRunning()).toBe(true);
    expect(await stopLeftovers(dataDir)).toEqual([]);
    bystander.signal('SIGKILL');
    await bystander.ended();
  });

  test('are not stopped while their launcher lives', async () => {
    const dataDir = temporaryDirectory();
    const busy = startProgram(['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await busy.untilSaid(/up/);
    const record = {
      ...identityOf(busy.pid),
      launcher: ownIdentity(),
      stopSignal: 'SIGTERM' as const,
      name: 'busy',
    };
    recordProcess(dataDir, record);
    await expect(stopLeftovers(dataDir)).rejects.toThrow(`already runs as process ${busy.pid}`);
    expect(isAlive(record)).toBe(true);
    busy.signal('SIGKILL');
    await busy.ended();
  });
});

test('local secrets are created once, each different, and readable by their owner only', () => {
  const dataDir = temporaryDirectory();
  const secrets = localSecrets(dataDir);
  expect(localSecrets(dataDir)).toEqual(secrets);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(secrets.userHashSecret).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(Object.values(secrets)).size).toBe(Object.values(secrets).length);
});

function identityOf(pid: number) {
  const identity = identify(pid);
  if (!identity) throw new Error(`process ${pid} is gone`);
  return identity;
}

/** Creates a directory for PATH with these shell scripts. */
async function binWith(scripts: Record<string, string>): Promise<string> {
  const directory = temporaryDirectory();
  await chmod(directory, 0o755);
  writeScripts(directory, scripts);
  return directory;
}

function writeScripts(directory: string, scripts: Record<string, string>): void {
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}
