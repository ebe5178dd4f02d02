import type { TourSlot } from './tour-slots.ts';

/**
 * When a listing can be shown (docs/contract.md#showing-rules): the notice, the weekdays and the hours, by the wall
 * clock at the house. Slots are instants, and each instant has exactly one wall time, so hours that the clock skips or
 * repeats are never ambiguous.
 */
export interface ShowingRules {
  /** An IANA name. */
  timeZone: string;
  advanceNoticeHours: number;
  /** `HH:MM:SS` from `00:00:00` to `24:00:00`, both or neither. */
  startTime: string | null;
  endTime: string | null;
  /** English names of weekdays; empty means every day. */
  days: readonly string[];
}

/** Why a listing cannot be shown in the slot; null when it can. */
export type ShowingFault = 'TOO_SOON' | 'WRONG_DAY' | 'OUTSIDE_HOURS';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `at` is the instant of the request. The slot is expected to last some hours at most. */
export function showingFault(slot: TourSlot, rules: ShowingRules, at: number): ShowingFault | null {
  if (slot.startsAt < at + rules.advanceNoticeHours * HOUR_MS) return 'TOO_SOON';
  const clock = wallClock(rules.timeZone);
  const walls = instantsToCheck(slot, clock).map(clock);
  const lastDay = clock(slot.endsAt - 1);
  if (rules.days.length > 0 && ![...walls.slice(0, -1), lastDay].every(isOn(rules.days))) return 'WRONG_DAY';
  if (rules.startTime === null || rules.endTime === null) return null;
  const firstMidnight = midnightOf(clock(slot.startsAt));
  const opens = firstMidnight + timeOfDay(rules.startTime);
  const closes = firstMidnight + timeOfDay(rules.endTime);
  return walls.every((wall) => wall >= opens && wall <= closes) ? null : 'OUTSIDE_HOURS';
}

/** The start and the end; every minute when the clock changes in between, because it may leave the hours and return. */
function instantsToCheck({ startsAt, endsAt }: TourSlot, clock: (instant: number) => number): number[] {
  if (clock(endsAt) - clock(startsAt) === endsAt - startsAt) return [startsAt, endsAt];
  const minutes = Math.ceil((endsAt - startsAt) / MINUTE_MS);
  return [...Array.from({ length: minutes }, (_, minute) => startsAt + minute * MINUTE_MS), endsAt];
}

/** Wall time as milliseconds: the time at the house, read as if it were UTC. */
function wallClock(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
    const wall = Date.UTC(
      year,
      month - 1,
      day,
      Number(parts.hour),
      Number(parts.minute),
      Number(parts.second),
    );
    return wall + (((instant % 1_000) + 1_000) % 1_000);
  };
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function isOn(days: readonly string[]): (wall: number) => boolean {
  return (wall) => days.includes(WEEKDAYS[new Date(wall).getUTCDay()] ?? '');
}

function midnightOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

function timeOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS + seconds * 1_000;
}
