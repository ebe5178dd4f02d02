import type { ErrorEvent } from '@sentry/node';
import { createTransport } from '@sentry/node';
import { expect, test } from 'vitest';
import { filterEvent, startCrashReports } from '../../../src/telemetry/crash-reports.ts';
import { createScrubber } from '../../../src/telemetry/scrub.ts';

const off = [null, '', 'placeholder', 'http://key@127.0.0.1/1', 'https//key@o1.example.com/1'];
test.each(off.map((dsn) => [dsn]))('%j disables the reports', async (dsn) => {
  const reports = await startCrashReports({ dsn, role: 'web' });
  expect(reports.enabled).toBe(false);
  reports.capture(new Error('not sent'));
  await reports.flush(1);
});

test('the filter blanks the three headers, cookies, body and known secrets, and nothing else', () => {
  const event: ErrorEvent = {
    type: undefined,
    message: 'token-value-1 used',
    request: {
      method: 'POST',
      url: 'https://api.example.com/x',
      headers: { Cookie: 'a=b', 'Set-Cookie': 'c=d', AUTHORIZATION: 'zzz', accept: 'text/html' },
      cookies: { a: 'b' },
      data: 'body',
    },
  };
  const filtered = filterEvent(event, createScrubber(['token-value-1']));
  expect(filtered.message).toBe('[redacted] used');
  expect(filtered.request).toEqual({
    method: 'POST',
    url: 'https://api.example.com/x',
    headers: {
      Cookie: '[redacted]',
      'Set-Cookie': '[redacted]',
      AUTHORIZATION: '[redacted]',
      accept: 'text/html',
    },
  });
  expect(event.request?.cookies).toEqual({ a: 'b' });
});

test('a report to an https address has the role and no secret', async () => {
  const sent: string[] = [];
  const reports = await startCrashReports({
    dsn: 'https://key@o1.example.com/1',
    role: 'worker',
    nodeEnv: 'test',
    secrets: ['very-secret-value'],
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        sent.push(typeof body === 'string' ? body : new TextDecoder().decode(body));
        return { statusCode: 200 };
      }),
  });
  expect(reports.enabled).toBe(true);
  reports.capture(new Error('failed with very-secret-value and Bearer abcdefghijk'));
  await reports.flush(5_000);
  const text = sent.join('\n');
  expect(text).toContain('failed with [redacted] and Bearer [redacted]');
  expect(text).toContain('"role":"worker"');
  expect(text).not.toMatch(/very-secret-value|abcdefghijk/);
});
