import { expect, test } from 'vitest';
import { Tally } from '../../../supervisors/concurrency/tally.ts';

test('waiters are let go when the count falls below what each waits for, and at once when it is there', async () => {
  const tally = new Tally();
  const passed: number[] = [];
  const wait = (limit: number) => tally.below(limit).then(() => passed.push(limit));
  await wait(1);
  for (let times = 0; times < 3; times += 1) tally.add();
  const waits = [wait(1), wait(3), wait(2)];
  await tally.below(4);
  expect(passed).toEqual([1]);
  tally.drop();
  await waits[1];
  expect(passed).toEqual([1, 3]);
  tally.drop();
  await waits[2];
  expect(passed).toEqual([1, 3, 2]);
  tally.drop();
  await waits[0];
  expect(passed).toEqual([1, 3, 2, 1]);
});

test('who enters leaves once, however often they say so', async () => {
  const tally = new Tally();
  const [leave, stay] = [tally.enter(), tally.enter()];
  leave();
  leave();
  await tally.below(2);
  let empty = false;
  const emptied = tally.below(1).then(() => {
    empty = true;
  });
  await Promise.resolve();
  expect(empty).toBe(false);
  stay();
  await emptied;
});
