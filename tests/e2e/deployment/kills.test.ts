import { randomUUID } from 'node:crypto';
import { setInterval } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { changeSettings } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { STEADY } from '../../support/platform/staging-world.ts';
import { type Haproxy, haproxy, haproxyMissing, startHaproxy } from './haproxy.ts';

/**
 * Two webs and two workers behind HAProxy, while one of each is killed again and again. Only requests that a killed web
 * had in hand fail, and the same call again, with its Idempotency-Key, does nothing twice.
 * `PROXY_KILLS=10 PROXY_KILL_EVERY=20` kills more, with more time between two kills.
 */
const KILLS = Number(process.env.PROXY_KILLS ?? 3);
const KILL_EVERY_MS = 1_000 * Number(process.env.PROXY_KILL_EVERY ?? 6);
const READERS = 4;
const WRITERS = 4;
const ROOMS = 6;

interface Kill {
  web: number;
  /** Before the signal, and after the end of the process was seen. */
  at: number;
  over: number;
}
interface Failure {
  what: string;
  /** 0: the connection was closed without an answer. */
  status: number;
  at: number;
  over: number;
}

let platform: TestPlatform;
let proxy: Haproxy;
let agent: Person;
let propertyId: string;
/** On a connection of its own a call always gets an answer; on a kept one HAProxy closes it instead. */
const clients = {
  fresh: new Agent({ connections: 32, pipelining: 0 }),
  kept: new Agent({ connections: 32 }),
};
const failures: Failure[] = [];
let answered = 0;

describe.skipIf('missing' in haproxy)(`behind HAProxy${haproxyMissing}`, () => {
  beforeEach(async () => {
    failures.length = 0;
    answered = 0;
    platform = await startTestPlatform({ webs: 2, workers: 0 });
    await changeSettings(platform.provider.baseUrl, { pictures: 'plain' });
    const [first = 0, second = 0] = platform.urls.map((url) => Number(new URL(url).port));
    proxy = await startHaproxy(first, second);
    const workers = await Promise.all([1, 2].map(startWorker));
    await Promise.all(workers.map(({ ready }) => ready));
    agent = await signIn({ urls: [address()], mailDir: platform.mailDir });
    propertyId = await createListing(agent);
  }, 120_000);
  afterEach(async () => {
    await proxy?.stop();
    await platform?.stop();
  }, 60_000);
  afterAll(async () => {
    for (const client of Object.values(clients)) await client.close();
  });

  test(
    `a web and a worker are killed ${KILLS} times: only requests in hand fail, and nothing is done twice`,
    async () => {
      const rooms = await Promise.all(
        Array.from({ length: ROOMS }, (_, seed) => uploadRoom(agent, propertyId, seed)),
      );
      const over = new AbortController();
      const traffic = Promise.all([
        ...Array.from({ length: READERS }, () => read(over.signal)),
        ...Array.from({ length: WRITERS }, () => write(over.signal)),
        stage(rooms, over.signal),
      ]);
      const kills = await killInTurn();
      over.abort();
      const [homes, staged] = summed(await traffic);

      expectEachInHand(kills);
      expect(answered).toBeGreaterThan(100 * KILLS);
      const kept = await platform.rows<{ address: string }>(
        'select address from properties where id <> $1 order by address',
        [propertyId],
      );
      expect(kept.map((row) => row.address)).toEqual(homes.toSorted());
      await everyJobOver();
      const jobs = await platform.rows<{ id: string; status: string; code: string | null }>(
        'select id, status::text, "errorCode" as code from ai_jobs order by id',
      );
      expect(jobs.map(({ id }) => id)).toEqual(staged.toSorted());
      const bought = await platform.purchases();
      expect([...bought.values()].filter((purchases) => purchases.length > 1)).toEqual([]);
      for (const { status, code } of jobs)
        expect(['SUCCESS', 'PROCESSING']).toContain(`${status} ${code ?? ''}`.trim());
      expect(bought.size).toBeGreaterThan(0);
    },
    KILLS * (KILL_EVERY_MS + 60_000) + 240_000,
  );

  test('limits count by client: one that is over its limit does not keep another out, on either host', async () => {
    const limits = { REQUEST_LIMIT_PER_MINUTE_IP: '20' };
    const webs = await Promise.all([0, 1].map((web) => restarted(web, limits)));
    await Promise.all(webs.map(({ ready }) => ready));
    await bothServe();
    const from = (localAddress: string) => new Agent({ localAddress });
    const [greedy, modest] = [from('127.0.0.2'), from('127.0.0.3')];
    const ask = async (dispatcher: Agent, forged: string) => {
      const headers = { 'x-forwarded-for': forged };
      const answer = await request(`${address()}/api/trpc/search.getFilterCatalog`, { dispatcher, headers });
      await answer.body.dump();
      return answer.statusCode;
    };
    try {
      await eventually(async () => (await ask(greedy, `10.0.0.${Math.floor(Math.random() * 256)}`)) === 429, {
        what: 'the limit of the first client',
        intervalMs: 0,
      });
      for (let nth = 0; nth < 10; nth += 1) expect(await ask(modest, '127.0.0.2')).toBe(200);
    } finally {
      await greedy.close();
      await modest.close();
    }
  });
});

const address = () => `http://127.0.0.1:${proxy.port}`;
// Callbacks of the provider come through the proxy, too.
const startWorker = () => platform.startWorker({ ...STEADY, PROVIDER_WEBHOOK_BASE_URL: address() });
const running = (role: string) =>
  platform.roles.filter((one) => one.name.startsWith(role) && one.isRunning());

async function restarted(web: number, variables = {}): Promise<RoleProcess> {
  const port = new URL(platform.urls[web] ?? '').port;
  for (const role of running('web')) if (new URL(await role.ready).port === port) await role.stop('SIGKILL');
  return platform.startWeb(variables, web);
}

/** Until the proxy has found both hosts ready. */
const bothServe = () =>
  eventually(
    async () => {
      const down = [1, 2].filter((nth) => {
        const said = proxy.lines.filter((line) => line.includes(`Server api/web-${nth} is `));
        return said.at(-1)?.includes('is DOWN') ?? false;
      });
      return down.length === 0;
    },
    { what: 'the proxy to see both hosts', timeoutMs: 30_000 },
  );

/** SIGKILL for one web and one worker at each interval, the other web the next time; each starts again at once. */
async function killInTurn(): Promise<Kill[]> {
  const kills: Kill[] = [];
  for await (const _ of setInterval(KILL_EVERY_MS)) {
    const web = kills.length % 2;
    const [worker] = running('worker');
    const at = Date.now();
    const [next] = await Promise.all([restartedAfter(web, kills, at), worker?.stop('SIGKILL')]);
    const other = await startWorker();
    await Promise.all([next.ready, other.ready]);
    await bothServe();
    if (kills.length === KILLS) return kills;
  }
  return kills;
}

async function restartedAfter(web: number, kills: Kill[], at: number): Promise<RoleProcess> {
  const port = new URL(platform.urls[web] ?? '').port;
  const urls = await Promise.all(running('web').map(async (role) => ({ role, url: await role.ready })));
  await urls.find(({ url }) => new URL(url).port === port)?.role.stop('SIGKILL');
  kills.push({ web, at, over: Date.now() });
  return platform.startWeb({}, web);
}

interface Call {
  input?: unknown;
  /** Makes it a change. */
  key?: string;
  by?: keyof typeof clients;
}

/** One call; its failure is kept. @returns the body of an answer, null when the call failed */
async function call(procedure: string, { input, key, by = 'fresh' }: Call = {}) {
  const json = JSON.stringify({ json: input ?? null });
  const query = key === undefined && input !== undefined ? `?input=${encodeURIComponent(json)}` : '';
  const at = Date.now();
  const failed = (status: number) => failures.push({ what: procedure, status, at, over: Date.now() });
  try {
    const answer = await request(`${address()}/api/trpc/${procedure}${query}`, {
      dispatcher: clients[by],
      method: key === undefined ? 'GET' : 'POST',
      headers: {
        cookie: agent.cookie,
        ...(key === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      body: key === undefined ? null : json,
    });
    const body = JSON.parse(await answer.body.text());
    if (answer.statusCode === 200) answered += 1;
    else if (answer.statusCode !== 409) failed(answer.statusCode);
    return { status: answer.statusCode, body };
  } catch {
    failed(0);
    return null;
  }
}

/** The same call with the same key, until it is answered. */
function insist(procedure: string, input: unknown) {
  const key = randomUUID();
  return eventually(
    async () => {
      const answer = await call(procedure, { input, key });
      if (answer?.status === 200) return answer.body.result.data.json;
      if (answer !== null && answer.status < 500 && answer.status !== 409)
        throw new Error(`${procedure}: ${answer.status}`);
      // The first try died with its web: its lease on the key is over after three minutes, here at once.
      await platform.rows(
        `update idempotency_keys set "expiresAt" = now() - interval '1 s' where key = $1 and answer is null`,
        [key],
      );
      return false;
    },
    { what: procedure, timeoutMs: 60_000 },
  );
}

interface Done {
  homes: string[];
  jobs: string[];
}

async function read(over: AbortSignal): Promise<Done> {
  while (!over.aborted) {
    await call('users.getMe', { by: 'kept' });
    await call('search.list', { input: { filters: {} } });
  }
  return { homes: [], jobs: [] };
}

async function write(over: AbortSignal): Promise<Done> {
  const homes: string[] = [];
  while (!over.aborted) {
    const home = { listPrice: 250_000, address: `${randomUUID()} Street`, city: 'Springfield' };
    await insist('properties.create', home);
    homes.push(home.address);
  }
  return { homes, jobs: [] };
}

async function stage(rooms: readonly string[], over: AbortSignal): Promise<Done> {
  const jobs: string[] = [];
  const orders = rooms.flatMap((originalImageId) =>
    CANONICAL_STYLES.map((style) => ({ originalImageId, style })),
  );
  for (const order of orders) {
    if (over.aborted) break;
    const assignments = [{ ...order, roomType: 'LIVING_ROOM' }];
    const { results } = await insist('ai.submitRoomStaging', { assignments });
    jobs.push(results[0].aiJobId);
    await eventually(async () => over.aborted || (await openJobs()) < 2, { what: 'room for another job' });
  }
  return { homes: [], jobs };
}

const summed = (done: readonly Done[]): [string[], string[]] => [
  done.flatMap(({ homes }) => homes),
  done.flatMap(({ jobs }) => jobs),
];

const openJobs = async () =>
  (await platform.rows(`select 1 from ai_jobs where status not in ('SUCCESS', 'FAILED', 'CANCELED')`)).length;
/** All but those whose worker was killed between claim and POST: that nothing was bought is sure after fifteen minutes. */
const everyJobOver = () =>
  eventually(
    async () => {
      const open = await platform.rows<{ unconfirmed: string | null }>(
        `select a.id as unconfirmed from ai_jobs j
         left join ai_provider_attempts a on a."aiJobId" = j.id and a.status = 'UNCONFIRMED'
         where j.status not in ('SUCCESS', 'FAILED', 'CANCELED')`,
      );
      const bought = await platform.purchases();
      return open.every(({ unconfirmed }) => unconfirmed !== null && !bought.has(unconfirmed));
    },
    { what: 'the end of every job', timeoutMs: 180_000 },
  );

const LOGGED =
  /^(\d+)\/(\w{3})\/(\d{4}):([\d:.]+) \S+ \S+ (\S+) (\d{3}) api\/web-(\d) \S+ retries=\S+ ms=(\d+)/;

/** Each failure that a client saw was under way at a kill; each answered one at the very host that was killed. */
function expectEachInHand(kills: readonly Kill[]): void {
  const inHand = ({ at, over, web }: { at: number; over: number; web?: number }) =>
    kills.some((kill) => (web === undefined || kill.web === web) && at <= kill.over && over >= kill.at);
  expect(failures.filter((failure) => !inHand(failure))).toEqual([]);
  const logged = proxy.lines.flatMap((line) => {
    const [, day, month, year, time, path, status, host, ms] = LOGGED.exec(line) ?? [];
    if (Number(status ?? 0) < 500) return [];
    const at = Date.parse(`${day} ${month} ${year} ${time} UTC`);
    const what = path?.split('/').at(-1);
    const byClient = path?.startsWith('/api/trpc/') ?? false;
    return [{ byClient, what, status: Number(status), at, over: at + Number(ms), web: Number(host) - 1 }];
  });
  expect(logged.filter((failure) => !inHand(failure))).toEqual([]);
  const answers = failures.filter(({ status }) => status !== 0);
  // The others are callbacks, which the provider sends again.
  const asked = logged.filter(({ byClient }) => byClient);
  expect(asked.map(({ what, status }) => `${what} ${status}`).toSorted()).toEqual(
    answers.map(({ what, status }) => `${what} ${status}`).toSorted(),
  );
}
