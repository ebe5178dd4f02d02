import { describe, expect, test } from 'vitest';
import { recentSearches, rememberSearch } from '../../../../clients/web/session/recent-searches.ts';
import { createKeeper } from '../../../../clients/web/site/keeper.ts';

describe('recent searches', () => {
  const storage = (text: string | null = null) => {
    let kept = text;
    return createKeeper(() => ({
      getItem: () => kept,
      setItem(_: string, value: string) {
        kept = value;
      },
      removeItem() {
        kept = null;
      },
    }));
  };
  const ofVisitors = (own: ReturnType<typeof storage>) => recentSearches(own, null);
  test('are kept once each, the latest first, five at most', () => {
    const own = storage();
    for (const q of ['a', 'b', 'a', 'c', 'd', 'e', 'f'])
      rememberSearch(own, { personId: null, address: { q } });
    expect(ofVisitors(own)).toEqual(['f', 'e', 'd', 'c', 'a'].map((q) => ({ q })));
    rememberSearch(own, { personId: null, address: {} });
    expect(ofVisitors(own)).toHaveLength(5);
  });
  test('are those of one person', () => {
    const own = storage();
    rememberSearch(own, { personId: 'a', address: { q: 'hers' } });
    expect([recentSearches(own, 'a'), recentSearches(own, 'b'), ofVisitors(own)]).toEqual([
      [{ q: 'hers' }],
      [],
      [],
    ]);
    rememberSearch(own, { personId: 'b', address: { q: 'his' } });
    expect([recentSearches(own, 'a'), recentSearches(own, 'b')]).toEqual([[], [{ q: 'his' }]]);
  });
  test('never fail, whatever an older release left', () => {
    expect([storage('{'), storage('1'), storage('[1,null,{"q":"a"}]')].map(ofVisitors)).toEqual([[], [], []]);
  });
});
