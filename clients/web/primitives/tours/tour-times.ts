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
  return daysFrom(localDay(now, zone))
    .filter((day) => showingDays.length === 0 || showingDays.some((name) => isOn(day, name)))
    .map((day) => {
      const starts: number[] = [];
      for (let minute = from; minute + VISIT / MINUTE <= to; minute += STEP_MINUTES) {
        const start = instantOf(day, minute, zone);
        if (start !== null && start > earliest) starts.push(start);
      }
      return { day, slots: starts.map(toSlot) };
    })
    .filter(({ slots }) => slots.length > 0);
}

/** Days of the calendar, whatever their hours: one on which the clocks change has 23 or 25. */
const daysFrom = (first: string): string[] =>
  Array.from({ length: DAYS_OFFERED }, (_, index) =>
    new Date(Date.parse(`${first}T00:00:00Z`) + index * DAY).toISOString().slice(0, 10),
  );

const toSlot = (start: number): Slot => ({
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(start + VISIT).toISOString(),
});

const isOn = (day: string, name: string): boolean =>
  WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()]?.startsWith(name.toUpperCase().slice(0, 3)) ?? false;

/** Of a time such as `09:30`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const localDay = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/** The instant of a local time: the first where it comes twice, null where a clock change skips it. */
export function instantOf(day: string, minute: number, timeZone: string): number | null {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
  // No zone is further from UTC, and none changes its clocks twice in two days.
  const offsets = [wall - DAY, wall + DAY].map((at) => offsetAt(at, timeZone));
  const instants = offsets.map((offset) => wall - offset);
  const real = instants.filter((at) => at + offsetAt(at, timeZone) === wall);
  return real.length === 0 ? null : Math.min(...real);
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
