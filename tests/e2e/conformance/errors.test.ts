import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../clients/typescript/client.ts';
import { nodeTransport } from '../../../clients/typescript/node-transport.ts';
import { memoryStore } from '../../../clients/typescript/session.ts';
import type { Transport } from '../../../clients/typescript/transport.ts';
import { seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';
import { rejection } from '../../support/http/client-under-test.ts';
import { createTcpGate } from '../../support/http/tcp-gate.ts';
import { signedPrediction } from '../../support/worlds/signed-prediction.ts';
import { WAYS, wayOf } from './ways.ts';

/**
 * docs/contract.md#calling, errors: one test a row, over HTTP. The tests of the pipeline and of whole
 * processes prove the effects behind the answers.
 */
const host = useApiHost();

async function agentWithPhoto(on = host) {
  const agent = await on.signedIn();
  return { agent, ...(await on.listing(agent)) };
}
const staging = (originalImageId: string) => ({
  assignments: [{ originalImageId, roomType: 'TV_ROOM', style: 'MODERN' }],
});

/** A client of ours whose requests are counted. */
function countedClient(url: string, cookie: string) {
  const inner = nodeTransport();
  const sent: string[] = [];
  const transport: Transport = {
    send: (request) => {
      sent.push(request.url);
      return inner.send(request);
    },
    close: inner.close,
  };
  const signOuts: string[] = [];
  const client = createClient({
    baseUrl: url,
    transport,
    store: memoryStore(cookie),
    onSignedOut: (reason) => void signOuts.push(reason),
    retries: { attempts: 20, firstDelayMs: 20, longestDelayMs: 100 },
  });
  return { client, sent, signOuts };
}

describe.each(WAYS)('by %s', (way) => {
  test('Procedure failure | body is {error:{json:{...}}}', async () => {
    const { agent } = await agentWithPhoto();
    const client = wayOf(way, host, agent.cookie);
    const inputs = [{ aiJobId: randomUUID() }, { aiJobId: 'x' }, undefined];
    const codes = [];
    for (const input of inputs) codes.push((await client.query('ai.getStagingJob', input)).errorCode);
    expect(codes).toEqual(['NOT_FOUND', 'INVALID_INPUT', 'INVALID_INPUT']);
  });

  test('Submission while the flag is not exactly true | no job is created; the client shows a localized unavailable state and does not spin', async () => {
    for (const flag of ['false', 'TRUE', 'yes', '1']) {
      const off = await startApiHost({ settings: { AI_ROOM_STAGING_ENABLED: flag } });
      try {
        const { agent, imageId } = await agentWithPhoto(off);
        const answer = await wayOf(way, off, agent.cookie).mutate('ai.submitRoomStaging', staging(imageId));
        expect(answer, flag).toMatchObject({
          httpStatus: 412,
          errorCode: 'STAGING_UNAVAILABLE',
          messageKey: 'staging.unavailable',
        });
        expect(await off.rows('select id from ai_jobs'), flag).toEqual([]);
      } finally {
        await off.stop();
      }
    }
  });

  test('Two simultaneous identical submissions | one ENQUEUED, the other EXISTING with the same job id, or both style_exists', async () => {
    const { agent, imageId } = await agentWithPhoto();
    const client = wayOf(way, host, agent.cookie);
    const answers = await Promise.all(
      [1, 2].map(() => client.mutate('ai.submitRoomStaging', staging(imageId))),
    );
    const results = answers.map(({ output }) => output?.results[0]);
    expect(results.map((result) => result?.disposition).toSorted()).toEqual(['ENQUEUED', 'EXISTING']);
    expect(new Set(results.map((result) => result?.aiJobId)).size).toBe(1);
  });

  test('Already-existing variant | disposition style_exists', async () => {
    const { agent, imageId, propertyId } = await agentWithPhoto();
    const stagedImageId = await seedVariant(host.pool, { imageId, propertyId });
    const answer = await wayOf(way, host, agent.cookie).mutate('ai.submitRoomStaging', staging(imageId));
    expect(answer.output.results).toEqual([
      {
        originalImageId: imageId,
        canonicalStyle: 'MODERN',
        roomType: 'LIVING_ROOM',
        aiJobId: null,
        disposition: 'style_exists',
        stagedImageId,
      },
    ]);
  });

  test('Approve by an unrelated agent | authorization or not-found response with no disclosure of existence', async () => {
    const variant = await seedVariant(host.pool, await agentWithPhoto());
    const otherUser = wayOf(way, host, (await host.signedIn()).cookie);
    const [theirs, nobodys] = [
      await otherUser.mutate('ai.approveStagedVariant', { imageId: variant }),
      await otherUser.mutate('ai.approveStagedVariant', { imageId: randomUUID() }),
    ];
    expect(theirs).toMatchObject({ httpStatus: 404, errorCode: 'NOT_FOUND' });
    expect(theirs).toEqual(nobodys);
  });

  test('Duplicate cancel | idempotent; no server error', async () => {
    const { agent, imageId } = await agentWithPhoto();
    const client = wayOf(way, host, agent.cookie);
    const { aiJobId } = (await client.mutate('ai.submitRoomStaging', staging(imageId))).output.results[0];
    const answers = await Promise.all([1, 2, 3].map(() => client.mutate('ai.cancelStagingJob', { aiJobId })));
    answers.push(await client.mutate('ai.cancelStagingJob', { aiJobId }));
    for (const answer of answers)
      expect(answer).toMatchObject({ httpStatus: 200, output: { aiJobId, status: 'CANCELED' } });
  });
});

describe('of a client', () => {
  test('HTTP 401 on any client request | global sign-out', async () => {
    const { client, signOuts } = countedClient(host.url, (await host.signedIn()).cookie.replace(/.$/, ''));
    const errors = await Promise.all([
      rejection(client.users.getMe()),
      rejection(client.images.remove(randomUUID())),
    ]);
    for (const error of errors) expect(error).toMatchObject({ httpStatus: 401 });
    expect(signOuts).toHaveLength(1);
    expect(await client.auth.isSignedIn()).toBe(false);
    client.close();
  });

  test('Server 4xx or 5xx on a client call | not retried; the body carries data', async () => {
    const { agent } = await agentWithPhoto();
    const { client, sent } = countedClient(host.url, agent.cookie);
    const error = await rejection(client.ai.getStagingJob({ aiJobId: randomUUID() }));
    expect(error).toMatchObject({ httpStatus: 404, errorCode: 'NOT_FOUND', messageKey: 'errors.notFound' });
    expect(error).toMatchObject({
      body: { error: { json: { data: { code: 'NOT_FOUND', path: 'ai.getStagingJob' } } } },
    });
    expect(sent).toHaveLength(1);
    client.close();
  });

  test('Server 4xx or 5xx on a client call | not retried: a database that is away', async () => {
    const gate = await createTcpGate((await startProbe()).url);
    const down = await startApiHost({ databaseThrough: gate.through });
    const { cookie } = await down.signedIn();
    const { client, sent, signOuts } = countedClient(down.url, cookie);
    await gate.cut();
    expect(await rejection(client.users.getMe())).toMatchObject({
      httpStatus: 503,
      errorCode: 'SERVICE_UNAVAILABLE',
    });
    expect([sent.length, signOuts]).toEqual([1, []]);
    await gate.open();
    client.close();
    await down.stop();
    await gate.cut();
  });

  test('Network-class transport failure on a client call | retried', async () => {
    const gate = await createTcpGate(host.url);
    const { cookie, id } = await host.signedIn();
    const { client, sent } = countedClient(gate.through(host.url), cookie);
    await client.users.getMe();
    await gate.cut();
    const query = client.users.getMe();
    const mutation = client.users.updateProfile({ name: 'Later' });
    await eventually(() => sent.length >= 5, { what: 'calls that fail' });
    await gate.open();
    expect(await query).toMatchObject({ id });
    expect(await mutation).toMatchObject({ id, name: 'Later' });
    client.close();
    await gate.cut();
  });
});

describe('of the provider', () => {
  const deliver = (attemptId: string, given: ReturnType<typeof signedPrediction>) =>
    fetch(`${host.url}/api/webhooks/provider/staging/${attemptId}`, {
      method: 'POST',
      redirect: 'manual',
      ...given,
    });

  test('Unsigned or invalid webhook | HTTP 401 with an application response', async () => {
    const signed = signedPrediction({ id: 'p1', status: 'succeeded' }, Date.now());
    const { 'webhook-signature': _signature, ...unsigned } = signed.headers;
    const invalid = { ...signed.headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
    for (const headers of [unsigned, invalid]) {
      const answer = await deliver(randomUUID(), { ...signed, headers: headers as typeof signed.headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'WEBHOOK_SIGNATURE_INVALID' } });
    }
  });

  test('Unknown provider values outside the provider schema | rejected by the shared contract', async () => {
    const { jobId } = await seedStagingJob(host.pool, { job: { status: 'PROCESSING', phase: 'ATTEMPT' } });
    const attemptId = randomUUID();
    await host.pool.query(
      `insert into ai_provider_attempts (id, "aiJobId", "attemptNumber", status, "sentAt", "sendTries") values ($1, $2, 1, 'SENT', now(), 1)`,
      [attemptId, jobId],
    );
    for (const body of [
      { id: 'p1', status: 'exploded' },
      { id: 'p1' },
      { status: 'succeeded' },
      { id: 7, status: 'succeeded' },
    ]) {
      const answer = await deliver(attemptId, signedPrediction(body, Date.now()));
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: { code: 'WEBHOOK_BODY_INVALID' } },
      ]);
    }
    const [attempt] = await host.rows(
      'select status, "providerStatus" from ai_provider_attempts where id = $1',
      [attemptId],
    );
    expect(attempt).toEqual({ status: 'SENT', providerStatus: null });
  });

  test('Provider-attempt cap | a logical job never has more than two attempt rows', async () => {
    const { agent, imageId, propertyId } = await agentWithPhoto();
    const original = { imageId, propertyId, objectKey: 'o', providerInputKey: 'i' };
    const { jobId } = await seedStagingJob(host.pool, {
      original,
      job: { status: 'FAILED', phase: null, errorCode: 'PROVIDER_FAILED' },
    });
    const insert = (attemptNumber: number) =>
      host.pool.query(
        `insert into ai_provider_attempts ("aiJobId", "attemptNumber", status, "sendTries") values ($1, $2, 'FAILED', 1)`,
        [jobId, attemptNumber],
      );
    for (const number of [1, 2]) await insert(number);
    for (const number of [0, 2, 3]) await expect(insert(number)).rejects.toThrow(/ai_provider_attempts/);
    for (const way of WAYS) {
      const job = await wayOf(way, host, agent.cookie).query('ai.getStagingJob', { aiJobId: jobId });
      expect(
        job.output.attempts.map(({ attemptNumber }: { attemptNumber: number }) => attemptNumber),
      ).toEqual([1, 2]);
    }
  });
});

// The rows "PATCH of isMain true on a staged image" and "DELETE of a staged image" are in property-image-routes.test.ts.

test('PATCH of isMain true on a staged image | the database constraint also refuses', async () => {
  const variant = await seedVariant(host.pool, await agentWithPhoto());
  const update = host.pool.query('update property_images set "isMain" = true where id = $1', [variant]);
  await expect(update).rejects.toThrow('property_images_staged_cannot_be_main_check');
});

/** The run's database server, for a gate of its own. */
async function startProbe(): Promise<{ url: string }> {
  const { sharedStack } = await import('../../support/platform/stack.ts');
  return { url: sharedStack().databaseUrl };
}
