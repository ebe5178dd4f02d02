import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Child, type ChildExit, logTail, startChild } from './child.ts';
import { onPort } from './free-port.ts';
import { once, type Service, StackError, waitUntil } from './lifecycle.ts';
import { localSecrets } from './local-secrets.ts';
import { redisBinary } from './redis-binary.ts';
import type { Announce } from './system-program.ts';

/**
 * One Redis server on 127.0.0.1 that owns `<dataDir>/redis`. Durable: an append-only file survives restarts. Not
 * durable: every start is empty, as after a FLUSHALL, which the platform must survive anyway.
 */
export interface RedisServer extends Service {
  readonly url: string;
  readonly port: number;
  pid(): number;
  /** How the present server process ends. */
  exited(): Promise<ChildExit>;
  /** Freezes the server: connections stay open but get no answers. */
  pause(): void;
  /** Ends a `pause`. */
  resume(): void;
  /** Removes every key of every database. */
  flush(): Promise<void>;
  /** Ends the server like a crash; `start` starts it again on the same port. */
  crash(): Promise<void>;
  /** Starts it again on the same port after `crash`; does nothing while it runs. */
  start(): Promise<void>;
}

export interface RedisOptions {
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /** False keeps nothing on disk. */
  durable?: boolean;
  /** Receives the notices of an installation; default: standard error. */
  announce?: Announce;
  diesWithLauncher?: boolean;
}

const READY_PATIENCE_MS = 30_000;

/**
 * Starts Redis.
 * @throws StackError BINARY_MISSING when redis-server is missing and could not be installed
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const binary = redisBinary(options.announce ?? ((line) => process.stderr.write(`${line}\n`)));
  const password = localSecrets(options.dataDir).redisPassword;
  const begin = (port: number) => launch({ binary, options, port, password });
  const { port, started } = await onPort(options.port, begin);
  let current = started;
  const url = `redis://:${password}@127.0.0.1:${port}`;
  return {
    name: 'redis',
    url,
    port,
    pid: () => current.pid,
    exited: () => current.exited,
    pause: () => void current.process.kill('SIGSTOP'),
    resume: () => void current.process.kill('SIGCONT'),
    flush: () => flushAll(url),
    crash: () => current.stop('SIGKILL'),
    async start() {
      if (!current.isRunning()) current = await begin(port);
    },
    stop: once(async () => {
      current.process.kill('SIGCONT');
      await current.stop();
    }),
  };
}

interface Launch {
  binary: string;
  options: RedisOptions;
  port: number;
  password: string;
}

async function launch({ binary, options, port, password }: Launch): Promise<Child> {
  const directory = join(options.dataDir, 'redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const configFile = join(directory, 'redis.conf');
  writeFileSync(configFile, settings({ directory, port, password, durable: options.durable !== false }), {
    mode: 0o600,
  });
  const child = await startChild({
    dataDir: options.dataDir,
    name: 'redis',
    command: binary,
    args: [configFile],
    ...(options.diesWithLauncher === undefined ? {} : { diesWithLauncher: options.diesWithLauncher }),
  });
  const ready = await waitUntil(async () => !child.isRunning() || (await answers(port, password)), {
    timeoutMs: READY_PATIENCE_MS,
  });
  if (ready && child.isRunning()) return child;
  await child.stop();
  const tail = logTail(options.dataDir, 'redis');
  throw new StackError('START_FAILED', `Redis did not start on port ${port}. Its log ends:\n${tail}`);
}

interface Settings {
  directory: string;
  port: number;
  password: string;
  durable: boolean;
}

function settings({ directory, port, password, durable }: Settings): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(directory)}`,
    `appendonly ${durable ? 'yes' : 'no'}`,
    'save ""',
    // BullMQ must never lose a key to eviction.
    'maxmemory-policy noeviction',
    'daemonize no',
    '',
  ].join('\n');
}

function connect(url: string): Redis {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  return redis;
}

async function answers(port: number, password: string): Promise<boolean> {
  const redis = connect(`redis://:${password}@127.0.0.1:${port}`);
  try {
    await redis.connect();
    return (await redis.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

async function flushAll(url: string): Promise<void> {
  const redis = connect(url);
  try {
    await redis.connect();
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}
