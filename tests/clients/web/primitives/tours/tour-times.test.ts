import { describe, expect, test } from 'vitest';
import { visitsOf } from '../../../../../clients/web/primitives/tours/tour-times.ts';

describe('times of visits', () => {
  const hours = {
    propertyTimeZoneName: 'America/Los_Angeles',
    showingAdvanceNotice: 24,
    showingStartTime: '10:00:00',
    showingEndTime: '12:00:00',
    showingDays: ['Monday', 'Tuesday'],
  };
  test('lie within the showing hours of the home’s own zone, after the notice', () => {
    const now = Date.parse('2026-11-23T08:00:00.000Z');
    const days = visitsOf(hours as never, now);
    const all = days.flatMap(({ slots }) => slots);
    expect(all.length).toBeGreaterThan(0);
    for (const { startsAt } of all) {
      const local = new Intl.DateTimeFormat('en-US', {
        timeZone: 'America/Los_Angeles',
        weekday: 'long',
        hour: 'numeric',
        hour12: false,
      }).format(new Date(startsAt));
      expect(local).toMatch(/^(Monday|Tuesday) (10|11)|(10|11)/);
      expect(Date.parse(startsAt)).toBeGreaterThanOrEqual(now + 24 * 3_600_000);
    }
  });
  const allDay = {
    ...hours,
    showingAdvanceNotice: 0,
    showingStartTime: null,
    showingEndTime: null,
    showingDays: [],
  };
  const offered = (zone: string, now: string, more = {}) =>
    visitsOf({ ...allDay, propertyTimeZoneName: zone, ...more }, Date.parse(now));
  const onDay = (zone: string, day: string, now: string) =>
    offered(zone, now, { showingStartTime: '00:00', showingEndTime: '24:00' }).find((one) => one.day === day)
      ?.slots ?? [];

  test.each([
    ['of 23 hours', 'America/Los_Angeles', '2027-03-11T07:30:00Z', '2027-03-14'],
    ['of 25 hours', 'America/Los_Angeles', '2027-11-05T06:30:00Z', '2027-11-07'],
    ['after the day that a country skipped', 'Pacific/Apia', '2011-12-29T20:00:00Z', '2011-12-31'],
    ['of the last night of a year', 'Europe/Berlin', '2026-12-31T22:59:00Z', '2027-01-01'],
  ])('a day %s is offered, and fourteen days follow one another', (_, zone, now, day) => {
    const days = offered(zone, now).map((one) => one.day);
    expect(days).toContain(day);
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBeGreaterThanOrEqual(12);
  });

  test('a home that is shown on Sundays is shown on the Sunday of 23 hours', () => {
    const [first] = offered('America/Los_Angeles', '2027-03-11T07:30:00Z', { showingDays: ['Sunday'] });
    expect(first?.day).toBe('2027-03-14');
  });

  test.each([
    ['the clocks go forward', 'America/Los_Angeles', '2027-03-14', 23],
    ['the clocks go back', 'America/Los_Angeles', '2027-11-07', 24],
    ['half an hour is skipped', 'Australia/Lord_Howe', '2026-10-04', 23],
    ['midnight is skipped', 'America/Santiago', '2027-09-05', 23],
    ['nothing changes', 'America/Los_Angeles', '2027-06-01', 24],
  ])('no time is offered twice or in a gap where %s', (_, zone, day, count) => {
    const slots = onDay(zone, day, new Date(Date.parse(`${day}T00:00:00Z`) - 2 * 86_400_000).toISOString());
    const walls = slots.map(({ startsAt }) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
        new Date(startsAt),
      ),
    );
    expect(walls).toHaveLength(count);
    expect(new Set(walls).size).toBe(count);
    expect(walls.every((wall) => wall.endsWith(':00'))).toBe(true);
  });
});
