import { describe, expect, test } from 'vitest';
import { visitsOf } from '../../../../clients/web/primitives/tour-times.ts';

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
});
