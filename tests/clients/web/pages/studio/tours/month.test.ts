import { describe, expect, test } from 'vitest';
import {
  monthAfter,
  placedTours,
  readDay,
  readMonth,
  weeksOf,
} from '../../../../../../clients/web/pages/studio/tours/month.ts';

describe('the months of the calendar', () => {
  test('follow each other over the years', () => {
    expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-03', -14)]).toEqual([
      '2027-01',
      '2025-12',
      '2025-01',
    ]);
  });

  test('have whole weeks from Sunday to Saturday', () => {
    const weeks = weeksOf('2026-11');
    expect([weeks[0]?.[0], weeks.at(-1)?.at(-1), weeks.length]).toEqual(['2026-11-01', '2026-12-05', 5]);
    // A month that begins on a Saturday has six.
    expect([weeksOf('2026-08')[0]?.[0], weeksOf('2026-08').length]).toEqual(['2026-07-26', 6]);
    // Four where February begins on a Sunday.
    expect(weeksOf('2026-02').flat()).toHaveLength(28);
  });

  test.each(['', '2026-13', '2026-1', '0000-01', '99999-01', 'x', undefined, ['2026-01'], 202601])(
    'are none for %j in an address',
    (text) => {
      expect(readMonth(text)).toBeUndefined();
    },
  );

  test.each(['', '2026-02-30', '2026-1-1', '2026-13-01', '0001-01-01', 'today', undefined, ['2026-01-01']])(
    'have no day %j',
    (text) => {
      expect(readDay(text)).toBeUndefined();
    },
  );

  test('are read from an address', () => {
    expect([readMonth('2026-02'), readDay('2028-02-29')]).toEqual(['2026-02', '2028-02-29']);
  });
});

describe('the day of a tour', () => {
  const slot = (startsAt: string) => ({ startsAt, endsAt: startsAt });
  const days = (tour: object) => placedTours([tour as never]).map(({ day }) => day);

  test('is that of the home’s own zone', () => {
    const slots = [slot('2026-11-24T03:00:00.000Z')];
    const on = (timeZone: string) => days({ heldSlot: null, slots, timeZone });
    expect([on('America/Los_Angeles'), on('UTC'), on('Pacific/Auckland')]).toEqual([
      ['2026-11-23'],
      ['2026-11-24'],
      ['2026-11-24'],
    ]);
  });

  test('is every day that is proposed, once each, until one is agreed on', () => {
    const slots = ['2026-11-23T18:00:00Z', '2026-11-23T20:00:00Z', '2026-11-25T18:00:00Z'].map(slot);
    expect(days({ heldSlot: null, slots, timeZone: 'UTC' })).toEqual(['2026-11-23', '2026-11-25']);
    expect(days({ heldSlot: slots[2], slots, timeZone: 'UTC' })).toEqual(['2026-11-25']);
    expect(days({ heldSlot: null, slots: [], timeZone: 'UTC' })).toEqual([]);
  });
});
