import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Child, startChild } from '../../../ops/dev/stack/child.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { redisBinary } from '../../../ops/dev/stack/redis-binary.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/** Two servers, and three sentinels that choose the primary. */
export interface WatchedRedis {
  /** KV_URL: the sentinels. */
  readonly kvUrl: string;
  /** The primary and the other one, as the sentinels see them now. */
  servers(): Promise<{ primary: RedisServer; replica: RedisServer }>;
  /** Lets nothing more reach the replica: what the primary takes from now on exists there alone. */
  cutOff(replica: RedisServer): Promise<void>;
  /** Until this server is the primary. */
  promoted(server: RedisServer): Promise<void>;
  /** Until the other server follows the primary again. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'kv';
/** Long enough that a loaded machine does not lose its primary by mistake. */
const DOWN_AFTER_MS = 3_000;

export async function startWatchedRedis(): Promise<WatchedRedis> {
  const dirs = [temporaryDirectory(), temporaryDirectory()] as const;
  const first = await startRedis({ dataDir: dirs[0], durable: false });
  // One password for both.
  copyFileSync(join(dirs[0], 'secrets.json'), join(dirs[1], 'secrets.json'));
  const second = await startRedis({ dataDir: dirs[1], durable: false });
  const { password } = new URL(first.url);
  const both = [first, second];
  for (const server of both) await asked(server.url, (redis) => redis.config('SET', 'masterauth', password));
  await asked(second.url, (redis) => redis.replicaof('127.0.0.1', first.port));
  await followed(first);
  const sentinels = await Promise.all(
    [1, 2, 3].map((nth) => startSentinel(nth, { primary: first, password })),
  );
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`);
  const primaryPort = () =>
    asked(`redis://${hosts[0]}`, async (redis) => {
      const address = (await redis.call('SENTINEL', 'get-master-addr-by-name', NAME)) as [string, string];
      return Number(address[1]);
    });
  const servers = async () => {
    const port = await primaryPort();
    const [primary, replica] = port === first.port ? [first, second] : [second, first];
    return { primary, replica };
  };
  const watched: WatchedRedis = {
    kvUrl: `redis-sentinel://:${password}@${hosts.join(',')}/${NAME}`,
    servers,
    async cutOff(replica) {
      await asked(replica.url, (redis) => redis.config('SET', 'masterauth', 'another'));
      const { primary } = await servers();
      await asked(primary.url, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'));
    },
    promoted: async (server) => {
      await eventually(
        async () => (await primaryPort()) === server.port && (await roleOf(server)) === 'master',
        {
          what: 'the promotion',
        },
      );
    },
    async whole() {
      for (const server of both)
        await asked(server.url, (redis) => redis.config('SET', 'masterauth', password));
      await followed((await servers()).primary);
    },
    async stop() {
      for (const { child } of sentinels) await child.stop();
      for (const server of both) await server.stop();
    },
  };
  await eventually(async () => (await sentinelsKnow(hosts)).every((known) => known), {
    what: 'the sentinels to know each other and the replica',
  });
  return watched;
}

async function startSentinel(
  nth: number,
  { primary, password }: { primary: RedisServer; password: string },
): Promise<{ port: number; child: Child }> {
  const dataDir = temporaryDirectory();
  const port = await freePort();
  const file = join(dataDir, 'sentinel.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${JSON.stringify(dataDir)}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 2`,
    `sentinel auth-pass ${NAME} ${password}`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 10000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const command = redisBinary((line) => process.stderr.write(`${line}\n`));
  const child = await startChild({ dataDir, name: `sentinel-${nth}`, command, args: [file, '--sentinel'] });
  return { port, child };
}

/** For each sentinel: whether it could order a failover. */
function sentinelsKnow(hosts: readonly string[]): Promise<boolean[]> {
  return Promise.all(
    hosts.map((host) =>
      asked(`redis://${host}`, async (redis) => {
        const [others, replicas] = (await Promise.all([
          redis.call('SENTINEL', 'sentinels', NAME),
          redis.call('SENTINEL', 'replicas', NAME),
        ])) as [unknown[], unknown[]];
        return others.length === hosts.length - 1 && replicas.length === 1;
      }),
    ),
  );
}

const followed = (primary: RedisServer) =>
  eventually(
    async () => /state=online/.test(await asked(primary.url, (redis) => redis.info('replication'))),
    { what: 'the replica to follow', timeoutMs: 60_000 },
  );

const roleOf = (server: RedisServer) => asked(server.url, async (redis) => (await redis.role())[0] as string);

async function asked<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    commandTimeout: 2_000,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
