import { expect, test } from 'vitest';
import { createBatchLoader } from '../../../../src/images/renditions/batch-loader.ts';

/** A store whose answers the test gives, one read after the other. */
function slowStore() {
  const asked: string[][] = [];
  const answers: PromiseWithResolvers<Map<string, string>>[] = [];
  const read = (keys: string[]) => {
    asked.push(keys);
    const answer = Promise.withResolvers<Map<string, string>>();
    answers.push(answer);
    return answer.promise;
  };
  const answer = (index: number, found: Record<string, string>) =>
    answers[index]?.resolve(new Map(Object.entries(found)));
  const fail = (index: number) => answers[index]?.reject(new Error('away'));
  return { asked, read, answer, fail };
}

test('keys requested while a read is under way are combined, each key once', async () => {
  const { asked, read, answer } = slowStore();
  const ask = createBatchLoader(read, { mostAtOnce: 1 });
  const first = ask('a');
  const later = [ask('b'), ask('c'), ask('b')];
  expect(asked).toEqual([['a']]);
  answer(0, { a: 'A', b: 'too early' });
  expect(await first).toBe('A');
  expect(asked).toEqual([['a'], ['b', 'c']]);
  answer(1, { b: 'B' });
  expect(await Promise.all(later)).toEqual(['B', null, 'B']);
});

test('a request is never answered by a read that started before it', async () => {
  const { read, answer } = slowStore();
  const ask = createBatchLoader(read, { mostAtOnce: 1 });
  const before = ask('a');
  const after = ask('a');
  answer(0, { a: 'old' });
  expect(await before).toBe('old');
  answer(1, { a: 'new' });
  expect(await after).toBe('new');
});

test('at most the allowed number of reads is under way', async () => {
  const { asked, read, answer } = slowStore();
  const ask = createBatchLoader(read, { mostAtOnce: 2 });
  const all = ['a', 'b', 'c', 'd'].map(ask);
  expect(asked).toEqual([['a'], ['b']]);
  answer(1, {});
  await all[1];
  expect(asked).toEqual([['a'], ['b'], ['c', 'd']]);
  answer(0, {});
  answer(2, { d: 'D' });
  expect(await Promise.all(all)).toEqual([null, null, null, 'D']);
});

test('a failure rejects the reads of its batch, and later reads are sent again', async () => {
  const { asked, read, answer, fail } = slowStore();
  const ask = createBatchLoader(read, { mostAtOnce: 1 });
  const first = ask('a');
  const others = Promise.allSettled([ask('b'), ask('c')]);
  fail(0);
  await expect(first).rejects.toThrow('away');
  fail(1);
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = ask('a');
  answer(2, { a: 'A' });
  expect([await next, asked.length]).toEqual(['A', 3]);
});
