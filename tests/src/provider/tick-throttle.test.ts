import { describe, expect, test } from 'vitest';
import { createTickThrottle } from '../../../src/provider/tick-throttle.ts';

/** Ticks that the test performs itself, and the tasks that run in each. */
function byHand(perTick: number) {
  const asked: (() => void)[] = [];
  const throttle = createTickThrottle(perTick, (work) => asked.push(work));
  const gone: number[] = [];
  return {
    gone,
    asked,
    come: (number: number) => void throttle.take().then(() => gone.push(number)),
    async settle() {
      for (let step = 0; step < 5; step += 1) await Promise.resolve();
      return [...gone];
    },
    async turn() {
      asked.splice(0).forEach((work) => {
        work();
      });
      return this.settle();
    },
  };
}

describe('the tick throttle', () => {
  test('runs a few tasks at once and the rest in the following ticks, in order', async () => {
    const hand = byHand(2);
    for (const number of [1, 2, 3, 4, 5]) hand.come(number);
    expect(await hand.settle()).toEqual([1, 2]);
    expect(await hand.turn()).toEqual([1, 2, 3, 4]);
    hand.come(6);
    expect(await hand.settle()).toEqual([1, 2, 3, 4]);
    expect(await hand.turn()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('runs a task that comes late in a tick after the earlier ones', async () => {
    const hand = byHand(1);
    hand.come(1);
    hand.come(2);
    expect(await hand.turn()).toEqual([1, 2]);
    hand.come(3);
    hand.come(4);
    expect(await hand.settle()).toEqual([1, 2]);
    expect(await hand.turn()).toEqual([1, 2, 3]);
    expect(await hand.turn()).toEqual([1, 2, 3, 4]);
  });

  test('requests no tick when no task waits', async () => {
    const hand = byHand(2);
    hand.come(1);
    await hand.turn();
    expect(hand.asked).toHaveLength(0);
    hand.come(2);
    expect(await hand.settle()).toEqual([1, 2]);
  });
});
