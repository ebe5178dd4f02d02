import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSite } from '../site/build.ts';
import { lockDataDir } from './launcher-lock.ts';
import { once, type Service } from './lifecycle.ts';
import { type LocalSecrets, localSecrets } from './local-secrets.ts';
import { type LoopbackServices, type ObjectStoreAddress, startLoopbackServices } from './loopback.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { discardCluster } from './postgres-cluster.ts';
import { stopLeftovers, writeAtomically } from './process-records.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { type SimulatorService, startSimulator } from './simulator.ts';

/**
 * The services that the platform needs, on loopback, in one data directory: PostgreSQL, Redis, an S3 store, a mail
 * sink and the provider simulator; and the built site, which the web role serves. Only one launcher at a time can use a data directory. All state is on disk, so
 * after any crash (of a part or of the launcher) the next start stops leftover processes and continues from there.
 */
export interface Stack extends Service {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly kvUrl: string;
  readonly s3: ObjectStoreAddress;
  readonly smtpUrl: string;
  readonly mailDir: string;
  /** Origin of the provider simulator; undefined when this checkout has none. */
  readonly providerBaseUrl: string | undefined;
  readonly secrets: LocalSecrets;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly loopback: LoopbackServices;
  readonly provider: SimulatorService | undefined;
}

export interface StackOptions {
  /** Default: `.data` in the working directory. */
  dataDir?: string;
  /** False: no fsync, and Redis writes nothing to disk. For temporary data. */
  durable?: boolean;
  /** True removes the data directory, a relocated cluster included, when the stack stops. */
  discard?: boolean;
  providerSpeed?: 'realistic' | 'fast' | 'instant';
  /** False starts no provider simulator. */
  withProvider?: boolean;
  /** Receives notices (installation, leftovers); default: standard error. */
  announce?: (line: string) => void;
  /** False: after a kill -9 of the launcher, the children keep running until the next start. */
  diesWithLauncher?: boolean;
}

/**
 * Starts all parts; when one fails, the started ones are stopped again.
 * @throws StackError whose message says what to do
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const announce = options.announce ?? ((line: string) => process.stderr.write(`${line}\n`));
  const dataDir = resolve(options.dataDir ?? '.data');
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockDataDir(dataDir);
  try {
    const leftovers = await stopLeftovers(dataDir);
    if (leftovers.length > 0) announce(`Stopped what an earlier run left: ${leftovers.join(', ')}.`);
    if ((await buildSite()) !== null) announce('The pages of the site are built.');
    const parts = await startParts({ ...options, announce, dataDir });
    return assemble(dataDir, parts, {
      unlock,
      discard: options.discard === true,
    });
  } catch (error) {
    if (options.discard === true) removeAll(dataDir);
    else unlock();
    throw error;
  }
}

interface Parts {
  postgres: PostgresServer;
  redis: RedisServer;
  loopback: LoopbackServices;
  provider: SimulatorService | undefined;
}

async function startParts(options: StackOptions & { dataDir: string }): Promise<Parts> {
  const { dataDir, providerSpeed } = options;
  const bound = options.diesWithLauncher === undefined ? {} : { diesWithLauncher: options.diesWithLauncher };
  const durable = options.durable !== false;
  const announce = options.announce ? { announce: options.announce } : {};
  // Before the parallel starts: when two of them created the secrets at once, one set would be lost.
  localSecrets(dataDir);
  const starts = [
    startPostgres({ dataDir, durable, ...bound }),
    startRedis({ dataDir, durable, ...announce, ...bound }),
    startLoopbackServices({ dataDir, ...bound }),
    options.withProvider === false
      ? undefined
      : startSimulator({ dataDir, ...(providerSpeed ? { speed: providerSpeed } : {}), ...bound }),
  ] as const;
  const settled = await Promise.allSettled(starts);
  const failure = settled.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all(settled.map((result) => (result.status === 'fulfilled' ? result.value?.stop() : null)));
    throw failure.reason;
  }
  const [postgres, redis, loopback, provider] = await Promise.all(starts);
  return { postgres, redis, loopback, provider };
}

function assemble(dataDir: string, parts: Parts, { unlock, discard }: { unlock(): void; discard: boolean }) {
  const { postgres, redis, loopback, provider } = parts;
  const addressFile = join(dataDir, 'stack.json');
  const stack: Stack = {
    name: 'stack',
    dataDir,
    databaseUrl: postgres.url,
    kvUrl: redis.url,
    s3: loopback.s3,
    smtpUrl: loopback.smtpUrl,
    mailDir: loopback.mailDir,
    providerBaseUrl: provider?.baseUrl,
    secrets: localSecrets(dataDir),
    ...parts,
    stop: once(async () => {
      await Promise.all([postgres.stop(), redis.stop(), loopback.stop(), provider?.stop()]);
      rmSync(addressFile, { force: true });
      if (discard) removeAll(dataDir);
      else unlock();
    }),
  };
  const { databaseUrl, kvUrl, s3, smtpUrl, mailDir, providerBaseUrl } = stack;
  writeAtomically(
    addressFile,
    JSON.stringify({ databaseUrl, kvUrl, s3, smtpUrl, mailDir, providerBaseUrl }, null, 2),
  );
  chmodSync(addressFile, 0o600);
  return stack;
}

function removeAll(dataDir: string): void {
  discardCluster(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
