import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal, seedStagingJob } from '../../support/database/seed.ts';
import { journalOf } from '../../support/database/store-database.ts';
import { type ApiHost, startApiHost, WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { connectRaw, statusLine } from '../../support/http/raw-client.ts';
import { createTcpGate, type TcpGate } from '../../support/http/tcp-gate.ts';
import { sharedStack } from '../../support/platform/stack.ts';

let host: ApiHost;
let gate: TcpGate;
/** A whole second, so that the edges of the window are exact. */
const now = Date.UTC(2026, 10, 21);
beforeAll(async () => {
  gate = await createTcpGate(sharedStack().databaseUrl);
  host = await startApiHost({
    overrides: { clock: { now: () => now } },
    databaseThrough: gate.through,
  });
});
afterAll(async () => {
  await host.stop();
  await gate.cut();
});

const KEY = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
interface CallInput {
  id?: string;
  at?: number;
  signature?: string;
  slash?: string;
  method?: string;
}
function call(attemptId: string, body: string | Buffer, given: CallInput = {}) {
  const { id = `msg_${randomUUID()}`, at = now, slash = '', method = 'POST' } = given;
  const timestamp = String(Math.floor(at / 1000));
  const signed = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return host.anonymous().send(method, `/api/webhooks/provider/staging/${attemptId}${slash}`, {
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': given.signature ?? `v1,${signed}`,
    },
  });
}
const prediction = (overrides: Record<string, unknown> = {}) =>
  JSON.stringify({ id: `p${randomUUID().replaceAll('-', '')}`, status: 'succeeded', ...overrides });

async function attempt(columns: Record<string, unknown> = {}): Promise<string> {
  const { jobId } = await seedStagingJob(host.pool, {
    original: await seedOriginal(host.pool),
    job: { status: 'PROCESSING', phase: 'ATTEMPT' },
  });
  const all = {
    aiJobId: jobId,
    attemptNumber: 1,
    status: 'SENT',
    sentAt: new Date(),
    sendTries: 1,
    ...columns,
  };
  const [row] = await host.rows<{ id: string }>(
    `insert into ai_provider_attempts (${Object.keys(all)
      .map((name) => `"${name}"`)
      .join(', ')}) values (${Object.keys(all).map((_, i) => `$${i + 1}`)}) returning id`,
    Object.values(all),
  );
  return row?.id ?? '';
}
const receipts = (attemptId: string) =>
  host.rows<Record<string, unknown>>(
    'select * from ai_provider_webhook_receipts where "providerAttemptId" = $1 order by "receivedAt"',
    [attemptId],
  );
const state = async (attemptId: string) => {
  const [row] = await host.rows(
    'select status, "providerPredictionId" from ai_provider_attempts where id = $1',
    [attemptId],
  );
  return row;
};

describe('a signed callback', () => {
  test.each(['', '/'])('is applied and receipted in one transaction (path ending in "%s")', async (slash) => {
    const attemptId = await attempt();
    const answer = await call(
      attemptId,
      prediction({ id: `pred${slash.length}`, input: { x: 1 }, extra: [] }),
      {
        id: `msg_one${slash.length}`,
        slash,
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"received":true}');
    expect(await state(attemptId)).toEqual({
      status: 'RUNNING',
      providerPredictionId: `pred${slash.length}`,
    });
    expect(await receipts(attemptId)).toMatchObject([
      {
        webhookId: `msg_one${slash.length}`,
        providerPredictionId: `pred${slash.length}`,
        providerStatus: 'succeeded',
        receivedAt: new Date(now),
        outcome: 'APPLIED',
      },
    ]);
    expect(await journalOf(host.pool, 'providerAttempt', attemptId)).toMatchObject([
      { eventType: 'CALLBACK_RECEIVED', actedBy: 'provider', at: new Date(now) },
    ]);
  });

  test('that cannot be recorded fails alone among others of the same moment', async () => {
    const attempts: string[] = [];
    while (attempts.length < 24) attempts.push(await attempt());
    const [broken = ''] = attempts.splice(11, 1);
    await host.rows(`create function break_one() returns trigger language plpgsql as $$
      begin if new.id = '${broken}' then raise exception 'no'; end if; return new; end $$`);
    await host.rows(`create trigger break_one before update on ai_provider_attempts
      for each row execute function break_one()`);
    const [failed, ...answers] = await Promise.all([broken, ...attempts].map((id) => call(id, prediction())));
    await host.rows('drop function break_one cascade');
    expect(failed?.status).toBe(500);
    expect(answers.map(({ status }) => status)).toEqual(attempts.map(() => 200));
    expect(await receipts(broken)).toEqual([]);
    expect(await state(broken)).toMatchObject({ status: 'SENT' });
    for (const id of attempts) {
      expect(await receipts(id)).toMatchObject([{ outcome: 'APPLIED' }]);
      expect(await state(id)).toMatchObject({ status: 'RUNNING' });
    }
  });

  test('with a repeated id is answered and changes nothing, even many times at once', async () => {
    const attemptId = await attempt();
    const id = `msg_${randomUUID()}`;
    const body = prediction();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(attemptId, body, { id })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await call(attemptId, body, { id })).text).toBe('{"received":true}');
    expect(await receipts(attemptId)).toHaveLength(1);
    expect(await journalOf(host.pool, 'providerAttempt', attemptId)).toHaveLength(1);
  });

  test('with a repeated id and other content still changes nothing', async () => {
    const attemptId = await attempt();
    const id = `msg_${randomUUID()}`;
    await call(attemptId, prediction({ id: 'first-news' }), { id });
    expect((await call(attemptId, prediction({ id: 'other-news' }), { id })).status).toBe(200);
    const rows = await host.rows(
      'select "strayPredictionId", version from ai_provider_attempts where id = $1',
      [attemptId],
    );
    expect(rows).toEqual([{ strayPredictionId: null, version: 1 }]);
    expect(await receipts(attemptId)).toMatchObject([
      { providerPredictionId: 'first-news', outcome: 'APPLIED' },
    ]);
  });

  test('that fails after all retries of the transaction is 503, so that it is sent again', async () => {
    const attemptId = await attempt();
    await host.rows(`create function lose_race() returns trigger language plpgsql as $$
      begin raise exception 'race lost' using errcode = 'serialization_failure'; end $$`);
    await host.rows(`create trigger lose_race before insert on ai_provider_webhook_receipts
      for each row execute function lose_race()`);
    const answer = await call(attemptId, prediction());
    await host.rows('drop function lose_race cascade');
    expect([answer.status, answer.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await state(attemptId)).toMatchObject({ status: 'SENT' });
  });

  test('whose event cannot be recorded leaves no receipt either, and is applied when it is sent again', async () => {
    const attemptId = await attempt();
    const id = `msg_${randomUUID()}`;
    const body = prediction();
    await host.rows(`create function fail_after_receipt() returns trigger language plpgsql as $$
      begin raise exception 'no'; end $$`);
    await host.rows(`create trigger fail_after_receipt before update on ai_provider_attempts
      for each row execute function fail_after_receipt()`);
    const failed = await call(attemptId, body, { id });
    await host.rows('drop function fail_after_receipt cascade');
    expect([failed.status, failed.errorCode]).toEqual([500, 'INTERNAL_ERROR']);
    expect(failed.text).not.toMatch(/exception|fail_after/);
    expect(await receipts(attemptId)).toEqual([]);
    expect((await call(attemptId, body, { id })).status).toBe(200);
    expect(await state(attemptId)).toMatchObject({ status: 'RUNNING' });
  });

  test('for a final attempt is receipted as ignored', async () => {
    const attemptId = await attempt({
      status: 'SUCCEEDED',
      providerPredictionId: 'known',
      objectKey: 'staged/known.jpg',
    });
    expect((await call(attemptId, prediction({ id: 'known' }))).status).toBe(200);
    expect(await receipts(attemptId)).toMatchObject([{ outcome: 'IGNORED' }]);
    expect(await journalOf(host.pool, 'providerAttempt', attemptId)).toEqual([]);
  });

  test('for an unknown attempt is 404; the receipt stays', async () => {
    const unknown = randomUUID();
    const answer = await call(unknown, prediction());
    expect([answer.status, answer.errorCode]).toEqual([404, 'UNKNOWN_ATTEMPT']);
    expect(await receipts(unknown)).toMatchObject([{ outcome: 'UNKNOWN_ATTEMPT' }]);
    expect((await call('not-an-id', prediction())).status).toBe(404);
  });

  test('with NUL or an unpaired surrogate in unused text is accepted', async () => {
    const attemptId = await attempt();
    const answer = await call(
      attemptId,
      prediction({ error: 'a\u0000b', logs: '\u0000', input: { prompt: '\ud800' } }),
    );
    expect(answer.status).toBe(200);
  });

  test.each([
    ['not JSON', '{"id":'],
    ['not an object', '[]'],
    ['without a status', '{"id":"p"}'],
    ['with an unknown status', prediction({ status: 'exploded' })],
    ['with NUL in its id', prediction({ id: 'p\u0000' })],
    ['with a lone surrogate in its id', prediction({ id: 'p\ud800' })],
    ['with a huge id', prediction({ id: 'p'.repeat(201) })],
    ['empty', ''],
  ])('whose body is %s is 400 and leaves no receipt', async (_, body) => {
    const attemptId = await attempt();
    const answer = await call(attemptId, body);
    expect([answer.status, answer.errorCode]).toEqual([400, 'WEBHOOK_BODY_INVALID']);
    expect(await receipts(attemptId)).toEqual([]);
    expect(await state(attemptId)).toMatchObject({ status: 'SENT' });
  });

  test('whose id is too long for an index is 400', async () => {
    const attemptId = await attempt();
    expect((await call(attemptId, prediction(), { id: 'm'.repeat(3000) })).status).toBe(400);
  });

  test('of at most 1 MiB is read; one byte more is 413 before the signature is checked', async () => {
    const attemptId = await attempt();
    const frame = prediction({ id: 'big', logs: '' });
    const body = (size: number) => prediction({ id: 'big', logs: 'x'.repeat(size - frame.length) });
    const tooLarge = await call(attemptId, body(1024 * 1024 + 1), { signature: 'v1,no' });
    expect([tooLarge.status, tooLarge.errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await call(attemptId, body(1024 * 1024))).status).toBe(200);
  });
});

describe('rejected with 401 JSON before the database is used', () => {
  const cases: [string, CallInput][] = [
    ['a forged signature', { signature: `v1,${Buffer.alloc(32).toString('base64')}` }],
    ['an empty signature', { signature: '' }],
    ['a signature of another scheme', { signature: 'v1a,abc' }],
    ['a timestamp 301 s old', { at: now - 301_000 }],
    ['a timestamp 301 s ahead', { at: now + 301_000 }],
  ];
  test.each(cases)('%s', async (_, given) => {
    const attemptId = await attempt();
    const answer = await call(attemptId, prediction(), given);
    expect([answer.status, answer.errorCode]).toEqual([401, 'WEBHOOK_SIGNATURE_INVALID']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await receipts(attemptId)).toEqual([]);
    expect(await state(attemptId)).toMatchObject({ status: 'SENT' });
  });

  test('no headers at all, on both spellings of the path, and on garbage', async () => {
    for (const path of [`/${randomUUID()}`, `/${randomUUID()}/`, '/garbage']) {
      const answer = await host
        .anonymous()
        .send('POST', `/api/webhooks/provider/staging${path}`, { body: 'x' });
      expect(answer.status).toBe(401);
    }
  });

  test('a body with one changed byte', async () => {
    const attemptId = await attempt();
    const id = 'msg_changed';
    const timestamp = String(Math.floor(now / 1000));
    const signature = createHmac('sha256', KEY)
      .update(`${id}.${timestamp}.${prediction({ id: 'a' })}`)
      .digest('base64');
    const answer = await call(attemptId, prediction({ id: 'b' }), { id, signature: `v1,${signature}` });
    expect(answer.status).toBe(401);
  });
});

describe('decisions before the body has arrived', () => {
  const path = `/api/webhooks/provider/staging/${randomUUID()}`;
  const fresh = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
  };
  const { 'webhook-signature': _, ...unsigned } = fresh;
  test.each([
    ['no headers: 401', 100, {}, 401],
    ['no signature, and too large: 401', 1024 * 1024 + 1, unsigned, 401],
    ['a stale time, and too large: 401', 1024 * 1024 + 1, { ...fresh, 'webhook-timestamp': '1' }, 401],
    ['good headers, and too large: 413', 1024 * 1024 + 1, fresh, 413],
  ])('%s', async (_name, length, headers, status) => {
    const connection = await connectRaw(Number(new URL(host.url).port));
    const lines = Object.entries({ host: 'x', 'content-length': length, ...headers });
    const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    connection.send(`POST ${path} HTTP/1.1\r\n${text}\r\n`);
    expect(statusLine(await connection.until(/\}\}$/))).toMatch(`HTTP/1.1 ${status} `);
  });
});

test('other methods are 405 with the allowed method', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await host.anonymous().send(method, `/api/webhooks/provider/staging/${randomUUID()}`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  }
});

test('while the database is away an unsigned callback is 401 and a signed one 503; sent again it is applied', async () => {
  const attemptId = await attempt();
  const id = `msg_${randomUUID()}`;
  const body = prediction();
  await gate.cut();
  try {
    const unsigned = await host
      .anonymous()
      .send('POST', `/api/webhooks/provider/staging/${attemptId}`, { body });
    expect(unsigned.status).toBe(401);
    for (let times = 0; times < 3; times += 1) {
      const away = await call(attemptId, body, { id });
      expect([away.status, away.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
  } finally {
    await gate.open();
  }
  expect((await call(attemptId, body, { id })).status).toBe(200);
  expect(await receipts(attemptId)).toMatchObject([{ outcome: 'APPLIED' }]);
});
