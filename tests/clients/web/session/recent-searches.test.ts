import { describe, expect, test } from 'vitest';
import { recentSearches, rememberSearch } from '../../../../clients/web/session/recent-searches.ts';

describe('recent searches', () => {
  const storage = (text: string | null = null) => {
    let kept = text;
    return {
      getItem: () => kept,
      setItem(_: string, value: string) {
        kept = value;
      },
    };
  };
  test('are kept once each, the latest first, five at most', () => {
    const own = storage();
    for (const q of ['a', 'b', 'a', 'c', 'd', 'e', 'f']) rememberSearch(own, { q });
    expect(recentSearches(own)).toEqual(['f', 'e', 'd', 'c', 'a'].map((q) => ({ q })));
    rememberSearch(own, {});
    expect(recentSearches(own)).toHaveLength(5);
  });
  test('never fail, whatever an older release left', () => {
    expect([storage('{'), storage('1'), storage('[1,null]')].map(recentSearches)).toEqual([[], [], []]);
  });
});
