import { describe, expect, test } from 'vitest';
import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  DEFAULT_THROTTLE_WAIT_MS,
  MAX_THROTTLE_WAIT_MS,
  MAX_THROTTLED_SENDS,
  MIN_THROTTLE_WAIT_MS,
} from '../../machines/limits.ts';
import { sendWait } from '../../machines/provider-attempt-model.ts';

describe('the wait before the same attempt is sent again', () => {
  const waitOf = (
    errorCode: AttemptErrorCode,
    { sendTries = 1, throttledSends = 0, retryAfterMs = null as number | null, jitter = 0 } = {},
  ) => sendWait({ sendTries, throttledSends }, { errorCode, retryAfterMs, jitter });

  test('unreachable: waits of 1, 4 and 16 seconds, then no retry', () => {
    const waits = [1, 2, 3, 4].map((sendTries) => waitOf('PROVIDER_UNREACHABLE', { sendTries }));
    expect(waits).toEqual([1_000, 4_000, 16_000, null]);
  });

  test('unreachable: throttled sends in between use up no try', () => {
    expect(waitOf('PROVIDER_UNREACHABLE', { sendTries: 12, throttledSends: 10 })).toBe(4_000);
    expect(waitOf('PROVIDER_UNREACHABLE', { sendTries: 14, throttledSends: 10 })).toBeNull();
  });

  test('throttled: the wait that the provider names, within bounds, else ten seconds', () => {
    expect(waitOf('PROVIDER_THROTTLED', { retryAfterMs: 2_500 })).toBe(2_500);
    expect(waitOf('PROVIDER_THROTTLED')).toBe(DEFAULT_THROTTLE_WAIT_MS);
    expect(waitOf('PROVIDER_THROTTLED', { retryAfterMs: 0 })).toBe(MIN_THROTTLE_WAIT_MS);
    expect(waitOf('PROVIDER_THROTTLED', { retryAfterMs: 9_999_999 })).toBe(MAX_THROTTLE_WAIT_MS);
  });

  test('throttled: the wait doubles up to the longest wait, then no retry', () => {
    const waits = Array.from({ length: MAX_THROTTLED_SENDS }, (_, throttledSends) =>
      waitOf('PROVIDER_THROTTLED', { sendTries: throttledSends + 1, throttledSends, retryAfterMs: 0 }),
    );
    const grown = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1_000);
    const longest = Array.from({ length: MAX_THROTTLED_SENDS - 10 }, () => MAX_THROTTLE_WAIT_MS);
    expect(waits).toEqual([...grown, ...longest, null]);
  });

  test('throttled: jitter never makes a wait longer than the longest', () => {
    const throttledSends = MAX_THROTTLED_SENDS - 2;
    expect(waitOf('PROVIDER_THROTTLED', { throttledSends, jitter: 0.999 })).toBe(MAX_THROTTLE_WAIT_MS);
  });

  test('throttled: unreachable sends use up no try', () => {
    expect(waitOf('PROVIDER_THROTTLED', { sendTries: 23, throttledSends: 0, retryAfterMs: 2_500 })).toBe(
      2_500,
    );
  });

  test('jitter adds up to a fifth', () => {
    expect(waitOf('PROVIDER_UNREACHABLE', { jitter: 0.999 })).toBe(1_200);
  });

  test('any other failure is not retried', () => {
    expect(waitOf('PROVIDER_BILLING')).toBeNull();
  });
});
