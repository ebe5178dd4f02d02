import { describe, expect, test } from 'vitest';
import { type ShowingRules, showingFault } from '../../machines/showing-rules.ts';

const rules = (change: Partial<ShowingRules> = {}): ShowingRules => ({
  timeZone: 'America/Los_Angeles',
  advanceNoticeHours: 0,
  startTime: null,
  endTime: null,
  days: [],
  ...change,
});
const slot = (startsAt: string, endsAt: string) => ({
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(endsAt),
});
const LONG_BEFORE = Date.UTC(2026, 0, 1);
const fault = (startsAt: string, endsAt: string, change: Partial<ShowingRules>) =>
  showingFault(slot(startsAt, endsAt), rules(change), LONG_BEFORE);

const HOURS = { startTime: '09:00:00', endTime: '18:00:00' };

describe('notice', () => {
  const at = Date.parse('2026-06-01T00:00:00Z');
  const asked = slot('2026-06-02T00:00:00Z', '2026-06-02T01:00:00Z');
  test('the notice period is exact to the minute', () => {
    expect(showingFault(asked, rules({ advanceNoticeHours: 24 }), at)).toBeNull();
    expect(showingFault(asked, rules({ advanceNoticeHours: 24 }), at + 1)).toBe('TOO_SOON');
  });
});

describe('hours, in the local time of the house', () => {
  test.each([
    ['summer, from opening', '2026-07-01T16:00:00Z', '2026-07-01T17:00:00Z', null],
    ['summer, a minute before opening', '2026-07-01T15:59:00Z', '2026-07-01T16:59:00Z', 'OUTSIDE_HOURS'],
    [
      'winter, the same instant is too early',
      '2026-12-01T16:00:00Z',
      '2026-12-01T17:00:00Z',
      'OUTSIDE_HOURS',
    ],
    ['winter, from opening', '2026-12-01T17:00:00Z', '2026-12-01T18:00:00Z', null],
    ['until closing', '2026-07-02T00:00:00Z', '2026-07-02T01:00:00Z', null],
    ['a second past closing', '2026-07-02T00:00:00Z', '2026-07-02T01:00:01Z', 'OUTSIDE_HOURS'],
    [
      'past midnight of Greenwich on the same local day',
      '2026-07-01T23:30:00Z',
      '2026-07-02T00:30:00Z',
      null,
    ],
  ])('%s', (_, startsAt, endsAt, expected) => {
    expect(fault(startsAt, endsAt, HOURS)).toBe(expected);
  });
  test('a slot over local midnight is outside the hours of both days, but a slot may end at 24:00', () => {
    const late = { startTime: '00:00:00', endTime: '24:00:00' };
    expect(fault('2026-07-02T06:00:00Z', '2026-07-02T07:00:00Z', late)).toBeNull();
    expect(fault('2026-07-02T06:30:00Z', '2026-07-02T07:30:00Z', late)).toBe('OUTSIDE_HOURS');
    expect(fault('2026-07-02T06:30:00Z', '2026-07-02T07:30:00Z', {})).toBeNull();
  });
  test.each([
    ['half an hour off', 'Asia/Kolkata', '2026-03-10T03:30:00Z', '2026-03-10T04:30:00Z'],
    ['a quarter off', 'Asia/Kathmandu', '2026-03-10T03:15:00Z', '2026-03-10T04:15:00Z'],
    ['no daylight saving', 'America/Phoenix', '2026-07-01T16:00:00Z', '2026-07-01T17:00:00Z'],
    ['south of the equator, in summer', 'Australia/Sydney', '2026-01-14T22:00:00Z', '2026-01-14T23:00:00Z'],
  ])('zones that are %s', (_, timeZone, opens, later) => {
    const minute = 60_000;
    const asked = slot(opens, later);
    expect(showingFault(asked, rules({ ...HOURS, timeZone }), LONG_BEFORE)).toBeNull();
    const early = { startsAt: asked.startsAt - minute, endsAt: asked.endsAt };
    expect(showingFault(early, rules({ ...HOURS, timeZone }), LONG_BEFORE)).toBe('OUTSIDE_HOURS');
  });
});

describe('days', () => {
  const weekdays = { days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] };
  test.each([
    // 2026-07-03 is a Friday.
    ['Friday', '2026-07-04T00:00:00Z', '2026-07-04T01:00:00Z', null],
    [
      'Saturday, although Friday evening a zone ago',
      '2026-07-04T07:00:00Z',
      '2026-07-04T08:00:00Z',
      'WRONG_DAY',
    ],
    ['Friday to Saturday', '2026-07-04T06:30:00Z', '2026-07-04T07:30:00Z', 'WRONG_DAY'],
    ['Friday until midnight', '2026-07-04T06:00:00Z', '2026-07-04T07:00:00Z', null],
    ['Sunday to Monday', '2026-07-06T06:30:00Z', '2026-07-06T07:30:00Z', 'WRONG_DAY'],
    ['Monday from midnight', '2026-07-06T07:00:00Z', '2026-07-06T08:00:00Z', null],
  ])('%s', (_, startsAt, endsAt, expected) => {
    expect(fault(startsAt, endsAt, weekdays)).toBe(expected);
  });
  test('an empty list means all days', () => {
    expect(fault('2026-07-04T19:00:00Z', '2026-07-04T20:00:00Z', {})).toBeNull();
  });
});

// Los Angeles 2026: 8 March 02:00 becomes 03:00 (10:00Z); 1 November 02:00 becomes 01:00 (09:00Z).
describe('the night in which the clock goes forward', () => {
  test('an hour is skipped: 01:30 and 03:30 are one hour apart', () => {
    const asked = ['2026-03-08T09:30:00Z', '2026-03-08T10:30:00Z'] as const;
    expect(fault(...asked, { startTime: '01:30:00', endTime: '03:30:00' })).toBeNull();
    expect(fault(...asked, { startTime: '01:30:00', endTime: '03:29:00' })).toBe('OUTSIDE_HOURS');
    expect(fault(...asked, { startTime: '01:31:00', endTime: '04:00:00' })).toBe('OUTSIDE_HOURS');
  });
  test('hours inside the skipped hour have no instant', () => {
    const skipped = { startTime: '02:00:00', endTime: '02:59:00' };
    for (let minute = 0; minute < 24 * 60; minute += 15) {
      const startsAt = Date.parse('2026-03-08T08:00:00Z') + minute * 60_000;
      const asked = { startsAt, endsAt: startsAt + 15 * 60_000 };
      expect(showingFault(asked, rules(skipped), LONG_BEFORE)).toBe('OUTSIDE_HOURS');
    }
  });
  test('on the day after the change the hours begin one hour earlier in UTC', () => {
    expect(fault('2026-03-07T16:00:00Z', '2026-03-07T17:00:00Z', HOURS)).toBe('OUTSIDE_HOURS');
    expect(fault('2026-03-08T16:00:00Z', '2026-03-08T17:00:00Z', HOURS)).toBeNull();
  });
});

describe('the night in which the clock goes back', () => {
  test('both hours between one and two are inside the hours', () => {
    const doubled = { startTime: '01:00:00', endTime: '02:00:00' };
    expect(fault('2026-11-01T08:15:00Z', '2026-11-01T08:45:00Z', doubled)).toBeNull();
    expect(fault('2026-11-01T09:15:00Z', '2026-11-01T09:45:00Z', doubled)).toBeNull();
    // From the first 01:00 to the second 02:00: two hours, all of them inside.
    expect(fault('2026-11-01T08:00:00Z', '2026-11-01T10:00:00Z', doubled)).toBeNull();
    expect(fault('2026-11-01T08:00:00Z', '2026-11-01T10:01:00Z', doubled)).toBe('OUTSIDE_HOURS');
  });
  test('a slot that begins and ends inside the hours may leave them in between', () => {
    const half = { startTime: '01:00:00', endTime: '01:30:00' };
    // 01:15 to 01:25 local time, but seventy minutes long: in between the clock shows 01:59 and then 01:00.
    expect(fault('2026-11-01T08:15:00Z', '2026-11-01T09:25:00Z', half)).toBe('OUTSIDE_HOURS');
    expect(fault('2026-11-01T09:05:00Z', '2026-11-01T09:25:00Z', half)).toBeNull();
  });
  test('the day has twenty-five hours, and all of them belong to it', () => {
    // From 23:30 to 24:00 of that Sunday, and a slot half an hour later.
    expect(fault('2026-11-02T07:30:00Z', '2026-11-02T08:00:00Z', { days: ['Sunday'] })).toBeNull();
    expect(fault('2026-11-02T07:30:00Z', '2026-11-02T08:01:00Z', { days: ['Sunday'] })).toBe('WRONG_DAY');
  });
});
