/** Times at which a home can be visited, in the zone of the home. */
export interface ShowingHours {
  /** IANA name. */
  readonly propertyTimeZoneName: string;
  /** Hours between the request and the visit. */
  readonly showingAdvanceNotice: number;
  /** Local times such as `09:00`, or null for any hour; then visits by day are offered. */
  readonly showingStartTime: string | null;
  readonly showingEndTime: string | null;
  /** Names of weekdays; none means every day. */
  readonly showingDays: readonly string[];
}

export interface Slot {
  readonly startsAt: string;
  readonly endsAt: string;
}

export interface DayOfSlots {
  /** Local date, such as `2026-12-01`. */
  readonly day: string;
  readonly slots: readonly Slot[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const VISIT = HOUR;
const STEP_MINUTES = 60;
const DAYS_OFFERED = 14;
const BY_DAY = { start: '09:00', end: '18:00' };
const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/** The visits that a home offers in the next two weeks, by local day. @param now milliseconds since 1970 */
export function visitsOf(hours: ShowingHours, now: number): DayOfSlots[] {
  const { propertyTimeZoneName: zone, showingAdvanceNotice, showingDays } = hours;
  const earliest = now + showingAdvanceNotice * HOUR;
  const from = minutesOf(hours.showingStartTime ?? BY_DAY.start);
  const to = minutesOf(hours.showingEndTime ?? BY_DAY.end);
  const days = Array.from({ length: DAYS_OFFERED }, (_, index) => localDay(now + index * DAY, zone));
  return [...new Set(days)]
    .filter((day) => showingDays.length === 0 || showingDays.some((name) => isOn(day, name)))
    .map((day) => {
      const starts: number[] = [];
      for (let minute = from; minute + VISIT / MINUTE <= to; minute += STEP_MINUTES)
        starts.push(instantOf(day, minute, zone));
      return { day, slots: starts.filter((start) => start > earliest).map(toSlot) };
    })
    .filter(({ slots }) => slots.length > 0);
}

const toSlot = (start: number): Slot => ({
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(start + VISIT).toISOString(),
});

const isOn = (day: string, name: string): boolean =>
  WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()]?.startsWith(name.toUpperCase().slice(0, 3)) ?? false;

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const localDay = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/**
 * The instant of a local time. Where a clock change skips it, the time after the change; where it comes twice, the
 * first.
 */
function instantOf(day: string, minute: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
  const first = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(first, timeZone);
}

/** How far local time is ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE) * MINUTE;
}
