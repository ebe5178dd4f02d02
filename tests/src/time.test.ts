import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemTimers } from '../../src/time.ts';

const NEVER_MS = 2 ** 30;
const timersLeft = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a sleep', () => {
  test('ends by itself and removes its listener', async () => {
    const { signal } = new AbortController();
    await systemTimers.sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends when its signal aborts, and leaves neither timer nor listener', async () => {
    const before = timersLeft();
    const controller = new AbortController();
    const sleeping = systemTimers.sleep(NEVER_MS, controller.signal);
    expect(timersLeft()).toBe(before + 1);
    controller.abort();
    await sleeping;
    expect(timersLeft()).toBe(before);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('does not begin under an aborted signal', async () => {
    const before = timersLeft();
    await systemTimers.sleep(NEVER_MS, AbortSignal.abort());
    expect(timersLeft()).toBe(before);
  });
});
