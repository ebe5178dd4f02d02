import { expect, test } from 'vitest';
import { createKeptCards } from '../../../src/search/kept-cards.ts';
import type { IndexedCard } from '../../../src/wire/listings/property-card.ts';

/** Kept cards are never looked into. */
const card = {} as IndexedCard;

test('at most two thousand cards are kept, the latest', () => {
  const kept = createKeptCards({ now: () => 0 });
  for (let listing = 0; listing <= 2_000; listing++) kept.keep(`${listing}`, { version: 1, card });
  const ids = Array.from({ length: 2_001 }, (_, listing) => `${listing}`);
  expect([...kept.of(ids).keys()]).toEqual(ids.slice(1));
});

test('a card that is kept again is among the latest', () => {
  const kept = createKeptCards({ now: () => 0 });
  for (const id of ['first', ...Array.from({ length: 1_999 }, (_, n) => `${n}`), 'first', 'last'])
    kept.keep(id, { version: 1, card });
  expect([...kept.of(['first', '0', 'last']).keys()]).toEqual(['first', 'last']);
});

test('a card is kept for ten seconds, however often it is used', () => {
  let now = 0;
  const kept = createKeptCards({ now: () => now });
  kept.keep('one', { version: 1, card });
  for (now = 0; now < 10_000; now += 1_000) expect(kept.of(['one']).size).toBe(1);
  expect(kept.of(['one']).size).toBe(0);
});
