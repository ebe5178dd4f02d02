import type { Tour } from '../../inbox/tour-list.ts';

/** A month, such as `2026-11`. Days are `2026-11-23`. */
export type Month = string;

/** A tour on a day, in the time zone of its home. */
export interface PlacedTour {
  readonly tour: Tour;
  readonly day: string;
}

const DAY_MS = 86_400_000;
const DAYS_OF_A_WEEK = 7;
/** As much of an ISO date as names its month. */
const MONTH_LENGTH = 7;

/** Of the years that a calendar is asked for. */
const MONTH = /^2\d{3}-(?:0[1-9]|1[0-2])$/;

/** The month, or the day, that an address names; undefined where it names none. */
export const readMonth = (text: unknown): Month | undefined =>
  typeof text === 'string' && MONTH.test(text) ? text : undefined;
export const readDay = (text: unknown): string | undefined =>
  typeof text === 'string' && /^2\d{3}-\d\d-\d\d$/.test(text) && isDay(text) ? text : undefined;

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export const monthOf = (day: string): Month => day.slice(0, MONTH_LENGTH);

/** The month so many months later. */
export function monthAfter(month: Month, by: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, MONTH_LENGTH);
}

/** The weeks that a month touches, each from Sunday to Saturday. */
export function weeksOf(month: Month): readonly (readonly string[])[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const end = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`);
  const weeks: string[][] = [];
  for (let at = first - new Date(first).getUTCDay() * DAY_MS; at < end; at += DAYS_OF_A_WEEK * DAY_MS)
    weeks.push(
      Array.from({ length: DAYS_OF_A_WEEK }, (_, index) =>
        new Date(at + index * DAY_MS).toISOString().slice(0, 10),
      ),
    );
  return weeks;
}

/** The tours that have a time, by that time: the agreed one, otherwise each proposed one. */
export function placedTours(tours: readonly Tour[]): readonly PlacedTour[] {
  return tours.flatMap((tour) => {
    const slots = tour.heldSlot === null ? tour.slots : [tour.heldSlot];
    const days = slots.map(({ startsAt }) =>
      new Date(startsAt).toLocaleDateString('sv', { timeZone: tour.timeZone }),
    );
    return [...new Set(days)].map((day) => ({ tour, day }));
  });
}
