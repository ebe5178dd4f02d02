import { createTransport, type ErrorEvent } from '@sentry/core';
import { expect, test } from 'vitest';
import { type CrashReportOptions, startCrashReports } from '../../../src/telemetry/crash-reports.ts';
import { filterEvent } from '../../../src/telemetry/report-filter.ts';
import { createScrubber } from '../../../src/telemetry/scrub.ts';
import { VERSION } from '../../../src/version.ts';

const off = [null, '', 'placeholder', 'http://key@127.0.0.1/1', 'https//key@o1.example.com/1'];
test.each(off.map((dsn) => [dsn]))('%j disables the reports', async (dsn) => {
  const reports = await startCrashReports({ dsn, role: 'web' });
  expect([reports.enabled, reports.spans]).toEqual([false, null]);
  expect(reports.capture(new Error('not sent'))).toBeNull();
  await reports.close(1);
});

test('the filter lets through what is listed, and nothing of a person', () => {
  const event = {
    type: undefined,
    message: 'token-value-1 of someone.real@example.com at https://api.example.com/x?q=home#me',
    release: '1',
    tags: { route: '/x/:id' },
    request: {
      method: 'POST',
      url: 'https://api.example.com/x?q=home',
      query_string: 'q=home',
      headers: {
        Cookie: 'a=b',
        'Set-Cookie': 'c=d',
        AUTHORIZATION: 'zzz',
        referer: 'https://x.example/?q=1',
      },
      cookies: { a: 'b' },
      data: 'body',
      env: { REMOTE_ADDR: '192.0.2.1' },
    },
    user: { ip_address: '192.0.2.1' },
    breadcrumbs: [{ message: 'clicked' }],
    extra: { body: 'text' },
    modules: { react: '1' },
  } satisfies ErrorEvent;
  expect(filterEvent(event, createScrubber(['token-value-1']))).toEqual({
    message: '[redacted] of [redacted] at https://api.example.com/x?[redacted]',
    release: '1',
    tags: { route: '/x/:id' },
    request: {
      method: 'POST',
      headers: { Cookie: '[redacted]', 'Set-Cookie': '[redacted]', AUTHORIZATION: '[redacted]' },
    },
    sdkProcessingMetadata: undefined,
  });
  expect(event.request.cookies).toEqual({ a: 'b' });
});

/** The SDK over a transport that keeps what it would send. */
async function openReports(options: { traceSampleRate?: number; monotonicMs?: () => number } = {}) {
  const sent: string[] = [];
  const transport: NonNullable<CrashReportOptions['transport']> = (given) =>
    createTransport(given, async ({ body }) => {
      sent.push(typeof body === 'string' ? body : new TextDecoder().decode(body));
      return { statusCode: 200 };
    });
  const dsn = 'https://key@o1.example.com/1';
  const secrets = ['very-secret-value'];
  const reports = await startCrashReports({
    dsn,
    role: 'web',
    nodeEnv: 'test',
    secrets,
    transport,
    ...options,
  });
  const text = async () => {
    await reports.close(5_000);
    return sent.join('\n');
  };
  return { reports, text };
}

test('a report has role, release, route and request id, and no secret', async () => {
  const { reports, text } = await openReports();
  const error = new Error('failed with very-secret-value and Bearer abcdefghijk');
  const headers = new Map([
    ['cookie', 'session=abc'],
    ['user-agent', 'a-browser'],
  ]);
  const id = reports.capture(error, { requestId: 'request-1', method: 'GET', route: '/homes/:id', headers });
  const sent = await text();
  const event = JSON.parse(sent.split('\n').find((line) => line.includes('"exception"')) ?? '');
  expect(event).toMatchObject({
    event_id: id,
    release: VERSION,
    environment: 'test',
    transaction: 'GET /homes/:id',
    tags: { role: 'web', request_id: 'request-1', method: 'GET', route: '/homes/:id' },
    request: { method: 'GET', headers: { cookie: '[redacted]' } },
    exception: { values: [{ value: 'failed with [redacted] and Bearer [redacted]' }] },
  });
  expect(sent).not.toMatch(/very-secret-value|abcdefghijk|session=abc|a-browser/);
});

test('a trace has the parts that were named, and a failure only where one was', async () => {
  const { reports, text } = await openReports({ traceSampleRate: 1 });
  const { spans } = reports;
  if (spans === null) throw new Error('Reports are off');
  const request = { name: 'GET /homes/:id', kind: 'server', within: 'nothing' } as const;
  await spans.run({ ...request, attributes: { 'http.route': '/homes/:id', 'rpc.method': null } }, () =>
    spans.run({ name: 'read rows', within: 'around' }, async () => 1),
  );
  const answer = new Error('an answer, no failure');
  const refused = spans.run({ ...request, name: 'GET /refused', isFailure: () => false }, async () => {
    throw answer;
  });
  await expect(refused).rejects.toBe(answer);
  const failed = spans.run({ ...request, name: 'GET /failed' }, async () => {
    throw answer;
  });
  await expect(failed).rejects.toBe(answer);
  const sent = (await text()).split('\n').filter((line) => line.startsWith('{"version"'));
  const items: { name: string; status: string; parent_span_id?: string }[] = sent.flatMap(
    (line) => JSON.parse(line).items,
  );
  expect(
    items.map(({ name, status, parent_span_id: parent }) => [name, status, parent !== undefined]),
  ).toEqual([
    ['read rows', 'ok', true],
    ['GET /homes/:id', 'ok', false],
    ['GET /refused', 'ok', false],
    ['GET /failed', 'error', false],
  ]);
});

test('one trace in ten is sent', async () => {
  const { reports, text } = await openReports();
  // That none of so many is among the tenth happens once in ten billion runs.
  for (let trace = 0; trace < 220; trace += 1)
    await reports.spans?.run({ name: 'GET /homes/:id', kind: 'server', within: 'nothing' }, async () => {});
  const shares = (await text()).match(/"sample_rate":"[^"]*"/g) ?? [];
  expect(new Set(shares)).toEqual(new Set(['"sample_rate":"0.1"']));
  expect(shares.length).toBeLessThan(110);
});

test('a process sends at most 60 reports a minute', async () => {
  let now = 0;
  const { reports, text } = await openReports({ monotonicMs: () => now });
  for (let fault = 0; fault < 70; fault += 1) reports.capture(new Error(`fault ${fault} before`));
  now = 60_000;
  reports.capture(new Error('fault after'));
  const sent = await text();
  expect(sent.match(/fault \d+ before/g)).toHaveLength(60);
  expect(sent).toContain('fault after');
});

test.each([
  ['no separators', 'a'.repeat(300_000)],
  ['many addresses without a query', 'http://a'.repeat(40_000)],
  ['many signs', '@a'.repeat(150_000)],
])('the filter takes a long text with %s, and still finds what follows', (_, long) => {
  const { message } = filterEvent<ErrorEvent>(
    { type: undefined, message: `${long} one@example.com` },
    (text) => text,
  );
  expect(message?.endsWith(' [redacted]')).toBe(true);
});
