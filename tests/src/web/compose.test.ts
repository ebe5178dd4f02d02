import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { queueNames } from '../../../src/queues/names.ts';
import { VERSION } from '../../../src/version.ts';
import { seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { startApiHost, useApiHost } from '../../support/http/api-host.ts';
import { createPerson } from '../../support/http/person.ts';
import { createTcpGate } from '../../support/http/tcp-gate.ts';
import { sharedStack } from '../../support/platform/stack.ts';

const host = useApiHost();

describe('signing in', () => {
  test('by the code in the mail, as a native client: the cookie authenticates procedures', async () => {
    const email = `${randomUUID()}@example.org`;
    const anonymous = host.anonymous();
    const since = Date.now() - 1_000;
    const sent = await anonymous.send('POST', '/api/auth/email-otp/send-verification-otp', {
      body: JSON.stringify({ email, type: 'sign-in' }),
    });
    expect(sent.status).toBe(200);
    const mail = await waitForMail(sharedStack().mailDir, { to: email, since });
    const otp = /\b\d{6}\b/.exec(mail.email.text ?? '')?.[0];
    const signedIn = await anonymous.send('POST', '/api/auth/sign-in/email-otp', {
      body: JSON.stringify({ email, otp }),
    });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const person = createPerson(host.url, { id: '', cookie });
    expect((await person.query('users.getMe')).data).toMatchObject({ email, role: 'customer', name: '' });
    expect((await person.mutate('users.updateProfile', { name: 'Ada' })).data.name).toBe('Ada');
    expect((await person.send('GET', '/api/auth/get-session')).body.user.email).toBe(email);
    expect((await person.send('POST', '/api/auth/sign-out')).status).toBe(200);
    expect((await person.query('users.getMe')).status).toBe(401);
  });

  test('a session that is old enough is renewed by the answer of any call', async () => {
    const person = await host.signedIn();
    await host.rows(
      `update session set "expiresAt" = now() + interval '2 days', "updatedAt" = now() - interval '5 days'
      where "userId" = $1`,
      [person.id],
    );
    const answer = await person.query('users.getMe');
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=.*Max-Age=604800/);
  });

  test('rejections of the auth routes outside the auth library have its error format', async () => {
    const tooLarge = await host
      .anonymous()
      .send('POST', '/api/auth/sign-in/email-otp', { body: 'x'.repeat(70_000) });
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.body).toEqual({
      message: expect.any(String),
      code: 'PAYLOAD_TOO_LARGE',
      messageKey: 'errors.payloadTooLarge',
    });
    const unknown = await host.anonymous().send('GET', '/api/auth/admin/list-users');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the routes', () => {
  test('unknown routes are 404 JSON', async () => {
    for (const path of ['/', '/index.html', '/api', '/api/unknown', '/metrics', '/api/property-images/x/y']) {
      const answer = await host.anonymous().send('GET', path);
      expect([answer.status, answer.errorCode]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('unknown procedures are 404 in the error format of procedures', async () => {
    const answer = await host.anonymous().query('users.dropAll');
    expect(answer.status).toBe(404);
    expect(answer.body.error.json.data.code).toBe('NOT_FOUND');
  });

  test('health and readiness are served, also on the ops server', async () => {
    for (const base of [host.url, host.opsUrl]) {
      const health = await fetch(`${base}/healthz`);
      expect([health.status, await health.json()]).toEqual([200, { status: 'ok', version: VERSION }]);
      const ready = await fetch(`${base}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        {
          ready: true,
          checks: {
            database: { ok: true, detail: { canChangeTables: false } },
            migrations: { ok: true },
            kv: { ok: true },
            objects: { ok: true },
            configuration: { ok: true, detail: { matches: true, differingSettings: '' } },
          },
        },
      ]);
    }
    const metrics = await (await fetch(`${host.opsUrl}/metrics`)).text();
    for (const series of [
      `proscenium_build_info{version="${VERSION}",role="web"} 1`,
      'proscenium_check_failing{check="database",role="web"} 0',
      'proscenium_kv_unusable{role="web"} 0',
      'proscenium_mails_total{outcome="not_accepted",role="web"} 0',
      'proscenium_settings_differ{setting="CLAIM_DURABILITY",role="web"} 0',
    ])
      expect(metrics).toContain(series);
    expect(metrics).toMatch(
      /proscenium_http_requests_total\{method="GET",route="\/readyz",status="200",role="web"\} \d/,
    );
  });

  test('a running worker with other settings is reported by their names', async () => {
    await host.rows(
      `insert into role_fingerprints (role, "nodeId", hash, settings, "beatAt")
       values ('worker', 'w', 'other', '{"AI_STAGING_QUALITY": "other"}', now())`,
    );
    const body = await eventually(
      async () => {
        const { body } = await host.anonymous().send('GET', '/readyz');
        return body.checks.configuration.detail.matches ? null : body;
      },
      { what: 'the host to compare its settings' },
    );
    await host.rows(`delete from role_fingerprints where role = 'worker'`);
    expect(body).toMatchObject({
      ready: true,
      checks: { configuration: { detail: { matches: false, differingSettings: 'AI_STAGING_QUALITY' } } },
    });
  });

  test('no log line contains a cookie or a code', async () => {
    const text = JSON.stringify(host.lines);
    expect(text).not.toMatch(/session_token=(?!\[)/);
    expect(host.lines.some(({ msg }) => msg === 'listening')).toBe(true);
  });
});

describe('with the real queues', () => {
  test('submissions, cancellations and reviews add queue entries', async () => {
    const real = await startApiHost({ realQueues: true });
    const redis = new Redis(sharedStack().kvUrl, { maxRetriesPerRequest: null });
    const names = queueNames(real.config.queueSuffix);
    const staging = new Queue(names.staging, { connection: redis });
    const search = new Queue(names.search, { connection: redis });
    try {
      const agent = await real.signedIn();
      const { propertyId, imageId } = await real.listing(agent);
      const submitted = await agent.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: imageId, roomType: 'OFFICE', style: 'LUXURY' }],
      });
      const { aiJobId } = submitted.data.results[0];
      const entry = await eventually(() => staging.getJob(aiJobId), { what: 'the queue entry' });
      expect(entry.data).toEqual({ aiJobId });
      await agent.mutate('ai.cancelStagingJob', { aiJobId });
      await eventually(async () => !(await staging.getJob(aiJobId)), { what: 'the entry to go' });
      const variant = await seedVariant(real.pool, { propertyId, imageId });
      await agent.mutate('ai.approveStagedVariant', { imageId: variant });
      await eventually(() => search.getJob(propertyId), { what: 'the search entry' });
    } finally {
      await staging.obliterate({ force: true });
      await search.obliterate({ force: true });
      await Promise.all([staging.close(), search.close()]);
      redis.disconnect();
      await real.stop();
    }
  });

  test('while the key-value store is away everything but sign-in works, and readiness reports it', async () => {
    const gate = await createTcpGate(sharedStack().kvUrl);
    const real = await startApiHost({ realQueues: true, kvUrl: gate.through(sharedStack().kvUrl) });
    try {
      const agent = await real.signedIn();
      const { propertyId, imageId } = await real.listing(agent);
      const variant = await seedVariant(real.pool, { propertyId, imageId });
      await gate.cut();
      const submitted = await agent.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: imageId, roomType: 'OFFICE', style: 'LUXURY' }],
      });
      expect(submitted.data.results[0].disposition).toBe('ENQUEUED');
      expect((await agent.mutate('ai.approveStagedVariant', { imageId: variant })).status).toBe(200);
      const { aiJobId } = submitted.data.results[0];
      expect((await agent.mutate('ai.cancelStagingJob', { aiJobId })).data.status).toBe('CANCELED');
      const code = await real.anonymous().send('POST', '/api/auth/email-otp/send-verification-otp', {
        body: JSON.stringify({ email: 'a@example.org', type: 'sign-in' }),
      });
      expect([code.status, code.body.code]).toEqual([503, 'RATE_LIMIT_UNAVAILABLE']);
      const ready = await agent.send('GET', '/readyz');
      expect(ready.status).toBe(503);
      expect(ready.body.checks.kv.ok).toBe(false);
      expect(ready.body.checks.database.ok).toBe(true);
      await gate.open();
      await eventually(async () => (await agent.send('GET', '/readyz')).status === 200, {
        what: 'readiness',
      });
    } finally {
      await real.stop();
      await gate.cut();
    }
  });

  test('the host starts, works and stops while the queues are away', async () => {
    const gate = await createTcpGate(sharedStack().kvUrl);
    await gate.cut();
    const real = await startApiHost({ realQueues: true, kvUrl: gate.through(sharedStack().kvUrl) });
    const agent = await real.signedIn();
    const { imageId } = await real.listing(agent);
    const submitted = await agent.mutate('ai.submitRoomStaging', {
      assignments: [{ originalImageId: imageId, roomType: 'OFFICE', style: 'LUXURY' }],
    });
    expect(submitted.data.results[0].disposition).toBe('ENQUEUED');
    await real.stop();
  });
});
