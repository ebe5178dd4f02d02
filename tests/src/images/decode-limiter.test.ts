import { expect, test } from 'vitest';
import { createDecodeLimiter, decodeWeight } from '../../../src/images/decode-limiter.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A task that is under way until told to end, and notes when it starts. */
function controlled(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const task = async (): Promise<string> => {
    log.push(name);
    await promise;
    return name;
  };
  return { task, end: resolve, fail: reject };
}

test('never more slots in use than there are, and waiters come in order', async () => {
  const limiter = createDecodeLimiter(2);
  const log: string[] = [];
  const tasks = ['a', 'b', 'c', 'd'].map((name) => controlled(log, name));
  const runs = tasks.map(({ task }) => limiter.run(task));
  await turn();
  expect(log).toEqual(['a', 'b']);
  expect(limiter.busy).toBe(2);
  tasks[1]?.end();
  await runs[1];
  await turn();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const { end } of tasks) end();
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'c', 'd']);
  expect(limiter.busy).toBe(0);
});

test('a heavy picture waits for every slot and is not overtaken', async () => {
  const limiter = createDecodeLimiter(2);
  const log: string[] = [];
  const [light, heavy, late] = [controlled(log, 'light'), controlled(log, 'heavy'), controlled(log, 'late')];
  const runs = [limiter.run(light.task), limiter.run(heavy.task, { weight: 9 }), limiter.run(late.task)];
  await turn();
  expect(log).toEqual(['light']);
  light.end();
  await runs[0];
  await turn();
  expect(log).toEqual(['light', 'heavy']);
  heavy.end();
  late.end();
  await Promise.all(runs);
  expect(log).toEqual(['light', 'heavy', 'late']);
});

test('a failed task gives its slot back', async () => {
  const limiter = createDecodeLimiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run(async () => 7)).toBe(7);
});

test('an aborted waiter leaves the queue with its reason and lets the next one in', async () => {
  const limiter = createDecodeLimiter(2);
  const log: string[] = [];
  const [first, heavy, next] = [controlled(log, 'first'), controlled(log, 'heavy'), controlled(log, 'next')];
  const running = limiter.run(first.task);
  const gone = new AbortController();
  const waiting = limiter.run(heavy.task, { weight: 2, signal: gone.signal });
  const behind = limiter.run(next.task);
  gone.abort(new Error('client left'));
  await expect(waiting).rejects.toThrow('client left');
  await turn();
  expect(log).toEqual(['first', 'next']);
  await expect(limiter.run(first.task, { signal: gone.signal })).rejects.toThrow('client left');
  first.end();
  next.end();
  await Promise.all([running, behind]);
  expect(limiter.busy).toBe(0);
});

test('large pictures weigh two slots, AVIF sooner; a limiter without slots is refused', () => {
  expect([16_000_000, 16_000_001].map((pixels) => decodeWeight({ pixels }))).toEqual([1, 2]);
  expect([8_000_000, 8_000_001].map((pixels) => decodeWeight({ pixels, avif: true }))).toEqual([1, 2]);
  expect(() => createDecodeLimiter(0)).toThrow(RangeError);
});
