import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import {
  changeSettings,
  finishPrediction,
  ledgerOf,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import { signWebhook } from '../../../ops/simulator/webhook-signature.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type Person, signIn } from '../../support/platform/agent.ts';
import {
  attemptReaches,
  createListing,
  roomPhoto,
  submit,
  uploadRoom,
} from '../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce, readyz } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

/**
 * While the database is unavailable the API answers SERVICE_UNAVAILABLE, callbacks get 503 so that the
 * provider repeats them, jobs wait, and nothing is bought twice. The server belongs to this file.
 */
const dataDir = temporaryDirectory();
let server: PostgresServer;
let platform: TestPlatform;
let agent: Person;
let propertyId: string;
let seed = 0;

beforeAll(async () => {
  server = await startPostgres({ dataDir });
  await migrate(server.url);
  platform = await startTestPlatform({ databaseUrl: server.url, webs: 2 });
  await changeSettings(platform.provider.baseUrl, {
    pictures: 'plain',
    webhookRetryDelaysMs: Array(20).fill(500),
  });
  agent = await signIn(platform);
  propertyId = await createListing(agent);
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await server.stop();
  discardCluster(dataDir);
});

const newJob = async () => {
  seed += 1;
  return (await submit(agent, await uploadRoom(agent, propertyId, seed))).aiJobId;
};
const newJobs = (count: number) => Promise.all(Array.from({ length: count }, newJob));
const hold = () => changeSettings(platform.provider.baseUrl, { hold: true });
const release = () => releaseHeld(platform.provider.baseUrl);
let isDown = false;
/** A crash of the server; it stays away until `restartServer`. */
const crashServer = async () => {
  isDown = true;
  process.kill(server.pid(), 'SIGQUIT');
  await server.exited();
};
const restartServer = async () => {
  await server.restart();
  isDown = false;
};
// A failed try may have left the server down and the predictions held.
afterEach(async () => {
  if (isDown) await restartServer();
  await release();
});
const backInService = () =>
  eventually(async () => (await agent.query('users.getMe')).status === 200, { what: 'the API to recover' });

/** No internal error text may appear in the answer. */
function expectNoInsides({ body, headers }: Answer): void {
  expect(headers.get('content-type')).toContain('application/json');
  expect(JSON.stringify(body)).not.toMatch(/\bat \S+ \(|node_modules|\.ts:|ECONN|terminat|postgres|SELECT/i);
}

describe('the server is down', () => {
  let running: string[];

  test('every API call is answered SERVICE_UNAVAILABLE and works again afterwards', async () => {
    await hold();
    running = await newJobs(3);
    for (const jobId of running) await attemptReaches(platform, jobId, 'RUNNING');
    const photo = await roomPhoto();
    await crashServer();
    const refused = {
      getMe: agent.query('users.getMe'),
      listMine: agent.query('properties.listMine', {}),
      submit: agent.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: randomUUID(), roomType: 'LIVING_ROOM', style: 'MODERN' }],
      }),
      cancel: agent.mutate('ai.cancelStagingJob', { aiJobId: running[0] }),
      upload: agent.upload(propertyId, photo),
      makeMain: agent.request('PATCH', `/api/property-images/${randomUUID()}`, { body: '{"isMain":true}' }),
      remove: agent.request('DELETE', `/api/property-images/${randomUUID()}`),
      session: agent.request('GET', '/api/auth/get-session'),
      sendCode: agent.request('POST', '/api/auth/email-otp/send-verification-otp', {
        body: JSON.stringify({ email: `${randomUUID()}@example.org`, type: 'sign-in' }),
      }),
      signIn: agent.request('POST', '/api/auth/sign-in/email-otp', {
        body: JSON.stringify({ email: `${randomUUID()}@example.org`, otp: '123456' }),
      }),
      signOut: agent.request('POST', '/api/auth/sign-out', { body: '{}' }),
    };
    const seen: Record<string, unknown> = {};
    for (const [name, answering] of Object.entries(refused)) {
      const answer = await answering;
      expectNoInsides(answer);
      seen[name] = [answer.status, answer.errorCode ?? answer.body.error?.code ?? answer.body.code];
    }
    expect(seen).toEqual(
      Object.fromEntries(Object.keys(refused).map((name) => [name, [503, 'SERVICE_UNAVAILABLE']])),
    );
    expect(await readyz(platform.urls[0] ?? '')).toMatchObject({
      status: 503,
      ready: false,
      checks: { database: { ok: false }, kv: { ok: true } },
    });
    await restartServer();
    await backInService();
    expect((await readyz(platform.urls[0] ?? '')).ready).toBe(true);
    expect(platform.roles.every((role) => role.isRunning())).toBe(true);
    await release();
    await finishBoughtOnce(platform, running);
    await expectWholeJournals(platform, running);
  });

  test('a callback is answered 503, and its repeat is applied once', async () => {
    await hold();
    const [jobId, other] = [await newJob(), await newJob()];
    const attempt = await attemptReaches(platform, jobId, 'RUNNING');
    const ended = await attemptReaches(platform, other, 'RUNNING');
    const body = JSON.stringify({ id: attempt.providerPredictionId, status: 'processing', output: null });
    const delivery = {
      id: `msg_${randomUUID()}`,
      timestamp: Math.floor(Date.now() / 1000),
      body: Buffer.from(body),
    };
    const callBack = async () => {
      const response = await fetch(`${platform.urls[0]}/api/webhooks/provider/staging/${attempt.id}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': delivery.id,
          'webhook-timestamp': String(delivery.timestamp),
          'webhook-signature': signWebhook(platform.provider.webhookSecret, delivery),
        },
        body,
      });
      return [response.status, (await response.json()) as unknown];
    };
    await crashServer();
    expect(await callBack()).toEqual([
      503,
      { error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String), messageKey: expect.any(String) } },
    ]);
    // The provider's own callback for another prediction also arrives now.
    await finishPrediction(platform.provider.baseUrl, ended.providerPredictionId ?? '', {
      status: 'succeeded',
    });
    await restartServer();
    await backInService();
    expect(await callBack()).toEqual([200, { received: true }]);
    expect(await callBack()).toEqual([200, { received: true }]);
    expect(
      await platform.rows('select outcome from ai_provider_webhook_receipts where "webhookId" = $1', [
        delivery.id,
      ]),
    ).toEqual([{ outcome: 'APPLIED' }]);
    await release();
    await finishBoughtOnce(platform, [jobId, other]);
    const answers = await eventually(
      async () => {
        const tries = (await ledgerOf(platform.provider.baseUrl)).filter(
          (entry) => entry.kind === 'webhook' && entry.attemptId === ended.id,
        );
        return tries.some((entry) => 'final' in entry && entry.final) ? tries : false;
      },
      { what: 'the provider to get through' },
    );
    expect(answers[0]).toMatchObject({ httpStatus: 503 });
    expect(answers.at(-1)).toMatchObject({ httpStatus: 200, final: true });
  });
});

test('an immediate restart while jobs run: all finish, bought once, with no other API error', async () => {
  const jobs = await newJobs(6);
  let restarted = false;
  const restart = server.restart('immediate').finally(() => {
    restarted = true;
  });
  const statuses = new Set<number>();
  while (!restarted) {
    const answer = await agent.query('users.getMe');
    statuses.add(answer.status);
    if (answer.status !== 200) {
      expect(answer).toMatchObject({ status: 503, errorCode: 'SERVICE_UNAVAILABLE' });
      expectNoInsides(answer);
    }
  }
  await restart;
  await backInService();
  expect([...statuses]).toContain(503);
  await finishBoughtOnce(platform, jobs);
  await expectWholeJournals(platform, jobs);
});

test('all backends are terminated repeatedly during ten jobs: all finish, bought once', async () => {
  const killer = new pg.Client({ connectionString: server.url });
  await killer.connect();
  let killed = 0;
  try {
    const jobs = await newJobs(10);
    await eventually(
      async () => {
        const { rowCount } = await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name like 'proscenium-%' and pid <> pg_backend_pid()`,
        );
        killed += rowCount ?? 0;
        return killed >= 60;
      },
      { what: 'sixty backends to be terminated', intervalMs: 300, timeoutMs: 30_000 },
    );
    await finishBoughtOnce(platform, jobs);
    await expectWholeJournals(platform, jobs);
    expect(platform.roles.every((role) => role.isRunning())).toBe(true);
  } finally {
    await killer.end();
  }
});
