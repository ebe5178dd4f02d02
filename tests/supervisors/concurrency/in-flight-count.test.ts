import { expect, test } from 'vitest';
import { InFlightCount } from '../../../supervisors/concurrency/in-flight-count.ts';

test('waiters are let go when the count falls below what each waits for, and at once when it is there', async () => {
  const count = new InFlightCount();
  const passed: number[] = [];
  const wait = (limit: number) => count.below(limit).then(() => passed.push(limit));
  await wait(1);
  for (let times = 0; times < 3; times += 1) count.add();
  const waits = [wait(1), wait(3), wait(2)];
  await count.below(4);
  expect(passed).toEqual([1]);
  count.drop();
  await waits[1];
  expect(passed).toEqual([1, 3]);
  count.drop();
  await waits[2];
  expect(passed).toEqual([1, 3, 2]);
  count.drop();
  await waits[0];
  expect(passed).toEqual([1, 3, 2, 1]);
});

test('who enters leaves once, however often they say so', async () => {
  const count = new InFlightCount();
  const [leave, stay] = [count.enter(), count.enter()];
  leave();
  leave();
  await count.below(2);
  let empty = false;
  const emptied = count.below(1).then(() => {
    empty = true;
  });
  await Promise.resolve();
  expect(empty).toBe(false);
  stay();
  await emptied;
});
