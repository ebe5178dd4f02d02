import { describe, expect, test } from 'vitest';
import { createKeeper, forgetRecords, keptRecords, readJson } from '../../../../clients/web/site/keeper.ts';

/** What pages may rely on when the storage of the browser is blocked or full. */
function storageWith(room: number) {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      entries.set(key, text);
    },
    removeItem: (key: string) => void entries.delete(key),
  };
}
const blocked = () => {
  throw new DOMException('blocked', 'SecurityError');
};

describe.each([
  ['blocked', blocked],
  ['full', () => storageWith(0)],
])('where storage is %s', (_, storage) => {
  test('what is written lasts as long as the document, and no longer', () => {
    const keeper = createKeeper(storage);
    expect([keeper.getItem('a'), keeper.isLasting()]).toEqual([null, false]);
    keeper.setItem('a', '1');
    expect(keeper.getItem('a')).toBe('1');
    expect(createKeeper(storage).getItem('a')).toBeNull();
    keeper.removeItem('a');
    expect(keeper.getItem('a')).toBeNull();
  });
});

test('a value that finds no room leaves no older one behind', () => {
  const storage = storageWith(100);
  const keeper = createKeeper(() => storage);
  keeper.setItem('a', 'old');
  keeper.setItem('a', 'x'.repeat(200));
  expect([keeper.getItem('a')?.length, storage.entries.size]).toEqual([200, 0]);
  keeper.setItem('a', 'new');
  expect([keeper.getItem('a'), storage.entries.get('a'), keeper.isLasting()]).toEqual(['new', 'new', true]);
  expect([...storage.entries.keys()]).toEqual(['a']);
});

test('what is no JSON is nothing', () => {
  expect(['{', '', 'null'].map((text) => readJson({ getItem: () => text }, 'a'))).toEqual([null, null, null]);
  expect(readJson({ getItem: () => null }, 'a')).toBeNull();
});

test('without a database there are no records, and nothing fails', async () => {
  const records = keptRecords<{ key: string }>('files', 'all');
  await records.add({ key: 'a' });
  await records.remove('a');
  forgetRecords('files');
  expect(await records.all()).toEqual([]);
});
