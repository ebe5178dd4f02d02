import { expect, test } from 'vitest';
import { createFairQueue, QueueFull } from '../../../src/limits/fair-queue.ts';

const never = () => new AbortController().signal;

/** Tasks that take as long as their names say (`picture:ms`), done one after the other by `finish`. */
function inTurns({ lanes = 1, mostWaiting = 100 } = {}) {
  let now = 0;
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const turns = createFairQueue({ lanes, lanesEach: lanes, mostWaiting, monotonicMs: () => now });
  const ask = (client: readonly string[] | string, subject: string, signal = never()) => {
    const clients = typeof client === 'string' ? [client] : client;
    const name = `${clients.join('+')} ${subject}`;
    const task = () => {
      began.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      ends.push(() => {
        now += Number(subject.split(':')[1] ?? 100);
        resolve(name);
      });
      return promise;
    };
    return turns.run({ clients, subject }, task, signal);
  };
  const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const finish = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await settle();
      ends.shift()?.();
    }
    await settle();
  };
  return { ask, began, finish, settle };
}

test("one client's flood has its own queue", async () => {
  const { ask, began, finish } = inTurns();
  for (let n = 0; n < 20; n += 1) void ask('flood', `p${n}`);
  for (const client of ['a', 'b']) void ask(client, 'p');
  await finish(4);
  expect(began.slice(0, 3)).toEqual(['flood p0', 'a p', 'b p']);
});

test('shares are measured in time, not in numbers', async () => {
  const { ask, began, finish } = inTurns();
  for (let n = 0; n < 6; n += 1) void ask('slow', `p${n}:1000`);
  for (let n = 0; n < 20; n += 1) void ask('quick', `p${n}:100`);
  await finish(12);
  const slow = began.slice(0, 12).filter((name) => name.startsWith('slow'));
  expect(slow).toHaveLength(2);
});

test('many sizes of one picture do not delay the other pictures of the same client', async () => {
  const { ask, began, finish } = inTurns();
  for (let n = 0; n < 20; n += 1) void ask('proxy', 'many');
  void ask('proxy', 'one');
  void ask('proxy', 'another');
  await finish(3);
  expect(began.slice(0, 3)).toEqual(['proxy many', 'proxy one', 'proxy another']);
});

test('a shared task starts with the earliest turn of its waiting clients', async () => {
  const { ask, began, finish } = inTurns();
  for (let n = 0; n < 20; n += 1) void ask('flood', `p${n}`);
  const clients = ['flood'];
  void ask(clients, 'wanted');
  clients.push('visitor');
  await finish(2);
  expect(began.slice(0, 2)).toEqual(['flood p0', 'flood wanted']);
});

test('idle clients save up no time, and newcomers do not starve the others', async () => {
  const { ask, began, finish } = inTurns();
  for (let n = 0; n < 10; n += 1) void ask('old', `p${n}`);
  await finish(5);
  for (let n = 0; n < 4; n += 1) void ask(`new-${n}`, 'p');
  await finish(6);
  expect(began.filter((name) => name.startsWith('new'))).toHaveLength(4);
  expect(began.indexOf('old p6')).toBeLessThan(12);
  const again = inTurns();
  void again.ask('idle', 'p');
  await again.finish(1);
  for (let n = 0; n < 10; n += 1) void again.ask('busy', `p${n}`);
  await again.finish(5);
  for (let n = 0; n < 10; n += 1) void again.ask('idle', `q${n}`);
  await again.finish(6);
  expect(again.began.slice(-6).filter((name) => name.startsWith('busy')).length).toBeGreaterThan(1);
});

test('a full queue drops a task of the client with the most, and rejects a client that has its share', async () => {
  const { ask, began, finish, settle } = inTurns({ mostWaiting: 4 });
  const flood = Array.from({ length: 5 }, (_, n) => ask('flood', `p${n}`));
  const last = expect(flood[4]).rejects.toThrow(QueueFull);
  const mine = expect(ask('flood', 'p5')).rejects.toThrow(QueueFull);
  void ask('a', 'p');
  await Promise.all([last, mine]);
  const next = expect(flood[3]).rejects.toThrow(QueueFull);
  void ask('b', 'p');
  await next;
  await expect(ask('b', 'q')).rejects.toThrow(QueueFull);
  await settle();
  await finish(5);
  expect(began.toSorted()).toEqual(['a p', 'b p', 'flood p0', 'flood p1', 'flood p2']);
});

test('no more tasks run than there are lanes; a failure and a client that disconnects free their place', async () => {
  const turns = createFairQueue({ lanes: 2, lanesEach: 2, mostWaiting: 10 });
  let [busy, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++busy);
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    throw new Error('broken');
  };
  const leaving = new AbortController();
  const turn = (client: string) => ({ clients: [client], subject: 'p' });
  const all = Array.from({ length: 6 }, (_, n) => turns.run(turn(`c${n}`), work, leaving.signal));
  const left = turns.run(turn('c'), work, AbortSignal.abort(new Error('left')));
  const outcomes = await Promise.allSettled([...all, left]);
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason.message)).toEqual([
    ...Array<string>(6).fill('broken'),
    'left',
  ]);
  expect(most).toBe(2);
  const gone = new AbortController();
  const held = Promise.withResolvers<void>();
  const holders = [0, 1].map(() => turns.run(turn('a'), () => held.promise, never()));
  const waits = expect(turns.run(turn('b'), work, gone.signal)).rejects.toThrow('client left');
  gone.abort(new Error('client left'));
  await waits;
  held.resolve();
  await Promise.all(holders);
});

test('one client leaves a lane free for the others', async () => {
  const turns = createFairQueue({ lanes: 2, lanesEach: 1, mostWaiting: 10 });
  const began: string[] = [];
  const held = Promise.withResolvers<void>();
  const ask = (client: string, subject: string) => {
    const task = () => {
      began.push(`${client} ${subject}`);
      return held.promise;
    };
    return turns.run({ clients: [client], subject }, task, never());
  };
  const flood = [ask('flood', 'p1'), ask('flood', 'p2'), ask('flood', 'p3')];
  const visit = ask('visitor', 'p');
  await new Promise((resolve) => setImmediate(resolve));
  expect(began).toEqual(['flood p1', 'visitor p']);
  held.resolve();
  await Promise.all([...flood, visit]);
  expect(began).toHaveLength(4);
});
