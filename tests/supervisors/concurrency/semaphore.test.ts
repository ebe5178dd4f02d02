import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import { createRandom } from '../../support/random.ts';

/** One semaphore, and the jobs that it admitted, in order. */
function openGate() {
  const gate = new Semaphore();
  const inside = new Map<string, () => void>();
  const admitted: string[] = [];
  const gone: string[] = [];
  return {
    inside,
    admitted,
    gone,
    /** A job whose name begins with `alone` needs exclusive access. */
    async come(name: string, signal = new AbortController().signal): Promise<void> {
      await gate.take({ alone: name.startsWith('alone'), signal }).then(
        (leave) => {
          admitted.push(name);
          inside.set(name, leave);
        },
        (reason) => {
          expect(reason).toBe(signal.reason);
          gone.push(name);
        },
      );
    },
    leave(name: string): void {
      inside.get(name)?.();
      inside.delete(name);
    },
  };
}
/** Waits until every job that can be admitted is inside. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore without a bound', () => {
  test('admits all jobs that share it at once', async () => {
    const { come, inside } = openGate();
    for (let n = 0; n < 50; n += 1) void come(`shared ${n}`);
    await settled();
    expect(inside.size).toBe(50);
  });

  test('admits an exclusive job after the last other job has left, and no other job beside it', async () => {
    const { come, leave, inside } = openGate();
    for (const name of ['shared 1', 'shared 2', 'alone']) void come(name);
    await settled();
    expect([...inside.keys()]).toEqual(['shared 1', 'shared 2']);
    leave('shared 1');
    await settled();
    expect([...inside.keys()]).toEqual(['shared 2']);
    leave('shared 2');
    for (const name of ['shared 3', 'alone too']) void come(name);
    await settled();
    expect([...inside.keys()]).toEqual(['alone']);
    leave('alone');
    await settled();
    expect([...inside.keys()]).toEqual(['shared 3']);
    leave('shared 3');
    await settled();
    expect([...inside.keys()]).toEqual(['alone too']);
  });

  test('admits in order: later jobs never overtake a waiting exclusive job', async () => {
    const { come, leave, inside, admitted } = openGate();
    void come('shared 0');
    void come('alone');
    for (let n = 1; n <= 20; n += 1) void come(`shared ${n}`);
    await settled();
    expect(admitted).toEqual(['shared 0']);
    leave('shared 0');
    await settled();
    expect(admitted).toEqual(['shared 0', 'alone']);
    leave('alone');
    await settled();
    expect(admitted.slice(2)).toEqual(Array.from({ length: 20 }, (_, n) => `shared ${n + 1}`));
    expect(inside.size).toBe(20);
  });

  test('removes a waiter that gives up, and admits those behind it', async () => {
    const { come, leave, inside, gone } = openGate();
    const [suspect, other] = [new AbortController(), new AbortController()];
    void come('shared 1');
    void come('alone', suspect.signal);
    void come('shared 2', other.signal);
    void come('shared 3');
    other.abort();
    await settled();
    expect([gone, [...inside.keys()]]).toEqual([['shared 2'], ['shared 1']]);
    suspect.abort();
    await settled();
    expect([gone, [...inside.keys()]]).toEqual([
      ['shared 2', 'alone'],
      ['shared 1', 'shared 3'],
    ]);
    leave('shared 1');
    leave('shared 3');
    await come('alone after all');
    expect([...inside.keys()]).toEqual(['alone after all']);
  });

  test('does not admit a caller whose signal is already aborted, even when there is room', async () => {
    const { come, inside, gone } = openGate();
    await come('shared', AbortSignal.abort());
    await come('alone', AbortSignal.abort());
    expect([gone, inside.size]).toEqual([['shared', 'alone'], 0]);
    await come('alone 2');
    expect(inside.size).toBe(1);
  });

  test('keeps the place of a caller whose signal aborts inside, and leaves no listener on the signal', async () => {
    const { come, leave, inside } = openGate();
    const work = new AbortController();
    void come('alone');
    void come('alone 2', work.signal);
    await settled();
    leave('alone');
    await settled();
    expect(getEventListeners(work.signal, 'abort')).toEqual([]);
    void come('shared');
    work.abort();
    await settled();
    expect([...inside.keys()]).toEqual(['alone 2']);
  });

  test('counts a second call of leave only once', async () => {
    const gate = new Semaphore();
    const { signal } = new AbortController();
    const [first] = [await gate.take({ alone: false, signal }), await gate.take({ alone: false, signal })];
    first?.();
    first?.();
    let entered = false;
    void gate.take({ alone: true, signal }).then(() => {
      entered = true;
    });
    await settled();
    expect(entered).toBe(false);
  });
});

test('of a thousand random jobs, none runs beside an exclusive one and every one is served', async () => {
  const random = createRandom(11, 'gate of local work');
  const { come, leave, inside, admitted, gone } = openGate();
  const signals = new Map<string, AbortController>();
  const pick = (names: Iterable<string>) => {
    const all = [...names];
    return all[random.between(0, all.length - 1)];
  };
  for (let n = 0; n < 1_000; n += 1) {
    const name = `${random.between(1, 4) === 1 ? 'alone' : 'shared'} ${n}`;
    const patience = new AbortController();
    signals.set(name, patience);
    void come(name, patience.signal);
    if (random.between(1, 10) === 1) signals.get(pick(signals.keys()) ?? '')?.abort();
    if (random.between(1, 10) > 1) leave(pick(inside.keys()) ?? '');
    await settled();
    const alone = [...inside.keys()].filter((one) => one.startsWith('alone')).length;
    expect(alone === 0 || inside.size === 1).toBe(true);
  }
  for (let rounds = 0; admitted.length + gone.length < 1_000; rounds += 1) {
    expect(rounds).toBeLessThan(1_000);
    for (const name of [...inside.keys()]) leave(name);
    await settled();
  }
  const numbers = admitted.map((name) => Number(name.split(' ')[1]));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(gone.length).toBeGreaterThan(10);
});

test('a waiter is released when the count falls below its threshold, or at once if it is already below', async () => {
  const count = new Semaphore();
  const passed: number[] = [];
  const wait = (limit: number) => count.below(limit).then(() => passed.push(limit));
  await wait(1);
  const leaves = [count.enter(), count.enter(), count.enter()];
  const waits = [wait(1), wait(3), wait(2)];
  await count.below(4);
  expect(passed).toEqual([1]);
  leaves.pop()?.();
  await waits[1];
  expect(passed).toEqual([1, 3]);
  leaves.pop()?.();
  await waits[2];
  expect(passed).toEqual([1, 3, 2]);
  leaves.pop()?.();
  await waits[0];
  expect(passed).toEqual([1, 3, 2, 1]);
});

test('a place is given back once, however often leave is called', async () => {
  const count = new Semaphore();
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

describe('a semaphore of two places', () => {
  test('admits two at once and the others in order, with priority callers before them', async () => {
    const slots = new Semaphore(2);
    const admitted: string[] = [];
    const come = async (name: string, first = false) => {
      const leave = await slots.take({ first });
      admitted.push(name);
      return leave;
    };
    const [a, b] = await Promise.all([come('a'), come('b')]);
    const [c, d, e] = [come('c'), come('d'), come('e', true)];
    await settled();
    expect([admitted, slots.load]).toEqual([['a', 'b'], { working: 2, waiting: 3 }]);
    a();
    b();
    await Promise.all([c, e]);
    expect(admitted).toEqual(['a', 'b', 'e', 'c']);
    (await c)();
    await d;
    expect(slots.load).toEqual({ working: 2, waiting: 0 });
  });

  test('gives a place without waiting only when one is free', async () => {
    const slots = new Semaphore(2);
    const first = slots.tryTake();
    await slots.take();
    expect(slots.tryTake()).toBeNull();
    first?.();
    expect(slots.tryTake()).not.toBeNull();
  });
});
