import { expect, test } from 'vitest';
import { createSingleFlight, type Work } from '../../../../src/images/renditions/single-flight.ts';

const asks = (client = 'somebody', signal = new AbortController().signal) => ({ client, signal });

/** Work that ends when the test says so. */
function controlled() {
  const begun: AbortSignal[] = [];
  const waiting: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<string>[] = [];
  const work: Work<string> = ({ signal, clients }) => {
    begun.push(signal);
    waiting.push(clients);
    const end = Promise.withResolvers<string>();
    ends.push(end);
    return end.promise;
  };
  return { begun, waiting, ends, work };
}

test('requests for the same key share one piece of work', async () => {
  const shared = createSingleFlight<string>();
  const { begun, ends, work } = controlled();
  const all = [shared.join('a', asks(), work), shared.join('a', asks(), work)];
  const other = shared.join('b', asks(), work);
  expect(begun).toHaveLength(2);
  ends[0]?.resolve('A');
  ends[1]?.resolve('B');
  expect([...(await Promise.all(all)), await other]).toEqual(['A', 'A', 'B']);
  const later = shared.join('a', asks(), work);
  ends[2]?.resolve('again');
  expect(await later).toBe('again');
});

test('a failure rejects all waiting requests, and is not cached', async () => {
  const shared = createSingleFlight<string>();
  const { ends, work } = controlled();
  const all = [shared.join('a', asks(), work), shared.join('a', asks(), work)];
  ends[0]?.reject(new Error('no'));
  expect(await Promise.allSettled(all)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  void shared.join('a', asks(), work);
  expect(ends).toHaveLength(2);
});

test('the work continues while a request waits, and is aborted with the last one', async () => {
  const shared = createSingleFlight<string>();
  const { begun, waiting, ends, work } = controlled();
  const [first, second] = [new AbortController(), new AbortController()];
  const joined = [
    shared.join('a', asks('one', first.signal), work),
    shared.join('a', asks('two', second.signal), work),
  ];
  expect(waiting).toEqual([['one', 'two']]);
  first.abort(new Error('left'));
  await expect(joined[0]).rejects.toThrow('left');
  expect(begun[0]?.aborted).toBe(false);
  expect(waiting).toEqual([['two']]);
  second.abort(new Error('left too'));
  await expect(joined[1]).rejects.toThrow('left too');
  expect(begun[0]?.aborted).toBe(true);
  // Aborted work is not shared: the next request starts again.
  const late = shared.join('a', asks(), work);
  expect(begun).toHaveLength(2);
  ends[0]?.reject(new Error('aborted'));
  ends[1]?.resolve('new');
  expect(await late).toBe('new');
});

test('a request that is already aborted starts no work', async () => {
  const shared = createSingleFlight<string>();
  const { begun, work } = controlled();
  await expect(shared.join('a', asks('late', AbortSignal.abort(new Error('gone'))), work)).rejects.toThrow(
    'gone',
  );
  expect(begun).toEqual([]);
});
