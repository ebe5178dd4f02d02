import { expect, test } from 'vitest';
import { createSharedWork } from '../../../src/image-proxy/shared-work.ts';

const never = () => new AbortController().signal;

/** Work that ends when told to. */
function controlled() {
  const begun: AbortSignal[] = [];
  const ends: PromiseWithResolvers<string>[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    begun.push(signal);
    const end = Promise.withResolvers<string>();
    ends.push(end);
    return end.promise;
  };
  return { begun, ends, work };
}

test('those who ask for the same wait for one piece of work', async () => {
  const shared = createSharedWork<string>();
  const { begun, ends, work } = controlled();
  const all = [shared.join('a', never(), work), shared.join('a', never(), work)];
  const other = shared.join('b', never(), work);
  expect(begun).toHaveLength(2);
  ends[0]?.resolve('A');
  ends[1]?.resolve('B');
  expect([...(await Promise.all(all)), await other]).toEqual(['A', 'A', 'B']);
  expect(shared.size).toBe(0);
  const later = shared.join('a', never(), work);
  ends[2]?.resolve('again');
  expect(await later).toBe('again');
});

test("a failure is everybody's, and is not kept", async () => {
  const shared = createSharedWork<string>();
  const { ends, work } = controlled();
  const all = [shared.join('a', never(), work), shared.join('a', never(), work)];
  ends[0]?.reject(new Error('no'));
  expect(await Promise.allSettled(all)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(shared.size).toBe(0);
});

test('the work goes on while somebody waits, and is given up with the last', async () => {
  const shared = createSharedWork<string>();
  const { begun, ends, work } = controlled();
  const [first, second] = [new AbortController(), new AbortController()];
  const joined = [shared.join('a', first.signal, work), shared.join('a', second.signal, work)];
  first.abort(new Error('left'));
  await expect(joined[0]).rejects.toThrow('left');
  expect(begun[0]?.aborted).toBe(false);
  second.abort(new Error('left too'));
  await expect(joined[1]).rejects.toThrow('left too');
  expect(begun[0]?.aborted).toBe(true);
  // What was given up is nobody's: the next one begins anew.
  const late = shared.join('a', never(), work);
  expect(begun).toHaveLength(2);
  ends[0]?.reject(new Error('aborted'));
  ends[1]?.resolve('new');
  expect(await late).toBe('new');
});

test('whoever has left already begins nothing', async () => {
  const shared = createSharedWork<string>();
  const { begun, work } = controlled();
  await expect(shared.join('a', AbortSignal.abort(new Error('gone')), work)).rejects.toThrow('gone');
  expect(begun).toEqual([]);
});
