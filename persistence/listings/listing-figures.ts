import type { Pool } from 'pg';
import { toDate } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';
import { answersFor } from './agent-access.ts';

export const VIEWS_KEPT_DAYS = 400;

/** The calendar day at an instant in a time zone, as `2026-11-30`. */
const dayIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at,
  );

/**
 * Adds views of homes to the day at each home. Those of a home without a public page are left out.
 * @param views how many, by the home's id
 */
export async function addViews(
  pool: Pool,
  { views, at }: { views: ReadonlyMap<string, number>; at: number },
): Promise<void> {
  const { rows } = await pool.query<{ id: string; timeZone: string }>(
    `SELECT p.id, p."propertyTimeZoneName" AS "timeZone" FROM properties p
     WHERE p.id = ANY ($1::uuid[]) AND ${hasPublicPage('p')}`,
    [[...views.keys()]],
  );
  if (rows.length === 0) return;
  // In the order of ids: processes that write at the same time would wait for each other.
  await pool.query(
    `INSERT INTO listing_views ("propertyId", day, views)
     SELECT p.id, given.day, given.views
     FROM unnest($1::uuid[], $2::date[], $3::int[]) AS given (id, day, views) JOIN properties p ON p.id = given.id
     ORDER BY p.id
     ON CONFLICT ("propertyId", day) DO UPDATE SET views = listing_views.views + excluded.views`,
    [
      rows.map(({ id }) => id),
      rows.map(({ timeZone }) => dayIn(timeZone, at)),
      rows.map(({ id }) => views.get(id)),
    ],
  );
}

/** What happened to a listing on one day. */
export interface DayFigures {
  /** As `2026-11-30`. */
  day: string;
  views: number;
  saves: number;
  tours: number;
  /** Threads that customers began. */
  questions: number;
}

/** Instants are counted by parts of an hour, because no clock differs from UTC by less. */
const PART = '15 minutes';
const DAY_MS = 24 * 60 * 60_000;

/**
 * The figures of a listing by day at the home, the latest last, for one of its agents. Null for everyone else, and when it
 * does not exist. Saves are those that stand.
 * @param days how many, with the day at `at`
 */
export async function figuresOf(
  pool: Pool,
  { propertyId, agentId, days, at }: { propertyId: string; agentId: string; days: number; at: number },
): Promise<DayFigures[] | null> {
  const { rows: found } = await pool.query<{ timeZone: string }>(
    `SELECT p."propertyTimeZoneName" AS "timeZone" FROM properties p WHERE p.id = $1 AND ${answersFor('p', '$2')}`,
    [propertyId, agentId],
  );
  const [listing] = found;
  if (listing === undefined) return null;
  const figures = daysBefore(dayIn(listing.timeZone, at), days);
  const [first] = figures.keys();
  const { rows } = await pool.query<{
    what: keyof Omit<DayFigures, 'day'>;
    day: string | null;
    at: Date | null;
    count: number;
  }>(
    `SELECT 'views' AS what, day::text, NULL::timestamptz AS at, views AS count
     FROM listing_views WHERE "propertyId" = $1 AND day >= $2::date
     UNION ALL SELECT 'saves', NULL, date_bin('${PART}', "savedAt", 'epoch') AS at, count(*)::int
     FROM favorites WHERE "propertyId" = $1 AND "savedAt" >= $3 GROUP BY 3
     UNION ALL SELECT 'tours', NULL, date_bin('${PART}', "createdAt", 'epoch') AS at, count(*)::int
     FROM tours WHERE "propertyId" = $1 AND "createdAt" >= $3 GROUP BY 3
     UNION ALL SELECT 'questions', NULL, date_bin('${PART}', "createdAt", 'epoch') AS at, count(*)::int
     FROM message_threads WHERE "propertyId" = $1 AND "createdAt" >= $3 GROUP BY 3`,
    // A day is at most an hour longer than 24 hours.
    [propertyId, first, toDate(at - (days + 1) * DAY_MS)],
  );
  for (const { what, day, at: instant, count } of rows) {
    const figure = figures.get(day ?? dayIn(listing.timeZone, instant?.getTime() ?? 0));
    if (figure !== undefined) figure[what] += count;
  }
  return [...figures.values()];
}

/** So many days without figures, the last of which is `last`. */
function daysBefore(last: string, days: number): Map<string, DayFigures> {
  const end = Date.parse(last);
  return new Map(
    Array.from({ length: days }, (_, index) => {
      const day = new Date(end - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
      return [day, { day, views: 0, saves: 0, tours: 0, questions: 0 }];
    }),
  );
}
