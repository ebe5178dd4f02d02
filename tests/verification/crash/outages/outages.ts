import type { Redis } from 'ioredis';
import { eventually } from '../../../support/eventually.ts';
import { decoderPids } from '../../../support/pictures/decoders.ts';
import { onWeb } from '../../../support/platform/agent.ts';
import { uploadRoom } from '../../../support/platform/listing.ts';
import { signaled } from '../fault-controller.ts';
import type { Outage } from '../run-plan.ts';
import { beside, type CrashWorld, insist } from '../run-world.ts';
import type { StorageFault } from './storage-faults.ts';

/** The outages of the servers, one after the other. Each is over when its function returns. */
export const OUTAGE_DEEDS: Record<Outage, (world: CrashWorld) => Promise<void>> = {
  'back ends terminated': terminateBackEnds,
  'postgres immediate restart': ({ postgres }) => postgres.restart('immediate'),
  flush: flushWithJobsWaiting,
  'redis killed': killRedis,
  'storage unavailable': stormy('unavailable', 6),
  'storage denied': stormy('denied', 2),
  'storage slow': stormy('slow', 10),
  'put acknowledged and lost': stormy('put acknowledged and lost', 2),
  async 'delete acknowledged and lost'(world) {
    const { staging } = world;
    const doomed = await eventually(() => uploadRoom(world.anybody(), staging.propertyId), {
      what: 'a room to be uploaded',
    });
    await Promise.all([
      stormy('delete acknowledged and lost', 1)(world),
      insist(world, (person) => person.request('DELETE', `/api/property-images/${doomed}`)),
    ]);
  },
  async 'provider killed'({ staging }) {
    await staging.platform.provider.crash();
    await staging.platform.provider.start();
  },
  'web killed': (world) => replaceWeb(world, 0, 'SIGKILL'),
  async 'web and worker restarted'(world) {
    const [worker] = world.slots;
    await Promise.all([replaceWeb(world, 1, 'SIGTERM'), worker?.process().stop()]);
  },
};

/** Long enough for every reconnect and sweep to fail more than once. */
const REFUSAL_MS = 7_000;
const LATE_MS = 2_000;

/** Further outages, of servers that are there and refuse, and of a process that stands still. */
export const REFUSALS = {
  'redis full': refusing(
    (kv) => kv.config('SET', 'maxmemory', '1'),
    (kv) => kv.config('SET', 'maxmemory', '0'),
  ),
  'redis read-only': refusing(
    (kv) => kv.replicaof('127.0.0.1', '9'),
    (kv) => kv.replicaof('NO', 'ONE'),
  ),
  async 'redis late'({ staging: { kv } }) {
    for (const _ of [1, 2, 3]) {
      await kv.client('PAUSE', LATE_MS);
      // It answers what has waited before it is late again.
      await kv.ping();
    }
  },
  async 'decoder stopped'(world) {
    const { slots, staging } = world;
    const done = `select from ai_jobs where type = 'ROOM_STAGING' and status = 'SUCCESS'`;
    await eventually(async () => (await staging.platform.rows(done)).length > 0, {
      what: 'a decoder that has worked',
    });
    for (const slot of slots) for (const pid of decoderPids(slot.process().pid)) signaled(pid, 'SIGSTOP');
    const lost = /"event":"decoder_lost".*"reason":"time"/;
    const noticed = () => staging.platform.lines.some((line) => lost.test(line));
    beside(world, 'the loss of a decoder', eventually(noticed, { what: 'a decoder that is lost' }));
  },
} satisfies Record<string, (world: CrashWorld) => Promise<void>>;

function refusing(
  leave: (kv: Redis) => Promise<unknown>,
  comeBack: (kv: Redis) => Promise<unknown>,
): (world: CrashWorld) => Promise<void> {
  return async ({ staging: { kv } }) => {
    await leave(kv);
    const leftAt = Date.now();
    await eventually(() => Date.now() - leftAt > REFUSAL_MS, { what: 'the refusals to have lasted' });
    await comeBack(kv);
  };
}

/** Waits for so many affected requests, or for the end of the run. */
function stormy(storageFaults: StorageFault, requests: number): (world: CrashWorld) => Promise<void> {
  return async (world) => {
    world.storageFaults.change(storageFaults);
    try {
      await eventually(() => world.storageFaults.met() >= requests, {
        what: `${requests} requests to meet a store that is ${storageFaults}`,
      });
    } finally {
      world.storageFaults.change('fair');
    }
  };
}

async function terminateBackEnds({ staging }: CrashWorld): Promise<void> {
  let ended = 0;
  await eventually(
    async () => {
      const rows = await staging.platform.rows<{ ended: number }>(
        `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
          where application_name like 'proscenium-%' and pid <> pg_backend_pid()`,
      );
      ended += rows[0]?.ended ?? 0;
      return ended >= 40;
    },
    { what: 'forty back ends to be terminated', intervalMs: 200 },
  );
}

/** The queue loses all waiting entries; the sweep must enqueue them again. */
async function flushWithJobsWaiting(world: CrashWorld): Promise<void> {
  const { staging, redis, witnessed } = world;
  const waiting = async () =>
    (
      await staging.platform.rows<{ id: string }>(
        `select id from ai_jobs where status = 'PENDING' and phase = 'QUEUED' and "createdAt" < now()`,
      )
    ).map(({ id }) => id);
  await staging.queue.pause();
  await eventually(async () => (await waiting()).length >= 3, { what: 'three jobs to wait' });
  const forgotten = await waiting();
  // The queue's pause is lost, too.
  await redis.flush();
  beside(
    world,
    'the sweep after the flush',
    eventually(
      async () => {
        const rows = await staging.platform.rows(
          `select from ai_jobs where id = any($1) and status = 'PENDING' and "quarantinedAt" is null`,
          [forgotten],
        );
        if (rows.length === 0) witnessed['sweep re-delivering after FLUSHALL'] += forgotten.length;
        return rows.length === 0;
      },
      { what: 'the forgotten jobs to start', timeoutMs: 180_000, intervalMs: 200 },
    ),
  );
}

/** Redis is killed, and a web starts while it is down. */
async function killRedis(world: CrashWorld): Promise<void> {
  await world.redis.crash();
  await replaceWeb(world, 1, 'SIGKILL');
  await world.redis.start();
}

/** A web ends and its successor takes its address. */
async function replaceWeb({ staging }: CrashWorld, web: number, signal: NodeJS.Signals): Promise<void> {
  const { platform, agent } = staging;
  const port = new URL(platform.urls[web] ?? '').port;
  for (const role of platform.roles.filter(({ name }) => name.startsWith('web')))
    if (role.isRunning() && new URL(await role.ready).port === port) await role.stop(signal);
  await (await platform.startWeb({}, web)).ready;
  await eventually(async () => (await onWeb(platform, agent, web).query('users.getMe')).status === 200, {
    what: 'the web to serve again',
  });
}
